"""The page of world books."""
