"""Verbs for entities and relations."""
