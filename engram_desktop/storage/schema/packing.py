"""How a vector is stored: one byte for each number, and one factor.

A cosine is off by .0003 (standard deviation; at most .0013 in 1.2 million), while neighbours in
rank differ by .002; 100,000 messages take 194 MB instead of 549. Rows keep the length 1.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Bytes = NDArray[np.int8]

_FACTOR = 4  # bytes of the float before the numbers


def packed_floats(blob: bytes) -> bytes:
    """Return a vector stored as 32-bit floats in packed form, a quarter of its size."""
    return packed(np.frombuffer(blob, np.float32))


def packed(vector: Vector) -> bytes:
    """Return ``vector``, of length 1, in packed form, a quarter of its size."""
    largest = float(np.abs(vector).max(initial=0.0)) or 1.0
    numbers = np.rint(np.asarray(vector, np.float32) * (127 / largest)).astype(np.int8)
    length = float(np.linalg.norm(numbers.astype(np.float32))) or 1.0
    number_bytes: bytes = numbers.tobytes()
    return struct.pack("<f", 1 / length) + number_bytes


def split(blobs: Sequence[bytes]) -> tuple[Bytes, Vector]:
    """Return the numbers of packed vectors of one dimension, a row each, and their factors."""
    rows = np.frombuffer(b"".join(blobs), np.int8).reshape(len(blobs), -1)
    factors = np.ascontiguousarray(rows[:, :_FACTOR]).view("<f4")[:, 0]
    return rows[:, _FACTOR:], factors.astype(np.float32)


def unpacked(blob: bytes) -> Vector:
    """Return the vector of a packed one, as exactly as it is stored."""
    rows, factors = split([blob])
    vector: Vector = rows[0].astype(np.float32) * factors[0]
    return vector
