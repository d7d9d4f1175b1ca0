"""SillyTavern's macros: read, and filled."""
