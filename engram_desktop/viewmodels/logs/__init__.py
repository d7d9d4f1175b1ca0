"""The private logs of a chat."""
