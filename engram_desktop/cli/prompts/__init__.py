"""Verbs for prompts and for regex scripts."""
