"""The state of a story: its tree, how it came about, and conditions on it."""
