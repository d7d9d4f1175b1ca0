"""The overview of a chat."""
