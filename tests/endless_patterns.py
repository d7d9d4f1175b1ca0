"""Patterns that never end: each takes longer than the age of the world for thirty letters."""

ENDLESS = (r"/^(.+)+[§]$/", r"/^(?:.|.)*[§]$/", r"/^(\S+\s?)+[§]$/s", r"/(?:.*?,){14}[§]/s")
