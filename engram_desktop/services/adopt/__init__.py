"""Memories other tools left: found, shown, taken over."""
