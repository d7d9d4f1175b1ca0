"""Verbs for a SillyTavern folder and the memories of other tools."""
