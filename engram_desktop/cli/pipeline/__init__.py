"""Verbs for drafts, reflection and triage."""
