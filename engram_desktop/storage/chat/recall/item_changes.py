"""Which items changed since when, so that caches are updated by the changes, not read anew."""

from __future__ import annotations

from engram_desktop.storage.database import Database


class ItemChanges:
    """Reads the table `item_change`, which triggers write whenever an item or its vector changes.

    Undo and redo change items too, and their changes are in it.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def since(self, seen: int | None) -> tuple[int | None, list[int] | None]:
        """Return the newest entry, and the ids of what changed after entry ``seen``.

        None instead of ids where so much changed since, or so long ago, that it is not known. In a
        transaction nothing is known: what it wrote may be taken back, and its numbers given again.
        """
        if self._db.in_transaction():
            return None, None
        newest = int(self._db.value("SELECT max(seq) FROM item_change") or 0)
        if seen is None or newest < seen:
            return newest, None
        if newest == seen:
            return newest, []
        oldest = int(self._db.value("SELECT min(seq) FROM item_change") or 0)
        if oldest > seen + 1:
            return newest, None
        rows = self._db.rows(
            "SELECT DISTINCT item_id FROM item_change WHERE seq > ? AND seq <= ?", (seen, newest)
        )
        return newest, [item_id for (item_id,) in rows]
