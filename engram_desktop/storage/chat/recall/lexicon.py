"""Which items hold a token: looked up once, kept between questions, updated by what changed.

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
_IDS_IN_MEMORY = 3_000_000  # 24 MB: the commonest words of 100,000 messages
_PAGES_MERGED = 500  # at a time: 50 ms


class Lexicon:
    """One chat's tokens. Safe from any thread."""

    def __init__(self, database: Database, changes: ItemChanges) -> None:
        self._db = database
        self._changes = changes
        self._lock = threading.Lock()
        self._seen: int | None = None
        self._highest = 0  # id: what is above it is new
        self._counts: dict[str, int] = {}
        self._postings: dict[str, Ids] = {}
        self._size = 0

    def frequency(self, tokens: Sequence[str]) -> dict[str, int]:
        """How many items hold each token; tokens nobody holds are left out."""
        with self._lock:
            self._refresh()
            asked = dict.fromkeys(tokens)
            unknown = [token for token in asked if token not in self._counts]
            if unknown:
                counts = dict(
                    self._db.rows(
                        "SELECT t.value, v.doc FROM json_each(?) t"
                        " CROSS JOIN memory_lexicon_term v ON v.term = t.value",
                        (json.dumps(unknown, ensure_ascii=False),),
                    )
                )
                self._counts |= {token: int(counts.get(token, 0)) for token in unknown}
            return {token: self._counts[token] for token in asked if self._counts[token]}

    def postings(self, tokens: Sequence[str]) -> list[Ids]:
        """Ids of the rows that hold each of ``tokens``, in order."""
        with self._lock:
            self._refresh()
            postings = [self._postings_of(token) for token in tokens]
            while self._size > _IDS_IN_MEMORY and len(self._postings) > 1:
                self._size -= self._postings.pop(next(iter(self._postings))).size
            return postings

    def tidy(self, *, begins: bool) -> bool:
        """Bring together what many transactions wrote; returns whether more of it is left.

        A token is looked up in every part for itself: the 20 parts of a chat of 10,000 messages
        take four times as long as one. The caller holds the transaction.
        """
        before = int(self._db.value("SELECT total_changes()"))
        self._db.run_many(
            "INSERT INTO memory_lexicon(memory_lexicon, rank) VALUES ('merge', ?)",
            # less than 0: all parts, whatever their size
            [(-_PAGES_MERGED if begins else _PAGES_MERGED,)],
        )
        return int(self._db.value("SELECT total_changes()")) - before > 1  # the command is one

    def _postings_of(self, token: str) -> Ids:
        """Its ids, which come as one text: a row each would cost three times as long."""
        ids = self._postings.pop(token, None)
        if ids is None:
            text = self._db.value(
                "SELECT group_concat(rowid) FROM memory_lexicon WHERE memory_lexicon MATCH ?",
                ('"' + token.replace('"', "") + '"',),
            )
            ids = np.fromstring(text or "", np.int64, sep=",")
            self._size += ids.size
        self._postings[token] = ids  # the newest last
        return ids

    def _refresh(self) -> None:
        newest, changed = self._changes.since(self._seen)
        if changed is None:
            self._counts, self._postings, self._size = {}, {}, 0
            self._highest = int(self._db.value("SELECT max(id) FROM memory_item") or 0)
        elif changed:
            self._update(sorted(changed))
        self._seen = newest

    def _update(self, changed: list[int]) -> None:
        """Take what changed out of the lists it may be in, and put it where it belongs now."""
        rows = self._db.rows(
            "SELECT id, content FROM memory_item WHERE id IN (SELECT value FROM json_each(?))"
            " ORDER BY id",
            (json.dumps(changed),),
        )
        old = np.array([i for i in changed if i <= self._highest], np.int64)
        if old.size:  # what it held is not known any more
            for token, ids in self._postings.items():
                place = np.searchsorted(ids, old).clip(max=max(0, ids.size - 1))
                if ids.size and (ids[place] == old).any():
                    self._postings[token] = np.setdiff1d(ids, old, assume_unique=True)
            self._counts = {}
        for item_id, content in rows:
            for token in set(index_tokens(content)):
                if token in self._counts:
                    self._counts[token] += 1
                if token in self._postings:
                    ids = self._postings[token]
                    place = np.searchsorted(ids, item_id)
                    self._postings[token] = np.insert(ids, place, item_id)
        self._size = sum(ids.size for ids in self._postings.values())
        self._highest = max(self._highest, *changed)
