"""Viewmodels of the quick panel: library search, commands, places; and keyboard shortcuts."""
