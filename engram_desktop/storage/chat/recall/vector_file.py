"""A copy of a chat's vectors in a file, laid out as they are held in memory.

Reading 100,000 vectors row by row takes .3 s at the first question of every program; this file is
read in .05 s. It is derived data of one state of the database, named by `Stamp`; a file that is
torn, or of another state, model or program, is ignored.

Format: one line of JSON, then the arrays of `HeldVectors`, then a CRC of all of it.
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
_FORMAT = 1  # changes with the layout
_SUM_BYTES = 4  # of the CRC at the end
_SPARE = 8  # an eighth of the rows is free for vectors that are added


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


def write(folder: Path, model: str, stamp: Stamp, held: HeldVectors) -> None:
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
    for left in folder.glob(f"{NAME}.*.part"):  # of a killed process
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
    """Return the vectors of ``model`` and the state they belong to; None if there are none."""
    try:
        with (folder / NAME).open("rb", buffering=0) as file:
            return _read(file, model, with_numbers=with_numbers)
    except (OSError, ValueError, KeyError, TypeError):  # no file, or not one of `write`
        return None


def discard(folder: Path) -> None:
    """Delete the file, if it exists and can be deleted."""
    with contextlib.suppress(OSError):
        (folder / NAME).unlink(missing_ok=True)


def _read(file: FileIO, model: str, *, with_numbers: bool) -> tuple[Stamp, HeldVectors] | None:
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
