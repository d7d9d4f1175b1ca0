"""The characters world books were bound to, beside the one whose card brought a book."""

from __future__ import annotations

from collections.abc import Collection

from engram_desktop.storage.database import Database


class BookBindings:
    """A binding is said once; binding again changes nothing."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def bind(self, book_id: str, character_id: str) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO book_binding(book_id, character_id) VALUES (?, ?)",
                (book_id, character_id),
            )

    def has(self, book_id: str, character_id: str) -> bool:
        return book_id in self.of_characters([character_id])

    def of_characters(self, ids: Collection[str]) -> set[str]:
        """Return the ids of books bound to any of these characters."""
        marks = ",".join("?" * len(ids))
        rows = self._db.rows(
            f"SELECT DISTINCT book_id FROM book_binding WHERE character_id IN ({marks})",
            tuple(ids),
        )
        return {book_id for (book_id,) in rows}
