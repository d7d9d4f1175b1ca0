"""What the window itself shows: the open chat, messages, running jobs, undo."""
