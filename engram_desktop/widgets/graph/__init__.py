"""The page of the graph, the panel of an entity and the dialogs about entities."""
