"""The state of a story: its tree, its history, and conditions on it."""
