"""A SillyTavern folder, and memories other tools left."""
