"""qvink's message memories: one short summary beside each message, in `extra.qvink_memory`."""

from __future__ import annotations

from typing import Any

from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import table_of, text_of

TOOL = "qvink"


def of_message(row: dict[str, Any], floor: int) -> Adopted | None:
    """Return the memory of a message, unless the user left it out there."""
    memory = table_of(table_of(row.get("extra")).get("qvink_memory"))
    text = text_of(memory.get("memory"))
    if not text or memory.get("exclude") is True:
        return None
    return Adopted(TOOL, text, floor, floor, is_note=True)
