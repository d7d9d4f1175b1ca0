"""Chats, their branches and messages, and what an import would do."""
