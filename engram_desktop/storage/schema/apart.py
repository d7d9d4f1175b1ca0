"""Pairs of events that the user keeps apart: version 10 of memory.db."""

CHAT_V10 = """
-- By id, the smaller first: what tells something alike and was looked at, and is not the same.
CREATE TABLE event_apart(
  pk INTEGER PRIMARY KEY, one TEXT NOT NULL, other TEXT NOT NULL, UNIQUE (one, other));
"""
