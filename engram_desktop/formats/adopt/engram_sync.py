"""The sync file of the Engram extension: `{entities, events, meta}` of one chat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engram_desktop.domain.adopted import Adopted
from engram_desktop.formats.adopt.values import floor_of, table_of, text_of, texts_of

TOOL = "Engram"


def is_sync(value: dict[str, Any]) -> bool:
    return isinstance(value.get("events"), list) and isinstance(value.get("meta"), dict)


def of_sync(value: dict[str, Any]) -> Iterator[Adopted]:
    """Yield its events; outlines keep their level."""
    for event in value.get("events") or ():
        row = table_of(event)
        data = table_of(row.get("raw_data"))
        text = text_of(row.get("summary")) or text_of(data.get("summary"))
        if not text:
            continue
        span, kv = table_of(row.get("source_range")), table_of(row.get("structured_kv"))
        first = floor_of(span.get("start_index"), 0)
        yield Adopted(
            TOOL,
            text,
            first,
            max(first, floor_of(span.get("end_index"), first)),
            level=min(9, floor_of(row.get("level"), 0)),
            keywords=texts_of(data.get("keywords", [])),
            when=text_of(kv.get("time_anchor")) or text_of(data.get("timestamp")),
            where=text_of(kv.get("location")) or text_of(data.get("location")),
            who=texts_of(kv.get("role", [])),
        )
