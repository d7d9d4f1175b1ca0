"""Entries as a list shows them: sorted, and held against the budget."""
