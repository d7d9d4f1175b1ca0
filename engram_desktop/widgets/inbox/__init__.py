"""The page of what waits for a decision."""
