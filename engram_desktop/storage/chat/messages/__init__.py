"""Branches, their messages, and what the user changed of the state by hand."""
