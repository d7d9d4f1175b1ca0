"""A character as its card tells it."""
