"""What every page stands on: the open chat, messages, lists read by pages, undo, running jobs."""
