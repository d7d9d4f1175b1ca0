"""Viewmodels of events: list, calendar, tree, grid, editor, and edits of many events."""
