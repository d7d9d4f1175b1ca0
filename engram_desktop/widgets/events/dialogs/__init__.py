"""Dialogs of the events page: each asks for one thing."""
