"""Verbs for whole chats: taken in, listed, written out, branched, deleted."""
