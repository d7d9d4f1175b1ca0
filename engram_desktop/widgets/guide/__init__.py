"""The first steps in the program, and what an empty library shows."""
