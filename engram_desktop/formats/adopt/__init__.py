"""Memories other tools left behind: one pure module a tool. What is not readable is left out."""
