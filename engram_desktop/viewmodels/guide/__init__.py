"""The first steps in the program."""
