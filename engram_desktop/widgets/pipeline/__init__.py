"""Dialogs before and after a model runs: plans, reviews, failures, usage."""
