"""Words and sentences of a text, and the times it names."""
