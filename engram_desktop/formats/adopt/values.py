"""Read values of foreign JSON without trusting their types."""

from __future__ import annotations

from typing import Any

from engram_desktop.formats.chat_row import storable

MAX_TEXT = 20_000


def text_of(value: object) -> str:
    """Return a text, trimmed and storable; empty for anything else."""
    return storable(value).strip()[:MAX_TEXT] if isinstance(value, str) else ""


def texts_of(value: object) -> tuple[str, ...]:
    """Return the texts of a list, or a single one."""
    values = value if isinstance(value, list) else [value]
    return tuple(text for text in map(text_of, values) if text)


def table_of(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def floor_of(value: object, default: int) -> int:
    """Return a floor: a whole number that is not negative."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return default
