"""The page of worldbooks."""
