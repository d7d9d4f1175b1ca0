"""Who asserts what in a story, and what follows from it: over, denied, contradicted, promised."""
