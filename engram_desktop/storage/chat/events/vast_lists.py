"""Lists and counts of very many events, for which order and filter are read separately.

The filter has an index without order, and story order an index without the filter: sorting 100,000
events took SQLite 60 ms, reading and intersecting both takes 20. A column is read as one text,
since one row for each number takes three times as long.
"""

from __future__ import annotations

import json
import threading
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engram_desktop.storage.answers import ItemChanges
from engram_desktop.storage.database import Database

Keys = NDArray[np.int64]
_EVERY = (  # in the order of both indexes: a jump for each event took twice as long
    "SELECT group_concat(i.id), group_concat(e.pk) FROM memory_item i INDEXED BY memory_item_ref"
    " CROSS JOIN event e INDEXED BY event_place ON e.id = i.ref WHERE i.kind = 'event'"
)
_SOME = (
    "SELECT group_concat(i.id), group_concat(e.pk) FROM memory_item i"
    " JOIN event e ON e.id = i.ref WHERE i.kind = 'event'"
    " AND i.id IN (SELECT value FROM json_each(?))"
)


def column(database: Database, sql: str, values: Sequence[Any] = ()) -> Keys:
    """Return the numbers ``sql`` selects, in its order."""
    return _numbers(database.value(f"SELECT group_concat(n) FROM ({sql})", values))


def among(keys: Keys, wanted: Keys) -> Keys:
    """Return those of ``keys`` that are wanted, in their order."""
    return keys[np.isin(keys, wanted)]


def counted(texts: Sequence[str], wanted: Keys) -> list[int]:
    """Return, for each comma-separated text of keys, how many of them are wanted."""
    return [among(_numbers(text), wanted).size for text in texts]


def those_that_are(keys: Sequence[int], such: Sequence[tuple[Keys, bool]]) -> list[int]:
    """Return those of ``keys`` that are in each set with True, and in none with False."""
    found = np.array(keys, np.int64)
    for others, is_wanted in such:
        found = found[np.isin(found, others, invert=not is_wanted)]
    kept: list[int] = found.tolist()
    return kept


def keys_in(text: str) -> Keys:
    """Return the keys in a JSON list."""
    return _numbers(text[1:-1])


def listed(keys: Keys) -> array[int]:
    return array("q", keys.tobytes())


def _numbers(text: str | None) -> Keys:
    return np.fromstring(text or "", np.int64, sep=",")


class EventsOfWords:
    """Maps items of the lexical index to events: read once, then updated by changes.

    Looking up each id took 100 ms in a search that finds 100,000. Safe from any thread.
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self._changes = ItemChanges(database)
        self._lock = threading.Lock()
        self._seen: int | None = None
        self._last: tuple[object, Keys] = None, np.zeros(0, np.int64)
        self._keys = np.zeros(0, np.int64)  # by item number; 0 for other items

    def find(self, text: str, expression: str) -> Keys:
        """Return the keys of all events that match, of every branch, unordered.

        Without an ``expression`` of the index, those that hold ``text`` literally. The last result
        is cached until the next write, since it is listed and then counted.
        """
        asked = (text, self._db.mark())
        with self._lock:
            if self._last[0] == asked:
                return self._last[1]
        found = self._of_index(expression) if expression else self._written(text)
        if not self._db.in_transaction():
            with self._lock:
                self._last = asked, found
        return found

    def _written(self, text: str) -> Keys:
        sql = "SELECT pk AS n FROM event WHERE is_deleted = 0 AND instr(display_text, ?) > 0"
        return column(self._db, sql, (text,))

    def _of_index(self, expression: str) -> Keys:
        keys = self.read()
        sql = "SELECT rowid AS n FROM memory_lexicon WHERE memory_lexicon MATCH ?"
        items = column(self._db, sql, (expression,))
        found = keys[items[items < keys.size]]
        return found[found > 0]

    def of_items(self, items: Sequence[int]) -> list[int]:
        """Return the keys of the events of these items, unordered."""
        keys = self.read()
        numbers = np.array(items, np.int64)
        found = keys[numbers[numbers < keys.size]]
        of_events: list[int] = found[found > 0].tolist()
        return of_events

    def read(self) -> Keys:
        """Read what changed since the last call."""
        with self._lock:
            newest, changed = self._changes.since(self._seen)
            if changed is None:
                self._keys = _set(np.zeros(0, np.int64), *self._read(_EVERY))
            elif changed:
                kept = self._keys.copy()
                gone = np.array(changed, np.int64)
                kept[gone[gone < kept.size]] = 0
                self._keys = _set(kept, *self._read(_SOME, (json.dumps(changed),)))
            self._seen = newest
            return self._keys

    def _read(self, sql: str, values: Sequence[Any] = ()) -> list[Keys]:
        return [_numbers(text) for text in self._db.rows(sql, values)[0]]


def _set(keys: Keys, items: Keys, of_events: Keys) -> Keys:
    missing = int(items.max(initial=-1)) + 1 - keys.size
    if missing > 0:
        keys = np.concatenate([keys, np.zeros(missing, np.int64)])
    keys[items] = of_events
    return keys
