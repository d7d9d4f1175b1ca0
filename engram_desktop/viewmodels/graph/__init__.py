"""Viewmodels of the graph page: drawn graph, layout, entity editor, and missing data."""
