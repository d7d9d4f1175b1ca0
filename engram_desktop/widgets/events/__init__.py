"""The page of events, its cards and its editor."""
