"""A turn of play: what it is taken for, and what a reply says beside its text."""
