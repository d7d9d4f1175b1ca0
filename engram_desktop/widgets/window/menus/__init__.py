"""Menus of the window that are filled as they open."""
