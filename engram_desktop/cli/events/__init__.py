"""Verbs for events and private logs."""
