"""MemoryBooks: entries of a worldbook that say which messages they tell of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import floor_of, table_of, text_of, texts_of

TOOL = "MemoryBooks"
MARK = b"stmemorybooks"


def of_worldbook(worldbook: dict[str, Any], chats: Collection[str] = ()) -> Iterator[Adopted]:
    """Yield the memories of a worldbook; its other entries are none.

    ``chats`` leaves those out that say they are of another chat.
    """
    entries = worldbook.get("entries")
    rows = entries.values() if isinstance(entries, dict) else entries
    for entry in rows if isinstance(rows, Iterable) else ():
        row = table_of(entry)
        text = text_of(row.get("content"))
        whose = text_of(row.get("STMB_chatId"))
        is_ours = not chats or not whose or whose in chats
        if row.get("stmemorybooks") is True and text and is_ours:
            first = floor_of(row.get("STMB_start"), 0)
            last = max(first, floor_of(row.get("STMB_end"), first))
            yield Adopted(TOOL, text, first, last, keywords=texts_of(row.get("key", [])))
