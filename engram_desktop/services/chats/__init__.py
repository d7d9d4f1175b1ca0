"""Chats: import, match with stored lines, follow files, fork, edit."""
