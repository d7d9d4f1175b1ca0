"""The verbs of who knows what."""
