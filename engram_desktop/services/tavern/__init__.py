"""A SillyTavern folder: surveyed, taken in, followed."""
