"""A SillyTavern folder: survey it, import from it, follow its files."""
