"""The page of a chat as a whole."""
