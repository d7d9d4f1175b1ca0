"""A chat as a whole, from what its memory holds: no model is asked."""
