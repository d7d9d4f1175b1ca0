"""Verbs that put memory in the loop: the server, the SillyTavern companion, MCP."""
