"""What can be recalled: memory items, their words and vectors, the Chroma index, the lab."""
