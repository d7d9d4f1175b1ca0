"""Which characters and chats worldbooks are bound to, beside the character of their card."""

from __future__ import annotations

from collections.abc import Collection

from engram_desktop.storage.database import Database


class WorldbookBindings:
    """The tables `book_binding` and `chat_book`; binding twice is the same as once."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def bind(self, worldbook_id: str, character_id: str) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO book_binding(book_id, character_id) VALUES (?, ?)",
                (worldbook_id, character_id),
            )

    def has(self, worldbook_id: str, character_id: str) -> bool:
        return worldbook_id in self.of_characters([character_id])

    def of_characters(self, ids: Collection[str]) -> set[str]:
        """Return the ids of worldbooks bound to any of these characters."""
        marks = ",".join("?" * len(ids))
        rows = self._db.rows(
            f"SELECT DISTINCT book_id FROM book_binding WHERE character_id IN ({marks})",
            tuple(ids),
        )
        return {worldbook_id for (worldbook_id,) in rows}

    def set_in_chat(self, worldbook_id: str, chat_id: str, *, is_on: bool) -> None:
        """Put a worldbook on in a chat, or take that back."""
        with self._db.writing() as connection:
            connection.execute(
                "DELETE FROM chat_book WHERE book_id = ? AND chat_id = ?", (worldbook_id, chat_id)
            )
            if is_on:
                connection.execute(
                    "INSERT INTO chat_book(book_id, chat_id) VALUES (?, ?)", (worldbook_id, chat_id)
                )

    def in_chat(self, chat_id: str) -> set[str]:
        """Return the ids of worldbooks the user put on in a chat."""
        rows = self._db.rows("SELECT book_id FROM chat_book WHERE chat_id = ?", (chat_id,))
        return {worldbook_id for (worldbook_id,) in rows}
