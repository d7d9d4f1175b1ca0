"""The pipeline: summarise, consolidate, trim, look back, update profiles; and when each is due."""
