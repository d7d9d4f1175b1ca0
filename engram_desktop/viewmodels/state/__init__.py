"""The state of a story."""
