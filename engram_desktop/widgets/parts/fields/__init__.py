"""Fields that somebody types or chooses in, and what keeps their text."""
