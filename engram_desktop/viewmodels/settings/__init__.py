"""Viewmodels of the settings, the library's health, and the about dialog."""
