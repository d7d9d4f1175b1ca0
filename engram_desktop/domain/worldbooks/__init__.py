"""Worldbooks: entries, and which of them join a prompt and why."""
