"""What a page is, and what it shows while it is empty."""
