"""The verb for the state of a story."""
