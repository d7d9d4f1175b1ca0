"""Answers of queries over all items of a chat, cached until something changes.

Which items an actor may know is asked several times for one prompt, and each answer reads every
item: 0.1 s at 100,000.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import NamedTuple, TypeVar, cast

from engram_desktop.storage.database import Database

T = TypeVar("T")
_NOTHING = object()
_REVISION = "SELECT number, EXISTS (SELECT 1 FROM knowledge_due) FROM revision"
_KEPT = 24  # about three askers at a floor each; at 100,000 items an answer is up to 10 MB of ids


def revision(database: Database) -> int:
    """Return a number that grows with every change that recall could notice."""
    ((number, _is_due),) = database.brief_rows(_REVISION)
    return int(number)


class Answers:
    """Caches the last answers about one chat. They must not be changed. Safe from any thread."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = threading.Lock()
        self._revision = -1
        self._kept: dict[Hashable, object] = {}

    def of(self, key: Hashable, ask: Callable[[], T], *, needs_knowledge: bool = True) -> T:
        """Return the answer cached under ``key``, else the result of ``ask``.

        Nothing is cached inside a transaction, whose writes may be rolled back; nor, with
        ``needs_knowledge``, while knowledge is not derived completely.
        """
        if self._db.in_transaction():
            return ask()
        ((number, is_due),) = self._db.brief_rows(_REVISION)
        if is_due and needs_knowledge:
            return ask()
        kept = self._kept_at(number, key)
        if kept is not _NOTHING:
            return cast("T", kept)
        answer = ask()
        with self._lock:
            if number == self._revision:
                self._kept[key] = answer
                while len(self._kept) > _KEPT:
                    self._kept.pop(next(iter(self._kept)))
        return answer

    def cached(self, key: Hashable) -> object | None:
        """Return the valid answer cached under ``key``; None if there is none."""
        if self._db.in_transaction():
            return None
        kept = self._kept_at(revision(self._db), key)
        return None if kept is _NOTHING else kept

    def _kept_at(self, revision: int, key: Hashable) -> object:
        with self._lock:
            if revision != self._revision:
                self._kept, self._revision = {}, revision
            if key not in self._kept:
                return _NOTHING
            self._kept[key] = self._kept.pop(key)  # moved to the end, as the one asked for last
            return self._kept[key]


class Stamp(NamedTuple):
    """A state of a database: its schema, its newest change, and that change's random mark.

    A database that has a change with this mark has every change before it. A database restored from
    a backup and changed since reuses the number of the change, but not the mark.
    """

    schema: int
    seq: int
    mark: int


class ItemChanges:
    """Reads the table `item_change`, which triggers fill when an item or its vector changes.

    Caches use it to update themselves by the changes. Changes by undo and redo are in it too.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def since(self, seen: int | None) -> tuple[int | None, list[int] | None]:
        """Return the number of the newest change, and the ids of items changed after ``seen``.

        The ids are None if too much changed, or too long ago, to be known. Inside a transaction
        both are None, since its changes may be rolled back and their numbers reused.
        """
        if self._db.in_transaction():
            return None, None
        newest = int(self._db.brief_rows("SELECT max(seq) FROM item_change")[0][0] or 0)
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

    def stamp(self, seq: int) -> Stamp | None:
        """Return the state after change ``seq``; None if that change is no longer stored."""
        rows = self._db.rows(
            "SELECT v.user_version, c.seq, c.mark FROM item_change c, pragma_user_version v"
            " WHERE c.seq = ?",
            (seq,),
        )
        return Stamp(*rows[0]) if rows else None
