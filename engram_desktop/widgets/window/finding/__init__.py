"""What is gone to by typing: the panel and its finders, every command, every key."""
