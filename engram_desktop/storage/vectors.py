"""Vectors as float32 BLOBs: which are missing, and exact search over them.

A vector is valid while its model is the active one and its content hash is its item's. Exact
search is the truth the Chroma index is held against, and what answers for small chats.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.recall import ItemFilter, MemoryItem
from engram_desktop.storage.database import Database

Vector = NDArray[np.float32]

_VALID = (
    "memory_item i JOIN memory_embedding m"
    " ON m.item_id = i.id AND m.model = ?1 AND m.content_hash = i.content_hash"
)


@dataclass(slots=True)
class _Matrix:
    """Every valid vector of one model, with what filters need, row by row."""

    version: int
    ids: NDArray[np.int64]
    keys: NDArray[np.int64]
    rows: Vector
    kinds: NDArray[np.str_]
    branches: NDArray[np.str_]
    ends: NDArray[np.int64]


class VectorStore:
    """The vectors of one chat."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._matrices: dict[str, _Matrix] = {}
        self._lock = threading.Lock()

    def count(self, model: str) -> int:
        return int(self._db.value(f"SELECT count(*) FROM {_VALID}", (model,)))

    def pending_count(self, model: str) -> int:
        """How many items have no valid vector."""
        total = int(self._db.value("SELECT count(*) FROM memory_item"))
        return total - self.count(model)

    def pending(self, model: str, limit: int, after: int = 0) -> list[MemoryItem]:
        """Items without a valid vector, by id from ``after`` on."""
        rows = self._db.rows(
            "SELECT i.id, i.kind, i.ref, i.branch_id, i.content, i.start_index, i.end_index"
            " FROM memory_item i WHERE i.id > ?2 AND NOT EXISTS (SELECT 1 FROM memory_embedding m"
            " WHERE m.item_id = i.id AND m.model = ?1 AND m.content_hash = i.content_hash)"
            " ORDER BY i.id LIMIT ?3",
            (model, after, limit),
        )
        return [MemoryItem(*row) for row in rows]

    def known(self, model: str, hashes: Sequence[str]) -> dict[str, Vector]:
        """Vectors this chat already has for contents with these hashes."""
        rows = self._db.rows(
            "SELECT content_hash, vector_blob FROM memory_embedding WHERE model = ? AND"
            " content_hash IN (SELECT value FROM json_each(?))",
            (model, json.dumps(list(hashes))),
        )
        return {key: np.frombuffer(blob, np.float32) for key, blob in rows}

    def put(self, model: str, rows: Sequence[tuple[int, str, Vector]]) -> None:
        """Store (item id, content hash, vector). The caller holds the transaction."""
        self._db.run_many(
            "INSERT OR REPLACE INTO memory_embedding(item_id, model, dim, content_hash,"
            " vector_blob) VALUES (?, ?, ?, ?, ?)",
            [
                (item_id, model, len(vector), key, np.asarray(vector, np.float32).tobytes())
                for item_id, key, vector in rows
            ],
        )

    def forget_all(self) -> None:
        """Drop every vector. The caller holds the transaction."""
        self._db.run_many(
            "INSERT INTO outbox(item_id) SELECT DISTINCT item_id FROM memory_embedding", [()]
        )
        self._db.run_many("DELETE FROM memory_embedding", [()])

    def models(self) -> list[str]:
        """Models that any vector is of; more than one while a change is under way."""
        rows = self._db.rows(  # a jump from one to the next: reading all takes 20 ms at 100,000
            "WITH RECURSIVE m(x) AS (SELECT min(model) FROM memory_embedding UNION ALL"
            " SELECT (SELECT min(model) FROM memory_embedding WHERE model > x) FROM m"
            " WHERE x IS NOT NULL) SELECT x FROM m WHERE x IS NOT NULL"
        )
        return [model for (model,) in rows]

    def retire_others(self, model: str) -> None:
        """Drop the vectors of every other model. The caller holds the transaction."""
        self._db.run_many("DELETE FROM memory_embedding WHERE model <> ?", [(model,)])
        self._db.run_many("UPDATE revision SET number = number + 1", [()])

    def fetch(self, model: str, ids: Sequence[int]) -> dict[int, Vector]:
        """Valid vectors of these items, read from disk."""
        rows = self._db.rows(
            f"SELECT i.id, m.vector_blob FROM {_VALID}"
            " WHERE i.id IN (SELECT value FROM json_each(?2))",
            (model, json.dumps(list(ids))),
        )
        return {item_id: np.frombuffer(blob, np.float32) for item_id, blob in rows}

    def all_ids(self, model: str) -> list[int]:
        return [i for (i,) in self._db.rows(f"SELECT i.id FROM {_VALID} ORDER BY i.id", (model,))]

    def search(
        self, model: str, query: Vector, where: ItemFilter, limit: int, denied: frozenset[int]
    ) -> list[tuple[int, float]]:
        """Exact cosine search; ``denied`` are items the filter's actor may not know."""
        matrix = self._matrix(model)
        if not len(matrix.ids):
            return []
        scores = matrix.rows @ query
        mask = _mask(matrix, where)
        if denied:
            mask &= ~np.isin(matrix.ids, np.fromiter(denied, np.int64))
        found = np.flatnonzero(mask)
        if len(found) > limit:
            found = found[np.argpartition(-scores[found], limit - 1)[:limit]]
        order = found[np.lexsort((matrix.ids[found], -scores[found]))]
        return [(int(matrix.ids[n]), float(scores[n])) for n in order]

    def similarities(self, model: str, queries: Vector, ids: NDArray[np.int64]) -> Vector:
        """Exact cosines, one row for each of ``queries``, from memory; NaN without a vector."""
        matrix = self._matrix(model)
        found = np.full((len(queries), len(ids)), np.nan, np.float32)
        if not len(matrix.ids) or not len(ids):
            return found
        place = np.searchsorted(matrix.ids, ids).clip(max=len(matrix.ids) - 1)
        known = matrix.ids[place] == ids
        if known.all() and len(ids) == len(matrix.ids):
            found[:] = (queries @ matrix.rows.T)[:, place]
        else:
            found[:, known] = queries @ matrix.rows[place[known]].T
        return found

    def _matrix(self, model: str) -> _Matrix:
        with self._lock:
            version = int(self._db.value("SELECT number FROM revision"))
            held = self._matrices.get(model)
            if held is None or held.version != version:
                held = self._load(model, version, held)
                self._matrices[model] = held
                if len(self._matrices) > 2:  # those of a change that is over
                    self._matrices = {model: held}
            return held

    def _load(self, model: str, version: int, held: _Matrix | None) -> _Matrix:
        """Read the list of valid vectors; of the BLOBs only those not held yet."""
        listed = self._db.rows(
            f"SELECT i.id, m.pk, i.kind, i.branch_id, i.end_index, m.dim FROM {_VALID}"
            " ORDER BY i.id",
            (model,),
        )
        if not listed:
            empty = np.zeros(0, np.int64)
            texts = np.zeros(0, np.str_)
            return _Matrix(
                version,
                empty,
                empty,
                np.zeros((0, 1), np.float32),
                texts,
                texts,
                empty,
            )
        dim = listed[0][5]
        keys = np.array([row[1] for row in listed], np.int64)
        rows = np.empty((len(listed), dim), np.float32)
        missing = np.ones(len(listed), np.bool_)
        if held is not None and held.rows.shape[1] == dim and len(held.keys):
            order = np.argsort(held.keys)
            place = np.searchsorted(held.keys, keys, sorter=order).clip(max=len(order) - 1)
            same = held.keys[order[place]] == keys
            rows[same] = held.rows[order[place[same]]]
            missing = ~same
        self._read_blobs(keys, missing, rows)
        ids = np.array([row[0] for row in listed], np.int64)
        return _Matrix(
            version,
            ids,
            keys,
            rows,
            np.array([row[2] for row in listed]),
            np.array([row[3] for row in listed]),
            np.array([row[4] for row in listed], np.int64),
        )

    def _read_blobs(
        self, keys: NDArray[np.int64], missing: NDArray[np.bool_], rows: Vector
    ) -> None:
        wanted = np.flatnonzero(missing)
        row_of = {int(keys[n]): int(n) for n in wanted}
        for start in range(0, len(wanted), 4096):
            part = [int(keys[n]) for n in wanted[start : start + 4096]]
            for key, blob in self._db.rows(
                "SELECT pk, vector_blob FROM memory_embedding"
                " WHERE pk IN (SELECT value FROM json_each(?))",
                (json.dumps(part),),
            ):
                rows[row_of[key]] = np.frombuffer(blob, np.float32)


def _mask(matrix: _Matrix, where: ItemFilter) -> NDArray[np.bool_]:
    mask = np.isin(matrix.kinds, where.kinds)
    seen = np.zeros(len(mask), np.bool_)
    for branch_id, highest in where.branches:
        here = matrix.branches == branch_id
        seen |= here if highest is None else here & (matrix.ends <= highest)
    mask &= seen
    if len(where.branches) > 1:  # what a branch knows of an entity is an item of its own
        mask &= (matrix.kinds != "entity") | (matrix.branches == where.branches[0][0])
    if where.at is not None:
        mask &= matrix.ends <= where.at
    return mask
