"""Viewmodels of the pipeline: summarise, consolidate, automation, review, and model usage."""
