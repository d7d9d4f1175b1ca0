"""Verbs that recall, inject and compare ways to recall."""
