"""SillyTavern's macros: parsing and filling."""
