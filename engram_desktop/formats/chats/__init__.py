"""Chat files, of any year and however damaged."""
