"""The SillyTavern folder, and memories other tools left."""
