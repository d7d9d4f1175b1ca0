"""Two tellings of one chat compared: what moved, who was renamed, where floors went."""
