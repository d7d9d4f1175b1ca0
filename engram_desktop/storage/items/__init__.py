"""What can be recalled: memory items, their words and vectors, and the Chroma side."""
