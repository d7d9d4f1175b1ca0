"""Character cards: taken in with all that comes with them, looked at, written out."""
