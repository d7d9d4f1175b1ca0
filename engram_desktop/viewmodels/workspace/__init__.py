"""Base of every page: the open chat, messages, live queries, undo, and running jobs."""
