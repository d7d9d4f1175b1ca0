"""Verbs that make memory of messages: summarise, consolidate, trim, review, reflect."""
