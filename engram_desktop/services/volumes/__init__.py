"""Volumes (记忆册): what a chat remembers, made to be read by other chats."""
