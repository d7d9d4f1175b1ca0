"""The state of a story: worked out from its messages, and the conditions on it."""
