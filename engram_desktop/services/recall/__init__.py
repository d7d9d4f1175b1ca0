"""Recall: from a question to ranked memories, by legs that are fused into one score."""
