"""Worldbooks: stored, held against a chat, and the worldbook made of a chat's memory."""
