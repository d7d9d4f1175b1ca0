"""The base of every page: the open chat, messages, lists read by pages, undo, running jobs."""
