"""Volumes (记忆册): what a chat remembers, made into a layer that other chats read."""
