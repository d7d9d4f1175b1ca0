"""Prompts and regex scripts."""
