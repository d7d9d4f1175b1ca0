"""Query to ranked memories: legs, fusion, packing."""
