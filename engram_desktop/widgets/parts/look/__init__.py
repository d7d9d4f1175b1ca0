"""How everything looks, and what holds for every widget at once."""
