"""One model's vectors in memory, a byte for each number: compared exactly, or narrowed down first.

Beyond a few thousand the signs alone (64 bytes a vector, compared by counting bits) say which are
worth comparing: of the 96 nearest, 1,024 rows chosen so hold 97.3 % at 10,000, of the 10 nearest
99.8 %, at a tenth of the time. 100,000 vectors of 512 numbers are 51 MB and their signs 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engram_desktop.storage.schema.packing import Bytes, Vector, split

Number = TypeVar("Number", bound=np.generic)
Ids = NDArray[np.int64]
Slots = NDArray[np.intp]
Signs = NDArray[np.uint64]

WHOLE = 4_096  # rows up to which all are compared exactly
_CANDIDATES = 1_024  # beyond that, rows compared exactly: at least so many,
_SHARE = 50  # and at least one in so many
_ROWS_AT_A_TIME = 256  # rows that are floats at one time, .5 MB: twice as quick as 1,024
_SPARE = 8  # an eighth more than is needed, so that most additions copy nothing


class Matrix:
    """Vectors by item id. A slot is a row of the arrays; those of removed items are used again."""

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self._used = 0
        self._rows: Bytes = np.empty((0, dim), np.int8)
        self._factors: Vector = np.empty(0, np.float32)
        self._signs: Signs = np.empty((-(-dim // 64), 0), np.uint64)
        self._slot_of: NDArray[np.int32] = np.full(1, -1, np.int32)
        self._free: list[int] = []

    def __len__(self) -> int:
        return self._used - len(self._free)

    def reserve(self, count: int) -> None:
        """Make room for ``count`` vectors at once."""
        self._grow(0, count)

    def put(self, ids: Sequence[int], blobs: Sequence[bytes]) -> None:
        """Take in packed vectors of this dimension, in place of those of the same ids."""
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
        self._rows[slots], self._factors[slots] = rows, factors
        self._signs[:, slots] = _signs(rows).T

    def remove(self, ids: Sequence[int]) -> None:
        for item_id in ids:
            if 0 <= item_id < self._slot_of.size and (slot := int(self._slot_of[item_id])) >= 0:
                self._slot_of[item_id] = -1
                self._free.append(slot)

    def slots(self, ids: Ids) -> Slots:
        """Return the slot of each id, -1 where it has no vector."""
        return self._slot_of.take(ids, mode="clip").astype(np.intp)  # the last is nobody's

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

    def nearest(self, query: Vector, slots: Slots, limit: int) -> tuple[NDArray[np.intp], Vector]:
        """Return places in ``slots`` and their cosines, at most ``limit``, the nearest first."""
        chosen: NDArray[np.intp] = np.arange(slots.size)
        if slots.size > WHOLE:
            chosen = self._candidates(
                query, slots, max(_CANDIDATES, slots.size // _SHARE, 8 * limit)
            )
        cosines = self.cosines(query[np.newaxis, :], slots[chosen])[0]
        if chosen.size > limit:
            best = np.argpartition(-cosines, limit - 1)[:limit]
            chosen, cosines = chosen[best], cosines[best]
        order = np.argsort(-cosines, kind="stable")
        return chosen[order], cosines[order]

    def _candidates(self, query: Vector, slots: Slots, count: int) -> NDArray[np.intp]:
        """Return the places whose signs differ least from those of ``query``."""
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
    longer = np.full((size, *array.shape[1:]), fill, array.dtype)
    longer[: len(array)] = array
    return longer


def _signs(rows: Bytes | Vector) -> Signs:
    bits = np.packbits(rows > 0, axis=1)
    if bits.shape[1] % 8:
        bits = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
    return bits.view(np.uint64)
