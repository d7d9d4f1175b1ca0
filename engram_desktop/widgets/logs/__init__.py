"""The page of private logs."""
