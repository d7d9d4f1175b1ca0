"""Events and rows of their table: how one becomes the other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engram_desktop.domain.memory.event import EventNode, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction, StructuredKv, parse_extraction
from engram_desktop.domain.memory.ids import content_hash
from engram_desktop.domain.memory.memory_item import event_content

# Stored texts of events whose reading is kept: a prompt reads some sixty, the next most of them.
_READ_KEPT = 512
COLUMNS = (
    "pk, id, branch_id, summary, structured_kv, raw_data, display_text, status, is_archived,"
    " is_embedded, level, start_index, end_index, significance_score, timestamp, order_key,"
    " parent_id, kind, source_hash, extractor, scope, owner, condition, is_locked, is_stale,"
    " is_deleted, confidence, origin"
)
ADD_EVENT_ITEM = (
    "INSERT INTO memory_item(kind, ref, branch_id, content, content_hash, start_index, end_index,"
    " scope, owner) VALUES ('event', ?, ?, ?, ?, ?, ?, ?, ?)"
)


def event_row(e: EventNode, pk: int) -> tuple[Any, ...]:
    """Values of `COLUMNS` for one event."""
    return (
        pk,
        e.id,
        e.branch_id,
        e.summary,
        json.dumps(e.structured_kv.to_json(), ensure_ascii=False),
        json.dumps(e.raw_data.to_json(), ensure_ascii=False),
        e.display_text,
        e.status,
        int(e.is_archived),
        int(e.is_embedded),
        e.level,
        e.source_range.start_index,
        e.source_range.end_index,
        e.significance_score,
        e.timestamp,
        e.order_key,
        e.parent_id,
        e.kind,
        e.source_hash,
        e.extractor,
        e.scope,
        e.owner,
        e.condition,
        int(e.is_locked),
        int(e.is_stale),
        int(e.is_deleted),
        e.confidence,
        e.origin,
    )


def event_item(e: EventNode) -> tuple[Any, ...]:
    """Values of `ADD_EVENT_ITEM` for one event."""
    content = event_content(e.summary, e.raw_data)
    source = e.source_range
    return (
        e.id,
        e.branch_id,
        content,
        content_hash(content),
        source.start_index,
        source.end_index,
        e.scope,
        e.owner,
    )


def event_of_columns(columns: Mapping[str, Any]) -> EventNode:
    """Read a row given by the names of its columns."""
    return read_event(tuple(columns[name.strip()] for name in f"{COLUMNS}, updated_at".split(",")))


def read_event(row: tuple[Any, ...]) -> EventNode:
    """Read a row of `COLUMNS` and ``updated_at``."""
    raw = read_extraction(row[5], row[3])
    return EventNode(
        pk=row[0],
        id=row[1],
        branch_id=row[2],
        summary=row[3],
        structured_kv=_read_kv(row[4]),
        raw_data=raw,
        display_text=row[6],
        status=row[7],
        is_archived=bool(row[8]),
        is_embedded=bool(row[9]),
        level=row[10],
        source_range=SourceRange(row[11], row[12]),
        significance_score=row[13],
        timestamp=row[14],
        order_key=row[15],
        parent_id=row[16],
        kind=row[17],
        source_hash=row[18],
        extractor=row[19],
        scope=row[20],
        owner=row[21],
        condition=row[22],
        participants=tuple(e.name for e in raw.entities if e.type == "char"),
        is_locked=bool(row[23]),
        is_stale=bool(row[24]),
        is_deleted=bool(row[25]),
        confidence=row[26],
        origin=row[27],
        keywords=raw.keywords,
        updated_at=row[28],
    )


@lru_cache(maxsize=_READ_KEPT)
def read_extraction(text: str, summary: str) -> PlotExtraction:
    """Read stored raw data; what another hand wrote is read tolerantly, and keeps its summary."""
    value = json.loads(text)
    try:
        return PlotExtraction.from_json(value)
    except (KeyError, TypeError):
        events = parse_extraction(value).events
        return events[0] if events else PlotExtraction(summary)


@lru_cache(maxsize=_READ_KEPT)
def _read_kv(text: str) -> StructuredKv:
    value = json.loads(text)
    try:
        return StructuredKv.from_stored(value)
    except (KeyError, TypeError):
        return StructuredKv.from_json(value)
