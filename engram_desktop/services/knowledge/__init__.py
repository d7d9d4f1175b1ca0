"""Who was present, who knows which memory since when, and what messages claim."""
