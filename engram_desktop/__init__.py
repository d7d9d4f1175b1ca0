"""Engram Desktop: long-term memory for role-play chats. See resources/docs/architecture.md."""

__version__ = "0.1.0"

from engram_desktop.late import install

install()
