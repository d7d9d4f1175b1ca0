"""Widgets, layouts and styles that pages and dialogs share."""
