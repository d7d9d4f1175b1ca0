"""Verbs for the library as a whole."""
