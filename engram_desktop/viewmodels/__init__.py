"""Viewmodels: item models and commands for the widgets; nothing here draws."""
