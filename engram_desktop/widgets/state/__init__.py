"""The page of the story's state."""
