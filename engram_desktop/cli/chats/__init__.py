"""Verbs for whole chats: taken in, summarised, written out, branched, deleted."""
