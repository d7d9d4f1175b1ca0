"""Audiences of messages and memories."""
