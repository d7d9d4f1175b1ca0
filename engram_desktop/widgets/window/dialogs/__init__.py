"""Dialogs of the program as a whole."""
