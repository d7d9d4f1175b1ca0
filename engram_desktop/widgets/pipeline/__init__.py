"""Dialogs before and after models work: plans, reviews, failures, usage."""
