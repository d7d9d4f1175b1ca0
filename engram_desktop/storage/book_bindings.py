"""Whom world books are for: characters and chats they were bound to, beside those of cards."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from engram_desktop.storage.database import Database

BoundTo = Literal["character", "chat"]


class BookBindings:
    """A binding is said once; binding again changes nothing."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def bind(self, book_id: str, kind: BoundTo, ref: str) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO book_binding(book_id, kind, ref) VALUES (?, ?, ?)",
                (book_id, kind, ref),
            )

    def has(self, book_id: str, kind: BoundTo, ref: str) -> bool:
        held = self._db.value(
            "SELECT count(*) FROM book_binding WHERE book_id = ? AND kind = ? AND ref = ?",
            (book_id, kind, ref),
        )
        return bool(held)

    def of_chat(self, chat_id: str, characters: Collection[str]) -> set[str]:
        """Return the ids of books bound to a chat, or to one of the characters in it."""
        marks = ",".join("?" * len(characters))
        rows = self._db.rows(
            "SELECT DISTINCT book_id FROM book_binding WHERE (kind = 'chat' AND ref = ?)"
            f" OR (kind = 'character' AND ref IN ({marks}))",
            (chat_id, *characters),
        )
        return {book_id for (book_id,) in rows}
