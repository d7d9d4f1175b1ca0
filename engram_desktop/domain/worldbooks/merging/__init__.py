"""A book that stands in two places: what it was when both agreed, and bringing them together."""
