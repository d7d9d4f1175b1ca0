"""A chat as a whole, and the first start."""
