"""What requests and prompts say, read from hostile JSON and from text with marks."""
