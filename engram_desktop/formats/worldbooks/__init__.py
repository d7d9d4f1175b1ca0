"""Worldbook files: SillyTavern's and those of other programs."""
