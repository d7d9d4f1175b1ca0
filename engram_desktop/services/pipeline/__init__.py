"""The pipeline: summarise, consolidate, trim, look back, profiles, and when each is due."""
