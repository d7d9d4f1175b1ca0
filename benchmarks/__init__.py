"""What is run by hand and is no test: figures, mutants, a real SillyTavern (contributing.md)."""
