"""Which items hold a token: looked up once, kept between questions, mended by what changed.

Questions share their commonest words, and those are the dearest to look up: 5 ms for one that
every third of 100,000 messages holds.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.storage.chat.recall.item_changes import ItemChanges
from engram_desktop.storage.database import Database

Ids = NDArray[np.int64]
_KEPT = 1_000_000  # ids in memory: 8 MB
_TIDIED = 500  # pages written at a time: 50 ms


class Lexicon:
    """One chat's tokens. Safe from any thread."""

    def __init__(self, database: Database, changes: ItemChanges) -> None:
        self._db = database
        self._changes = changes
        self._lock = threading.Lock()
        self._seen: int | None = None
        self._highest = 0  # id: what is above it is new
        self._counts: dict[str, int] = {}
        self._held: dict[str, Ids] = {}
        self._size = 0

    def frequency(self, tokens: Sequence[str]) -> dict[str, int]:
        """How many items hold each token; tokens nobody holds are left out."""
        with self._lock:
            self._refresh()
            wanted = dict.fromkeys(tokens)
            unknown = [token for token in wanted if token not in self._counts]
            if unknown:
                found = dict(
                    self._db.rows(
                        "SELECT t.value, v.doc FROM json_each(?) t"
                        " CROSS JOIN memory_lexicon_term v ON v.term = t.value",
                        (json.dumps(unknown, ensure_ascii=False),),
                    )
                )
                self._counts |= {token: int(found.get(token, 0)) for token in unknown}
            return {token: self._counts[token] for token in wanted if self._counts[token]}

    def postings(self, tokens: Sequence[str]) -> list[Ids]:
        """Ids of the rows that hold each of ``tokens``, in order."""
        with self._lock:
            self._refresh()
            found = [self._kept(token) for token in tokens]
            while self._size > _KEPT and len(self._held) > 1:
                self._size -= self._held.pop(next(iter(self._held))).size
            return found

    def tidy(self, *, begins: bool) -> bool:
        """Bring together what many transactions wrote; returns whether more of it is left.

        A token is looked up in every part for itself: the 20 parts of a chat of 10,000 messages
        take four times as long as one. The caller holds the transaction.
        """
        before = int(self._db.value("SELECT total_changes()"))
        self._db.run_many(
            "INSERT INTO memory_lexicon(memory_lexicon, rank) VALUES ('merge', ?)",
            [(-_TIDIED if begins else _TIDIED,)],  # less than 0: all parts, whatever their size
        )
        return int(self._db.value("SELECT total_changes()")) - before > 1  # the command is one

    def _kept(self, token: str) -> Ids:
        """Its ids, which come as one text: a row each would cost three times as long."""
        held = self._held.pop(token, None)
        if held is None:
            listed = self._db.value(
                "SELECT group_concat(rowid) FROM memory_lexicon WHERE memory_lexicon MATCH ?",
                ('"' + token.replace('"', "") + '"',),
            )
            held = np.fromstring(listed or "", np.int64, sep=",")
            self._size += held.size
        self._held[token] = held  # the newest last
        return held

    def _refresh(self) -> None:
        newest, changed = self._changes.since(self._seen)
        if changed is None:
            self._counts, self._held, self._size = {}, {}, 0
            self._highest = int(self._db.value("SELECT max(id) FROM memory_item") or 0)
        elif changed:
            self._mend(sorted(changed))
        self._seen = newest

    def _mend(self, changed: list[int]) -> None:
        """Take what changed out of the lists it may be in, and put it where it belongs now."""
        rows = self._db.rows(
            "SELECT id, content FROM memory_item WHERE id IN (SELECT value FROM json_each(?))"
            " ORDER BY id",
            (json.dumps(changed),),
        )
        old = np.array([i for i in changed if i <= self._highest], np.int64)
        if old.size:  # what it held is not known any more
            for token, held in self._held.items():
                place = np.searchsorted(held, old).clip(max=max(0, held.size - 1))
                if held.size and (held[place] == old).any():
                    self._held[token] = np.setdiff1d(held, old, assume_unique=True)
            self._counts = {}
        for item_id, content in rows:
            for token in set(index_tokens(content)):
                if token in self._counts:
                    self._counts[token] += 1
                if token in self._held:
                    listed = self._held[token]
                    place = np.searchsorted(listed, item_id)
                    self._held[token] = np.insert(listed, place, item_id)
        self._size = sum(held.size for held in self._held.values())
        self._highest = max(self._highest, *changed)
