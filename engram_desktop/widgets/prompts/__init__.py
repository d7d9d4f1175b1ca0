"""Prompts and scripts."""
