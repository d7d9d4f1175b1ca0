"""Worldbooks, their entries, and what each does now."""
