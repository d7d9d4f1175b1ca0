"""How a question finds memories: words, days, cues, weights and ranking. Pure functions."""
