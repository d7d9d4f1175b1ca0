"""The graph of a story: its entities, their names and profiles, and their relations."""
