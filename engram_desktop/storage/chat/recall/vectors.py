"""The vectors of a chat: which are missing, and searching them.

A vector is valid if its model is the active one and its content hash is the item's. The matrices in
memory are read once, from a file beside the database if that is up to date (`read_vectors`), and
then updated by changes. The Chroma index is a copy of these vectors; it is used for very large
chats only.

In memory a vector has one byte for each number. Above a few thousand vectors their signs alone (64
bytes a vector, compared by counting bits) select which are compared: of the 96 nearest, 1,024 rows
selected so hold 97.3 % at 10,000, of the 10 nearest 99.8 %, in a tenth of the time. 100,000 vectors
of 512 numbers are 51 MB and their signs 6. Of a very large chat only the signs are held, and the
numbers are read for each comparison.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import threading
import zlib
from collections.abc import Sequence
from io import FileIO
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.values import dataclass
from engram_desktop.storage.answers import ItemChanges, Stamp
from engram_desktop.storage.database import Database
from engram_desktop.storage.schema.packing import Bytes, Vector, packed, split, unpacked

Number = TypeVar("Number", bound=np.generic)
Ids = NDArray[np.int64]
Slots = NDArray[np.intp]
Signs = NDArray[np.uint64]

WHOLE = 4_096  # rows up to which all are compared exactly
_CANDIDATES = 1_024  # above that, rows compared exactly: at least this many,
_SHARE = 50  # and at least one in this many
# Vectors read from disk: those whose signs, summed with the question's numbers as weights, score
# highest. Of 61,277 sentences that keeps 98.2 % of the 96 nearest, where the signs alone keep 98.4,
# and all of the 10 nearest.
_READ_OF_LARGE = 512
_ROWS_AT_A_TIME = 256  # rows converted to floats at once, .5 MB: twice as fast as 1,024
_SPARE = 8  # an eighth more than needed, so that most additions copy nothing


class Matrix:
    """Vectors by item id. A slot is a row of the arrays; slots of removed items are reused.

    Without numbers, it can only select the vectors that are worth comparing.
    """

    def __init__(self, dim: int, *, holds_numbers: bool = True) -> None:
        self.dim = dim
        self.holds_numbers = holds_numbers
        self._used = 0
        self._rows: Bytes = np.empty((0, dim if holds_numbers else 0), np.int8)
        self._factors: Vector = np.empty(0, np.float32)
        self._signs: Signs = np.empty((-(-dim // 64), 0), np.uint64)
        self._slot_of: NDArray[np.int32] = np.full(1, -1, np.int32)
        self._free: list[int] = []

    @classmethod
    def of(cls, held: HeldVectors, *, holds_numbers: bool) -> Matrix:
        """Return a matrix that takes over these arrays."""
        matrix = cls(held.dim, holds_numbers=holds_numbers)
        matrix._used = held.ids.size
        matrix._factors, matrix._signs = held.factors, held.signs
        matrix._rows = held.rows if holds_numbers else np.empty((len(held.rows), 0), np.int8)
        slots = np.flatnonzero(held.ids >= 0)
        matrix._slot_of = np.full(int(held.ids.max(initial=0)) + 2, -1, np.int32)
        matrix._slot_of[held.ids[slots]] = slots
        matrix._free = np.flatnonzero(held.ids < 0).tolist()
        return matrix

    def held(self) -> HeldVectors:
        """Return the arrays, which must not be changed."""
        ids = np.full(self._used, -1, np.int32)
        known = np.flatnonzero(self._slot_of >= 0)
        ids[self._slot_of[known]] = known
        return HeldVectors(self.dim, ids, self._factors, self._signs, self._rows)

    def __len__(self) -> int:
        return self._used - len(self._free)

    def reserve(self, count: int) -> None:
        """Reserve room for ``count`` vectors."""
        self._grow(0, count)

    def put(self, ids: Sequence[int], blobs: Sequence[bytes]) -> None:
        """Store packed vectors of this dimension, replacing those of the same ids."""
        if not ids:
            return
        self._grow(max(ids), len(ids))
        rows, factors = split(blobs)
        slots = self._slot_of[np.array(ids)].astype(np.intp)
        new = np.flatnonzero(slots < 0)
        again = [self._free.pop() for _ in range(min(len(self._free), new.size))]
        fresh = new.size - len(again)
        slots[new] = [*again, *range(self._used, self._used + fresh)]
        self._used += fresh
        self._slot_of[np.array(ids)] = slots
        if self.holds_numbers:
            self._rows[slots], self._factors[slots] = rows, factors
        self._signs[:, slots] = _signs(rows).T

    def drop_numbers(self) -> None:
        """Drop the numbers and keep the signs."""
        self.holds_numbers = False
        self._rows = np.empty((len(self._rows), 0), np.int8)

    def remove(self, ids: Sequence[int]) -> None:
        for item_id in ids:
            if 0 <= item_id < self._slot_of.size and (slot := int(self._slot_of[item_id])) >= 0:
                self._slot_of[item_id] = -1
                self._free.append(slot)

    def slots(self, ids: Ids) -> Slots:
        """Return the slot of each id, -1 for an id without a vector."""
        return self._slot_of.take(ids, mode="clip").astype(np.intp)  # the last entry is -1

    def cosines(self, queries: Vector, slots: Slots) -> Vector:
        """Return cosines, one row for each of ``queries``."""
        cosines = np.empty((len(queries), slots.size), np.float32)
        floats = np.empty((min(slots.size, _ROWS_AT_A_TIME), self.dim), np.float32)
        for start in range(0, slots.size, _ROWS_AT_A_TIME):
            part = slots[start : start + _ROWS_AT_A_TIME]
            rows = floats[: part.size]
            rows[:] = self._rows.take(part, axis=0)
            cosines[:, start : start + _ROWS_AT_A_TIME] = queries @ rows.T
        cosines *= self._factors[slots]
        return cosines

    def worth_comparing(self, query: Vector, slots: Slots, limit: int) -> NDArray[np.intp]:
        """Return indices into ``slots`` that include the ``limit`` nearest; or all if few."""
        if slots.size <= WHOLE:
            return np.arange(slots.size)
        count = max(_CANDIDATES, slots.size // _SHARE, 8 * limit)
        chosen = self._candidates(query, slots, count)
        if self.holds_numbers:
            return chosen
        sums = np.empty(chosen.size, np.float32)
        for start in range(0, chosen.size, _CANDIDATES):
            part = slots[chosen[start : start + _CANDIDATES]]
            signs = np.ascontiguousarray(self._signs[:, part].T).view(np.uint8)
            sums[start : start + part.size] = np.unpackbits(signs, axis=1)[:, : self.dim] @ query
        fewer = min(chosen.size, max(_READ_OF_LARGE, 4 * limit))
        best: NDArray[np.intp] = chosen[np.argpartition(-sums, fewer - 1)[:fewer]]
        return best

    def _candidates(self, query: Vector, slots: Slots, count: int) -> NDArray[np.intp]:
        """Return the indices whose signs differ least from those of ``query``."""
        differ = np.zeros(self._used, np.uint16)
        for column, sign in zip(self._signs, _signs(query[np.newaxis, :])[0], strict=True):
            differ += np.bitwise_count(column[: self._used] ^ sign)
        differ = differ[slots]
        below = np.cumsum(np.bincount(differ, minlength=1))
        return np.flatnonzero(differ <= np.searchsorted(below, count))

    def _grow(self, highest: int, count: int) -> None:
        """Make room for ids up to ``highest`` and ``count`` more rows."""
        if highest + 1 >= self._slot_of.size:
            size = highest + 2 + highest // _SPARE
            self._slot_of = _longer(self._slot_of, size, -1)
        needed = self._used + count
        if needed > len(self._rows):
            size = needed + needed // _SPARE
            self._rows = _longer(self._rows, size, 0)
            self._factors = _longer(self._factors, size, 0)
            signs = np.zeros((len(self._signs), size), np.uint64)
            signs[:, : self._signs.shape[1]] = self._signs
            self._signs = signs


def _longer(array: NDArray[Number], size: int, fill: int) -> NDArray[Number]:
    shape = (size, *array.shape[1:])  # zeros take no time or memory until they are written
    longer = np.full(shape, fill, array.dtype) if fill else np.zeros(shape, array.dtype)
    longer[: len(array)] = array
    return longer


def _signs(rows: Bytes | Vector) -> Signs:
    bits = np.packbits(rows > 0, axis=1)
    if bits.shape[1] % 8:
        bits = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
    return bits.view(np.uint64)


# Highest item id up to which all numbers are in memory: 102 MB. Reading from disk costs 7 µs a row,
# so 10 ms for a question, which compares some 1,400.
_IN_MEMORY = 200_000
_MODELS_IN_MEMORY = 2  # two while one takes the place of another
_READ = 2_000  # two while one replaces the other
_LEAST_KEPT = 8_192  # vectors: reading fewer from the database takes 30 ms
_CHANGES_NOT_KEPT = 1_024  # of the 4,096 changes that are stored; applying this many takes 10 ms

_ITEM = "memory_item i INDEXED BY memory_item_what"
_ITS_VECTOR = (
    "SELECT 1 FROM memory_embedding m WHERE m.item_id = i.id AND m.model = ?1"
    " AND m.content_hash = i.content_hash"
)
_VALID = (
    "memory_item i JOIN memory_embedding m"
    " ON m.item_id = i.id AND m.model = ?1 AND m.content_hash = i.content_hash"
)


class VectorStore:
    """The vectors of one chat, with a copy in ``folder`` for the next program.

    ``in_memory`` is the highest item id up to which numbers are held, ``least_kept`` the number of
    vectors from which the copy is written.
    """

    def __init__(
        self,
        database: Database,
        changes: ItemChanges,
        folder: Path | None = None,
        *,
        in_memory: int = _IN_MEMORY,
        least_kept: int = _LEAST_KEPT,
    ) -> None:
        self._db = database
        self._in_memory = in_memory
        self._changes = changes
        self._folder = None if database.is_read_only else folder
        self._least_kept = least_kept
        self._lock = threading.Lock()
        self._matrices: dict[str, tuple[int | None, Matrix]] = {}  # by model, with its change
        self._kept: dict[str, int] = {}  # by model, the change the file is up to date with
        self._asked: tuple[NDArray[np.int64], Matrix, NDArray[np.int64], Slots] | None = None
        self._waiting: dict[str, tuple[int | None, set[int]]] = {}

    def count(self, model: str) -> int:
        return int(self._db.value(f"SELECT count(*) FROM {_VALID}", (model,)))

    def pending_count(self, model: str) -> int:
        """Return how many items have no valid vector."""
        total = int(self._db.value("SELECT count(*) FROM memory_item"))
        return total - self.count(model)

    def waiting(self, model: str) -> list[int]:
        """Return the ids of all items without a valid vector, in order.

        After the first call only changed items are tested.
        """
        seen, previous = self._waiting.get(model, (None, set()))
        newest, changed = self._changes.since(seen)
        if changed is None:
            rows = self._db.rows(
                f"SELECT i.id FROM {_ITEM} WHERE NOT EXISTS ({_ITS_VECTOR}) ORDER BY i.id", (model,)
            )
        else:
            rows = self._db.rows(
                f"SELECT i.id FROM {_ITEM} WHERE i.id IN (SELECT value FROM json_each(?2))"
                f" AND NOT EXISTS ({_ITS_VECTOR}) ORDER BY i.id",
                (model, json.dumps(sorted(previous.union(changed)))),
            )
        ids = [item_id for (item_id,) in rows]
        self._waiting[model] = (newest, set(ids))
        return ids

    def known(self, model: str, hashes: Sequence[str]) -> dict[str, Vector]:
        """Return stored vectors of contents with these hashes."""
        rows = self._db.rows(
            "SELECT content_hash, vector_blob FROM memory_embedding WHERE model = ? AND"
            " content_hash IN (SELECT value FROM json_each(?))",
            (model, json.dumps(list(hashes))),
        )
        return {key: unpacked(blob) for key, blob in rows}

    def put(self, model: str, rows: Sequence[tuple[int, str, Vector]]) -> None:
        """Store (item id, content hash, vector). The caller holds the transaction."""
        self._db.run_many(
            "INSERT OR REPLACE INTO memory_embedding(item_id, model, dim, content_hash,"
            " vector_blob) VALUES (?, ?, ?, ?, ?)",
            [(item_id, model, len(vector), key, packed(vector)) for item_id, key, vector in rows],
        )

    def forget_all(self) -> None:
        """Delete every vector. The caller holds the transaction."""
        self._db.run_many(
            "INSERT INTO outbox(item_id) SELECT DISTINCT item_id FROM memory_embedding", [()]
        )
        self._db.run_many("DELETE FROM memory_embedding", [()])

    def models(self) -> list[str]:
        """Return the models that have vectors; more than one while the model is being changed."""
        rows = (
            self._db.brief_rows(  # a jump from one to the next: reading all takes 20 ms at 100,000
                "WITH RECURSIVE m(x) AS (SELECT min(model) FROM memory_embedding UNION ALL"
                " SELECT (SELECT min(model) FROM memory_embedding WHERE model > x) FROM m"
                " WHERE x IS NOT NULL) SELECT x FROM m WHERE x IS NOT NULL"
            )
        )
        return [model for (model,) in rows]

    def retire_others(self, model: str) -> None:
        """Delete the vectors of every other model. The caller holds the transaction."""
        self._db.run_many("DELETE FROM memory_embedding WHERE model <> ?", [(model,)])
        self._db.run_many("UPDATE revision SET number = number + 1", [()])

    def fetch(self, model: str, ids: Sequence[int]) -> dict[int, Vector]:
        """Return the valid vectors of these items, read from disk."""
        rows = self._db.rows(
            f"SELECT i.id, m.vector_blob FROM {_VALID}"
            " WHERE i.id IN (SELECT value FROM json_each(?2))",
            (model, json.dumps(list(ids))),
        )
        return {item_id: unpacked(blob) for item_id, blob in rows}

    def all_ids(self, model: str) -> list[int]:
        return [i for (i,) in self._db.rows(f"SELECT i.id FROM {_VALID} ORDER BY i.id", (model,))]

    def search(
        self, model: str, query: Vector, ids: NDArray[np.int64], limit: int
    ) -> list[tuple[int, float]]:
        """Return the nearest of ``ids`` as (id, cosine), best first. Exact up to a few thousand."""
        with self._lock:
            matrix = self._matrix(model)
            if matrix is None or not ids.size or matrix.dim != query.size:
                return []
            if self._asked is None or self._asked[0] is not ids or self._asked[1] is not matrix:
                self._asked = (ids, matrix, *_placed(matrix, ids))
            _ids, _matrix, with_vector, slots = self._asked
            chosen = matrix.worth_comparing(query, slots, limit)
            item_ids = with_vector[chosen]
            if matrix.holds_numbers:
                cosines = matrix.cosines(query[np.newaxis, :], slots[chosen])[0]
            else:
                cosines = self._read_cosines(model, query[np.newaxis, :], item_ids)[0]
                item_ids, cosines = item_ids[~np.isnan(cosines)], cosines[~np.isnan(cosines)]
        if item_ids.size > limit:
            best = np.argpartition(-cosines, limit - 1)[:limit]
            item_ids, cosines = item_ids[best], cosines[best]
        order = np.argsort(-cosines, kind="stable")
        return list(zip(item_ids[order].tolist(), cosines[order].tolist(), strict=True))

    def similarities(self, model: str, queries: Vector, ids: NDArray[np.int64]) -> Vector:
        """Return cosines, one row for each of ``queries``; NaN without a vector."""
        if self._is_large():
            return self._read_cosines(model, queries, ids)
        cosines = np.full((len(queries), len(ids)), np.nan, np.float32)
        with self._lock:
            matrix = self._matrix(model)
            if matrix is not None and len(ids) and matrix.dim == queries.shape[1]:
                slots = matrix.slots(ids)
                has_vector = slots >= 0
                cosines[:, has_vector] = matrix.cosines(queries, slots[has_vector])
        return cosines

    def _is_large(self) -> bool:
        return int(self._db.value("SELECT max(id) FROM memory_item") or 0) > self._in_memory

    def _read_cosines(self, model: str, queries: Vector, ids: NDArray[np.int64]) -> Vector:
        """As `similarities`, from disk."""
        cosines = np.full((len(queries), ids.size), np.nan, np.float32)
        for start in range(0, ids.size, _READ):
            part = ids[start : start + _READ].tolist()
            blobs = self._blobs(model, queries.shape[1], part)
            if blobs:
                rows, factors = split(list(blobs.values()))
                places = {item_id: place for place, item_id in enumerate(part, start)}
                found = (queries @ rows.astype(np.float32).T) * factors
                cosines[:, [places[item_id] for item_id in blobs]] = found
        return cosines

    def _matrix(self, model: str) -> Matrix | None:
        """Return the present vectors of ``model``; the caller holds the lock."""
        seen, matrix = self._matrices.get(model, (None, None))
        if matrix is None:
            seen, matrix = self._from_file(model)
        newest, changed = self._changes.since(seen)
        if matrix is not None and changed:
            matrix = self._mended(model, matrix, changed)
        if matrix is None or changed is None:
            self._matrices.pop(model, None)  # never two at a time
            self._kept.pop(model, None)
            matrix = self._read_all(model)
        if matrix is not None:
            if matrix.holds_numbers and self._is_large():
                matrix.drop_numbers()
            self._matrices[model] = (newest, matrix)
            if len(self._matrices) > _MODELS_IN_MEMORY:
                self._matrices = {model: (newest, matrix)}
            self._keep(model, newest, matrix)
        return matrix

    def _mended(self, model: str, matrix: Matrix, changed: Sequence[int]) -> Matrix | None:
        """Apply changes to ``matrix`` and return it; None if vectors have more numbers now."""
        self._asked = None
        longer = self._db.value(
            "SELECT EXISTS (SELECT 1 FROM json_each(?2) j CROSS JOIN memory_embedding m"
            " ON m.item_id = j.value AND m.model = ?1 WHERE m.dim > ?3)",
            (model, json.dumps(list(changed)), matrix.dim),
        )
        if longer:
            return None
        blobs = self._blobs(model, matrix.dim, changed)
        matrix.remove([item_id for item_id in changed if item_id not in blobs])
        matrix.put(list(blobs), list(blobs.values()))
        return matrix

    def _from_file(self, model: str) -> tuple[int | None, Matrix | None]:
        """Return the vectors of the file, and the change they are up to date with."""
        if self._folder is None or self._db.in_transaction():
            return None, None
        with_numbers = not self._is_large()
        found = read_vectors(self._folder, model, with_numbers=with_numbers)
        if found is None or self._changes.stamp(found[0].seq) != found[0]:
            return None, None
        stamp, held = found
        self._kept[model] = stamp.seq
        return stamp.seq, Matrix.of(held, holds_numbers=with_numbers)

    def _keep(self, model: str, newest: int | None, matrix: Matrix) -> None:
        """Write the file if there is none, or if much has changed since.

        After an error it is tried again after the same number of changes.
        """
        if self._folder is None or newest is None or len(matrix) < self._least_kept:
            return
        kept = self._kept.get(model)
        if kept is not None and newest - kept <= _CHANGES_NOT_KEPT:
            return
        stamp = self._changes.stamp(newest)
        if stamp is None or self._changes.since(newest) != (newest, []):
            return  # what was read may be newer already
        self._kept = {model: newest}  # there is only one file
        with contextlib.suppress(OSError):  # no room, or not writable
            write_vectors(self._folder, model, stamp, matrix.held())

    def _blobs(self, model: str, dim: int, ids: Sequence[int]) -> dict[int, bytes]:
        return dict(
            self._db.rows(
                "SELECT m.item_id, m.vector_blob FROM json_each(?2) j"
                f" CROSS JOIN {_ITEM} ON i.id = j.value CROSS JOIN memory_embedding m"
                " ON m.item_id = i.id AND m.model = ?1 AND m.content_hash = i.content_hash"
                " WHERE m.dim = ?3",
                (model, json.dumps(list(ids)), dim),
            )
        )

    def _read_all(self, model: str) -> Matrix | None:
        """Read every valid vector; hashes come from an index, not from the wide rows of items."""
        count, dim = self._db.rows(
            "SELECT count(*), max(dim) FROM memory_embedding WHERE model = ?", (model,)
        )[0]
        if not count:
            return None
        matrix = Matrix(dim, holds_numbers=not self._is_large())
        matrix.reserve(count)
        after = 0
        while rows := self._db.rows(
            "SELECT m.pk, m.item_id, m.vector_blob FROM memory_embedding m NOT INDEXED"
            " CROSS JOIN memory_item i INDEXED BY memory_item_what"
            " ON i.id = m.item_id AND i.content_hash = m.content_hash"
            " WHERE m.pk > ?2 AND m.model = ?1 AND m.dim = ?3 ORDER BY m.pk LIMIT ?4",
            (model, after, dim, _READ),
        ):
            _keys, ids, blobs = zip(*rows, strict=True)
            matrix.put(ids, blobs)
            after = rows[-1][0]
        return matrix


def _placed(matrix: Matrix, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], Slots]:
    """Return those of ``ids`` that have a vector, and their slots."""
    slots = matrix.slots(ids)
    places = np.flatnonzero(slots >= 0)
    if places.size == ids.size:
        return ids, slots
    return ids[places], slots[places]


# A copy of a chat's vectors in a file, laid out as they are held in memory. Reading 100,000
# vectors row by row takes .3 s at the first question of every program; this file is read in .05
# s. It is derived data of one state of the database, named by `Stamp`; a file that is torn, or of
# another state, model or program, is ignored. Format: one line of JSON, then the arrays of
# `HeldVectors`, then a CRC of all of it.

FILE_NAME = "vectors"  # in the folder of a chat's index
_FORMAT = 1  # changes with the layout
_SUM_BYTES = 4  # of the CRC at the end


@dataclass(frozen=True, slots=True, eq=False)
class HeldVectors:
    """Vectors as they are held in memory; the other arrays may be longer than ``ids``.

    ``ids`` has the item of each row, or -1. ``signs`` has shape (words, rows): a bit for each
    number, 64 a word. ``rows`` has no columns if numbers are not held.
    """

    dim: int
    ids: NDArray[np.int32]
    factors: Vector
    signs: NDArray[np.uint64]
    rows: Bytes


def write_vectors(folder: Path, model: str, stamp: Stamp, held: HeldVectors) -> None:
    """Replace the file atomically, even while another process reads it. Raises OSError."""
    count = held.ids.size
    head = {
        "format": _FORMAT,
        "order": sys.byteorder,
        "model": model,
        "stamp": stamp,
        "dim": held.dim,
        "count": count,
        "columns": held.rows.shape[1],
    }
    arrays = [held.ids, held.factors[:count], *(word[:count] for word in held.signs)]
    arrays.append(held.rows[:count].reshape(-1))
    parts = [memoryview(json.dumps(head).encode() + b"\n")]
    parts += [np.ascontiguousarray(array).data.cast("B") for array in arrays if array.size]
    folder.mkdir(exist_ok=True)
    for left in folder.glob(f"{FILE_NAME}.*.part"):  # of a killed process
        with contextlib.suppress(OSError):
            left.unlink()
    number, name = tempfile.mkstemp(prefix=f"{FILE_NAME}.", suffix=".part", dir=folder)
    try:
        with os.fdopen(number, "wb") as file:
            total = 0
            for piece in parts:
                total = zlib.crc32(piece, total)
                file.write(piece)
            file.write(total.to_bytes(_SUM_BYTES, "little"))
        Path(name).replace(folder / FILE_NAME)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_vectors(
    folder: Path, model: str, *, with_numbers: bool
) -> tuple[Stamp, HeldVectors] | None:
    """Return the vectors of ``model`` and the state they belong to; None if there are none."""
    try:
        with (folder / FILE_NAME).open("rb", buffering=0) as file:
            return _read_open(file, model, with_numbers=with_numbers)
    except (OSError, ValueError, KeyError, TypeError):  # no file, or not one of `write_vectors`
        return None


def discard_vectors(folder: Path) -> None:
    """Delete the file, if it exists and can be deleted."""
    with contextlib.suppress(OSError):
        (folder / FILE_NAME).unlink(missing_ok=True)


def _read_open(file: FileIO, model: str, *, with_numbers: bool) -> tuple[Stamp, HeldVectors] | None:
    line = file.readline(1 << 12)  # the first line has some 200 bytes
    head: dict[str, Any] = json.loads(line)
    if (head["format"], head["order"], head["model"]) != (_FORMAT, sys.byteorder, model):
        return None
    count, dim, columns = head["count"], head["dim"], head["columns"]
    if with_numbers and columns != dim:
        return None
    words = -(-dim // 64)
    size = len(line) + count * (4 + 4 + 8 * words + columns) + _SUM_BYTES
    if os.fstat(file.fileno()).st_size != size:
        return None
    room = count + count // _SPARE
    held = HeldVectors(
        dim,
        np.empty(count, np.int32),
        np.zeros(room, np.float32),
        np.zeros((words, room), np.uint64),
        np.zeros((room, columns), np.int8),
    )
    parts = [held.ids, held.factors[:count], *(word[:count] for word in held.signs)]
    total = zlib.crc32(line)
    for part in (*parts, held.rows[:count]):
        piece = part.reshape(-1).data.cast("B")
        _fill(file, piece)
        total = zlib.crc32(piece, total)
    if file.read(_SUM_BYTES) != total.to_bytes(_SUM_BYTES, "little"):
        return None
    return Stamp(*head["stamp"]), held


def _fill(file: FileIO, piece: memoryview) -> None:
    """Fill ``piece`` from the file. Raises ValueError if the file ends before."""
    while piece:
        got = file.readinto(piece)
        if not got:
            raise ValueError(file.name)
        piece = piece[got:]
