"""Worldbooks: store them, scan a chat with them, and write a chat's memory as one."""
