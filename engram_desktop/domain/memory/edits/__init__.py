"""Edits of many events at once, as values: what they share, what is replaced, what is alike."""
