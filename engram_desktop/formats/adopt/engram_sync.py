"""The sync file of the Engram extension: `{entities, events, meta}` of one chat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engram_desktop.domain.graph.entity import entity_type
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    PlotExtraction,
    parse_extraction,
)
from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import floor_of, rows_of, table_of, text_of, texts_of

TOOL = "Engram"


def is_sync(value: dict[str, Any]) -> bool:
    """Whether a document is such a sync file."""
    return isinstance(value.get("events"), list) and isinstance(value.get("meta"), dict)


def of_sync(value: dict[str, Any]) -> Iterator[Adopted]:
    """Yield its events, of which outlines keep their level, and what it says of entities."""
    last = 0
    for row in rows_of(value.get("events")):
        data = table_of(row.get("raw_data"))
        text = text_of(row.get("summary")) or text_of(data.get("summary"))
        if not text:
            continue
        span, kv = table_of(row.get("source_range")), table_of(row.get("structured_kv"))
        extraction = _extraction_of(data, text)
        first = floor_of(span.get("start_index"), 0)
        last = max(last, first, floor_of(span.get("end_index"), first))
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
            kind="fact" if data.get("kind") == "fact" else "event",
            weight=extraction.significance_score,
            ref=text_of(row.get("id")),
            entities=extraction.entities,
            relations=extraction.relations,
        )
    for row in rows_of(value.get("entities")):
        name, description = text_of(row.get("name")), text_of(row.get("description"))
        if name and description:
            yield Adopted(
                TOOL,
                f"{name}: {description}",
                last,
                last,
                place=name,
                kind="fact",
                is_rolling=True,
                entities=(ExtractedEntity(name, entity_type(text_of(row.get("type")))),),
            )


def _extraction_of(data: dict[str, Any], text: str) -> PlotExtraction:
    """Read entities and relations as tolerantly as a model's answer."""
    events = parse_extraction(data | {"summary": text}).events
    return events[0] if events else PlotExtraction(text)
