"""Drafts: what a model wrote that nobody has saved yet, and what bears it out."""
