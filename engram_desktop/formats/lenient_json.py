"""Read JSON that other programs wrote, of which nothing may be too odd to be read or stored.

Values come out as a database can hold them or not at all: no NaN, no infinity, no integer beyond 64
bits. A document that must be written back byte for byte is `json_text`'s.
"""

from __future__ import annotations

import json
import math
from typing import Any

_MAX_DIGITS = 18  # every integer of so many digits fits the 64 bits of SQLite


def read_value(text: str, at: int = 0) -> tuple[Any, int]:
    """Read the JSON value that begins at ``at``; return it and where it ends.

    Raises ValueError or RecursionError. Control characters in strings are allowed; NaN, infinity
    and integers of more than 18 digits become None.
    """
    return _DECODER.raw_decode(text, at)


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MAX_DIGITS else None


def _float(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


_DECODER = json.JSONDecoder(
    strict=False, parse_int=_integer, parse_float=_float, parse_constant=lambda _: None
)


def storable(text: str) -> str:
    """Return ``text`` as UTF-8 can hold it: NUL is dropped, a lone surrogate becomes U+FFFD."""
    if "\x00" in text:
        text = text.replace("\x00", "")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
