"""Files of any kind, taken in: which kind each is, and who knows what to do with it."""
