"""The characters of the library."""
