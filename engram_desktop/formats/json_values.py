"""Read values in foreign JSON leniently, each as the type that is asked for.

Values that a database cannot hold are dropped: NaN, infinity, integers beyond 64 bits. For
documents that must be written back byte for byte see `json_text`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

_MAX_DIGITS = 18  # every integer with this many digits fits the 64 bits of SQLite


def read_value(text: str, at: int = 0) -> tuple[Any, int]:
    """Read the JSON value that begins at ``at``; returns it, and where it ends.

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
    """Return ``text`` without what UTF-8 cannot hold: no NUL; lone surrogates become U+FFFD."""
    if "\x00" in text:
        text = text.replace("\x00", "")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


# Values of foreign JSON, whose types are not trusted.


# Characters; longer ones in foreign metadata are not texts to show or remember.
MAX_TEXT = 20_000
MAX_ITEMS = 20_000  # of a list: bounds time and memory of a hostile file
MAX_DEPTH = 12  # of tables that are read as memories: bounds recursion


def text_of(value: object) -> str:
    """Return a text, trimmed and storable; empty for anything else."""
    return storable(value).strip()[:MAX_TEXT] if isinstance(value, str) else ""


def texts_of(value: object) -> tuple[str, ...]:
    """Return the texts of a list, or a single one."""
    values = value if isinstance(value, list) else [value]
    return tuple(text for text in map(text_of, values) if text)


def table_of(value: object) -> dict[str, Any]:
    """Return a table (JSON object); an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def rows_of(value: object) -> Iterator[dict[str, Any]]:
    """Yield the tables of a list, or of the values of a table."""
    values = list(value.values()) if isinstance(value, dict) else value
    for row in values[:MAX_ITEMS] if isinstance(values, list) else ():
        if isinstance(row, dict):
            yield row


def floor_of(value: object, default: int) -> int:
    """Return a floor: a whole number that is not negative; else ``default``."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return default


def floors_of(value: object) -> list[int]:
    """Return the floors in a list."""
    values = value if isinstance(value, list) else []
    return [floor for floor in (floor_of(v, -1) for v in values[:MAX_ITEMS]) if floor >= 0]


def plain_of(value: object) -> str:
    """Return a text, a number or a boolean as text; empty for anything else."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float() if math.isfinite(value):
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else str(value)
        case str():
            return " ".join(text_of(value).split())
    return ""


def parse_text(value: object) -> Any:
    """Parse a JSON text; other values are returned as they are. None if it is unreadable."""
    if not isinstance(value, str):
        return value
    try:
        return read_value(value.strip())[0]
    except (ValueError, RecursionError):
        return None


def row_of(raw: str) -> dict[str, Any]:
    """Read the JSON object of a stored message or header; empty for anything else."""
    try:
        return table_of(read_value(raw.lstrip("\ufeff \r\n\t"))[0])
    except (ValueError, RecursionError):  # made here, for a message without JSON
        return {}
