"""The page of the graph and the panel of an entity."""
