"""The page of events, with its cards and the editor."""
