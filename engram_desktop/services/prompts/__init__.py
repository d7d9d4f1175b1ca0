"""Prompts and what goes into them: templates, macros, regex scripts, cleaning of messages."""
