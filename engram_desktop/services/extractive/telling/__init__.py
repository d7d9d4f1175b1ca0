"""What was said and done, told by a narrator, in Chinese and English."""
