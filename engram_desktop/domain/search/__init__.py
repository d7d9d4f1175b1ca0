"""What is typed into the search over the whole library, and where its words stand in a text."""
