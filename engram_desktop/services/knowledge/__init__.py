"""Who was there, who knows what since when, and the one rule of access."""
