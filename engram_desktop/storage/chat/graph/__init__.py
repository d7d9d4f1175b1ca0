"""Entities, relations, evidence and suggestions, as a branch sees them."""
