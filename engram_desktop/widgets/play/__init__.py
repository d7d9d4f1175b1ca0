"""The play page and its view of a chat."""
