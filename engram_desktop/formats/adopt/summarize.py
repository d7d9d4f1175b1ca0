"""SillyTavern's own Summarize: one rolling text of all so far, in `extra.memory`."""

from __future__ import annotations

from typing import Any

from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import table_of, text_of

TOOL = "Summarize"


def of_message(row: dict[str, Any], floor: int) -> Adopted | None:
    """Return the summary that stands at a message; of a chat only the newest is true."""
    text = text_of(table_of(row.get("extra")).get("memory"))
    return Adopted(TOOL, text, 0, floor, level=1, is_rolling=True) if text else None
