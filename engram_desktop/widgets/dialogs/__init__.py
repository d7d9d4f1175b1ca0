"""Dialogs: each is freed when it closes."""
