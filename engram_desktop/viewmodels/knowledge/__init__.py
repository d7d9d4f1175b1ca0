"""What a page asks about who knows what."""
