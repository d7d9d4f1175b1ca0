"""The list of events in other shapes: a table, a tree of outlines."""
