"""Chats: taken in, matched with the line they continue, followed, forked, rewritten."""
