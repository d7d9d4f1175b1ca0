"""Summaries, reviews, looking back, and what all of it costs."""
