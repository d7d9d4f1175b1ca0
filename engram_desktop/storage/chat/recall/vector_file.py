"""A copy of a chat's vectors beside its database, laid out as they are held in memory.

Reading 100,000 vectors row by row takes .3 s of the first question of every program; this file is
read in .05. It is derived: it belongs to one state of the database, which `Stamp` names, and one
that is torn, or of another state, model or program, is as good as none.

One line of JSON, then the arrays as `HeldVectors` has them, then a sum over all of it.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import zlib
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.values import dataclass
from engram_desktop.storage.answers import Stamp
from engram_desktop.storage.schema.packing import Bytes, Vector

NAME = "vectors"  # in the folder of a chat's index
_FORMAT = 1  # another number where the layout changes
_SUM_BYTES = 4  # of the CRC at the end
_SPARE = 8  # an eighth of the rows is kept free for vectors that are added


@dataclass(frozen=True, slots=True, eq=False)
class HeldVectors:
    """Vectors as they are held in memory; the arrays but ``ids`` may be longer than ``ids``.

    ``ids`` has for each row its item, or -1. ``signs`` are as many words a row as the numbers need,
    a word a line. ``rows`` has no columns where numbers are not held.
    """

    dim: int
    ids: NDArray[np.int32]
    factors: Vector
    signs: NDArray[np.uint64]
    rows: Bytes


def write(folder: Path, model: str, stamp: Stamp, held: HeldVectors) -> None:
    """Put the file in its place at once, whatever reads the one before it. Raises OSError."""
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
    for left in folder.glob(f"{NAME}.*.part"):  # of a killed writer; one that writes now gives up
        with contextlib.suppress(OSError):
            left.unlink()
    number, name = tempfile.mkstemp(prefix=f"{NAME}.", suffix=".part", dir=folder)
    try:
        with os.fdopen(number, "wb") as file:
            total = 0
            for piece in parts:
                total = zlib.crc32(piece, total)
                file.write(piece)
            file.write(total.to_bytes(_SUM_BYTES, "little"))
        Path(name).replace(folder / NAME)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read(folder: Path, model: str, *, with_numbers: bool) -> tuple[Stamp, HeldVectors] | None:
    """Return the vectors of ``model`` and the state they belong to; None where there are none."""
    try:
        with (folder / NAME).open("rb", buffering=0) as file:
            return _read(file, model, with_numbers=with_numbers)
    except (OSError, ValueError, KeyError, TypeError):  # none, or not what `write` wrote
        return None


def discard(folder: Path) -> None:
    """Delete the file, if there is one and it can be deleted."""
    with contextlib.suppress(OSError):
        (folder / NAME).unlink(missing_ok=True)


def _read(file: FileIO, model: str, *, with_numbers: bool) -> tuple[Stamp, HeldVectors] | None:
    line = file.readline(1 << 12)  # a head is some 200 bytes
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
    """Read as much as ``piece`` has room for. Raises ValueError where the file ends before."""
    while piece:
        got = file.readinto(piece)
        if not got:
            raise ValueError(file.name)
        piece = piece[got:]
