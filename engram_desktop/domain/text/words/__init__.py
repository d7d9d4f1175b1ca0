"""Where words stand in a text, and which of them came or went."""
