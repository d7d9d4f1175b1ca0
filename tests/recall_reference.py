"""An index of one chat in memory: the reference that recall's tests and figures run against.

Real FTS5 in the layout that `services/recall/index.py` asks for, exact vectors, nothing cached
between versions. Storage's own index must answer the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import numpy as np

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.recall.lexemes import index_tokens, passage
from engram_desktop.domain.recall.query import (
    ITEM_KINDS,
    ItemFilter,
    ItemKind,
    Layout,
    MemoryItem,
    StoryLinks,
)
from engram_desktop.domain.recall.relative_time import story_days
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder

_SCHEMA = """
CREATE TABLE memory_item(
    id INTEGER PRIMARY KEY, kind TEXT, ref TEXT, branch_id TEXT, content TEXT, start_index INT,
    end_index INT, speaker TEXT, is_user INT, sent_at INT, owner TEXT, is_muted INT);
CREATE VIRTUAL TABLE memory_lexicon USING fts5(
    tokens, content='', contentless_delete=1, detail=none, tokenize='ascii');
CREATE VIRTUAL TABLE memory_lexicon_vocab USING fts5vocab(memory_lexicon, row);
"""


@dataclass(frozen=True)
class Line:
    """One item to put in. ``owner``: only this actor (and the curator) may see it."""

    content: str
    start: int
    kind: ItemKind = "turn"
    end: int | None = None
    branch: str = "main"
    speaker: str | None = None
    is_user: bool = False
    sent_at: int = 0
    owner: str | None = None
    ref: str = ""
    is_muted: bool = False


class ReferenceIndex:
    """Implements `ItemIndex`."""

    def __init__(self, lines: Sequence[Line], vectors: np.ndarray | None = None) -> None:
        self.db = apsw.Connection(":memory:")
        self.db.execute(_SCHEMA)
        self._version = 0
        self._vectors: dict[int, np.ndarray] = {}
        self._matrix: tuple[int, np.ndarray, np.ndarray] | None = None  # version, ids, rows
        self._aliases: dict[str, str] = {}
        self._links = StoryLinks()
        self.add(lines, vectors)

    def add(self, lines: Sequence[Line], vectors: np.ndarray | None = None) -> list[int]:
        first = 1 + (self._value("SELECT max(id) FROM memory_item") or 0)
        ids = list(range(first, first + len(lines)))
        with self.db:
            self.db.executemany(
                "INSERT INTO memory_item VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
                [
                    (
                        item_id,
                        line.kind,
                        line.ref or f"{line.kind}-{item_id}",
                        line.branch,
                        line.content,
                        line.start,
                        line.start if line.end is None else line.end,
                        line.speaker,
                        line.is_user,
                        line.sent_at,
                        line.owner,
                        line.is_muted,
                    )
                    for item_id, line in zip(ids, lines, strict=True)
                ],
            )
            self.db.executemany(
                "INSERT INTO memory_lexicon(rowid, tokens) VALUES(?,?)",
                [
                    (item_id, " ".join(index_tokens(line.content)))
                    for item_id, line in zip(ids, lines, strict=True)
                ],
            )
        if vectors is not None:
            self._vectors.update(zip(ids, vectors, strict=True))
        self._version += 1
        return ids

    def _value(self, sql: str) -> Any:
        row = self.db.execute(sql).fetchone()
        assert row is not None
        return row[0]

    def size(self) -> int:
        return int(self._value("SELECT count(*) FROM memory_item"))

    def remove(self, item_id: int) -> None:
        self.db.execute("DELETE FROM memory_item WHERE id=?", (item_id,))
        self.db.execute("DELETE FROM memory_lexicon WHERE rowid=?", (item_id,))
        self._vectors.pop(item_id, None)
        self._version += 1

    def link(self, names: dict[str, str], links: StoryLinks) -> None:
        """Set the aliases (as written) with their entities, and the graph."""
        self._aliases = {norm_name(alias): entity for alias, entity in names.items()}
        self._links = links
        self._version += 1

    def version(self) -> int:
        return self._version

    def layout(self, where: ItemFilter) -> Layout:
        branches = " OR ".join(
            "(branch_id=? AND (? IS NULL OR end_index<=?))" for _ in where.branches
        )
        sql = (
            "SELECT id, kind, start_index, end_index, speaker, is_user, sent_at, is_muted"
            " FROM memory_item"
            " WHERE kind IN (SELECT value FROM json_each(?))"
            " AND (? IS NULL OR end_index<=?) AND (? IS NULL OR owner IS NULL OR owner=?)"
            f" AND ({branches or 0}) ORDER BY start_index, id"
        )
        limits = [value for branch, last in where.branches for value in (branch, last, last)]
        when = [where.at, where.at, where.actor, where.actor]
        bindings = [json.dumps(where.kinds), *when, *limits]
        rows: list[Any] = self.db.execute(sql, bindings).fetchall()
        names = tuple(sorted({row[4] for row in rows if row[4] is not None}))
        code = {name: n for n, name in enumerate(names)} | {None: -1}
        return Layout(
            ids=np.array([row[0] for row in rows], dtype=np.int64),
            kinds=np.array([ITEM_KINDS.index(row[1]) for row in rows], dtype=np.int8),
            starts=np.array([row[2] for row in rows], dtype=np.int64),
            ends=np.array([row[3] for row in rows], dtype=np.int64),
            speakers=np.array([code[row[4]] for row in rows], dtype=np.int32),
            is_user=np.array([row[5] for row in rows], dtype=np.bool_),
            sent_at=np.array([row[6] for row in rows], dtype=np.int64),
            is_muted=np.array([row[7] for row in rows], dtype=np.bool_),
            names=names,
        )

    def links(self, where: ItemFilter | None = None) -> StoryLinks:
        return self._links

    def document_frequency(self, tokens: Sequence[str]) -> dict[str, int]:
        sql = "SELECT doc FROM memory_lexicon_vocab WHERE term=?"
        found = {token: self.db.execute(sql, (token,)).fetchone() for token in tokens}
        return {token: row[0] for token, row in found.items() if row}

    def postings(self, tokens: Sequence[str]) -> list[np.ndarray]:
        sql = "SELECT rowid FROM memory_lexicon WHERE memory_lexicon MATCH ?"
        found = [self.db.execute(sql, (f'"{token}"',)).fetchall() for token in tokens]
        return [np.array([row[0] for row in rows], dtype=np.int64) for rows in found]

    def vector(self, query: np.ndarray, where: ItemFilter, limit: int) -> list[tuple[int, float]]:
        ids = self.layout(where).ids
        cosines = self.similarities(query[None, :], ids)[0]
        near = np.flatnonzero(~np.isnan(cosines))
        if len(near) > limit:
            near = near[np.argpartition(-cosines[near], limit - 1)[:limit]]
        order = near[np.lexsort((ids[near], -cosines[near]))]
        return [(int(ids[n]), float(cosines[n])) for n in order]

    def similarities(self, queries: np.ndarray, ids: np.ndarray) -> np.ndarray:
        found = np.full((len(queries), len(ids)), np.nan, dtype=np.float32)
        if not self._vectors or not len(ids):
            return found
        if self._matrix is None or self._matrix[0] != self._version:
            held = sorted(self._vectors)
            rows = np.stack([self._vectors[item_id] for item_id in held])
            self._matrix = (self._version, np.array(held), rows)
        _, known, rows = self._matrix
        place = np.minimum(np.searchsorted(known, ids), len(known) - 1)
        is_known = known[place] == ids
        if len(ids) == len(known):
            found[:, is_known] = (queries @ rows.T)[:, place[is_known]]
        else:
            found[:, is_known] = queries @ rows[place[is_known]].T
        return found

    def items(self, ids: Sequence[int]) -> dict[int, MemoryItem]:
        sql = (
            "SELECT id, kind, ref, branch_id, content, start_index, end_index FROM memory_item"
            " WHERE id IN (SELECT value FROM json_each(?))"
        )
        return {row[0]: MemoryItem(*row) for row in self.db.execute(sql, (json.dumps(list(ids)),))}

    def named_days(self) -> list[tuple[int, int]]:
        rows: Iterable[Any] = self.db.execute("SELECT id, kind, content FROM memory_item")
        named = [(i, story_days(text[:80] if kind == "turn" else text)) for i, kind, text in rows]
        return [(i, days[0]) for i, days in named if days]

    def aliases(self) -> dict[str, str]:
        return self._aliases

    def known_aliases(self, where: ItemFilter) -> dict[str, str]:
        return self._aliases


def index_of(lines: Sequence[Line]) -> ReferenceIndex:
    """Return an index of lines, with vectors of a hashing embedder."""
    names = {line.speaker for line in lines if line.speaker}
    passages = [passage(line.content, names) for line in lines]
    return ReferenceIndex(lines, HashEmbedder().embed_passages(passages, NullContext()))
