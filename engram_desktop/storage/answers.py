"""Answers of queries over all items of a chat, kept until something changes.

Who may know what is asked several times for one prompt, and costs a pass over every item each time:
0.1 s at 100,000.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from engram_desktop.storage.database import Database

T = TypeVar("T")
_NOTHING = object()
_REVISION = "SELECT number, EXISTS (SELECT 1 FROM knowledge_due) FROM revision"
_KEPT = 24  # some three askers at a floor each; at 100,000 items an answer is up to 10 MB of ids


def revision(database: Database) -> int:
    """Return a number that grows with every change recall could notice."""
    ((number, _is_due),) = database.brief_rows(_REVISION)
    return int(number)


class Answers:
    """Keeps what was asked last of one chat. What it returns must not be changed.

    Safe from any thread.
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = threading.Lock()
        self._revision = -1
        self._kept: dict[Hashable, object] = {}

    def of(self, key: Hashable, ask: Callable[[], T], *, needs_knowledge: bool = True) -> T:
        """Return the answer kept under ``key``, else that of ``ask``.

        In a transaction nothing is kept: what it wrote may be taken back. Nor, where the answer
        ``needs_knowledge``, while it is not worked out yet who knows what.
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

    def kept(self, key: Hashable) -> object | None:
        """Return what `of` keeps under ``key`` and still holds; None where there is nothing."""
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
            self._kept[key] = self._kept.pop(key)  # asked last goes last
            return self._kept[key]
