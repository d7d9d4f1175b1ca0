"""The page of an entity: its face, facts, values, promises and evidence, in parts."""
