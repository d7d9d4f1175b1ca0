"""Rows of events: reading and writing them, common fields, non-duplicates, deleted events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.memory.edits import SharedFields
from engram_desktop.domain.memory.event import EventNode, NamingEvent, SourceRange
from engram_desktop.domain.memory.extraction import (
    PlotExtraction,
    StructuredKv,
    event_content,
    parse_extraction,
)
from engram_desktop.domain.memory.line import content_hash
from engram_desktop.storage.chat.branches import BranchStore, seen
from engram_desktop.storage.database import Database

if TYPE_CHECKING:
    from engram_desktop.storage.chat.events.events import EventStore


# Parsed texts that are cached: a prompt reads some sixty, and the next one mostly the same.
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
    """Return the values of `COLUMNS` for one event."""
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
    """Return the values of `ADD_EVENT_ITEM` for one event."""
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
    """Build an event from a row given by column names."""
    return read_event(tuple(columns[name.strip()] for name in f"{COLUMNS}, updated_at".split(",")))


def read_event(row: tuple[Any, ...]) -> EventNode:
    """Build an event from a row of `COLUMNS` and ``updated_at``."""
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


def naming_events(database: Database, pks: Sequence[int]) -> list[NamingEvent]:
    """Return what these events name, in their order, without reading the rest of their rows."""
    rows = database.rows(
        "SELECT e.id, e.branch_id, e.start_index, e.end_index, e.significance_score,"
        " e.raw_data -> '$.entities', e.raw_data -> '$.relations', e.pk FROM json_each(?) j"
        " JOIN event e ON e.pk = j.value ORDER BY j.key",
        (json.dumps(list(pks)),),
    )
    return [
        NamingEvent(row[0], row[1], SourceRange(row[2], row[3]), row[4], _names(database, row))
        for row in rows
    ]


def _names(database: Database, row: tuple[Any, ...]) -> PlotExtraction:
    try:
        return PlotExtraction.of_names(json.loads(row[5]), json.loads(row[6]))
    except (AttributeError, KeyError, TypeError):  # foreign data
        return read_extraction(
            *database.rows("SELECT raw_data, summary FROM event WHERE pk = ?", (row[7],))[0]
        )


@lru_cache(maxsize=_READ_KEPT)
def read_extraction(text: str, summary: str) -> PlotExtraction:
    """Parse stored raw data; foreign data is parsed leniently, or reduced to its summary."""
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


Pair = tuple[str, str]  # event ids


class ApartPairs:
    """The table `event_apart` of pairs that are no duplicates; also moves evidence in a join.

    Written inside the caller's step.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> set[Pair]:
        return {(one, other) for one, other in self._db.rows("SELECT one, other FROM event_apart")}

    def add(self, pairs: Iterable[Pair]) -> None:
        self._db.run_many(
            "INSERT OR IGNORE INTO event_apart(one, other) VALUES (?, ?)",
            [(min(pair), max(pair)) for pair in pairs],
        )

    def give_evidence(self, source: str, target: str) -> None:
        """Copy the evidence of ``source`` to ``target``."""
        self._db.run_many(
            "INSERT INTO evidence(relation_id, entity_id, event_id, message_id)"
            " SELECT relation_id, entity_id, ?2, message_id FROM evidence v WHERE event_id = ?1"
            " AND NOT EXISTS (SELECT 1 FROM evidence w WHERE w.event_id = ?2"
            " AND w.relation_id IS v.relation_id AND w.entity_id IS v.entity_id)",
            [(source, target)],
        )


MOST_KEYWORDS = 24  # keywords offered for removal: more than a user looks through

_TIME = "ifnull(json_extract(raw_data, '$.timestamp'), '')"
_PLACE = "ifnull(json_extract(raw_data, '$.location'), '')"
_CHOSEN = "FROM event WHERE is_deleted = 0 AND pk IN (SELECT value FROM json_each(?))"


def shared_fields(database: Database, pks: Sequence[int]) -> SharedFields:
    """Return what these events have in common, in one pass; deleted ones are left out."""
    keys = json.dumps(list(pks))
    spans = ", ".join(
        f"min({name}), max({name})" for name in (_TIME, _PLACE, "kind", "significance_score")
    )
    row = database.rows(
        "SELECT count(*), sum(level >= 1), sum(is_locked), sum(confidence = 'confirmed'),"
        f" sum(is_archived), {spans} {_CHOSEN}",
        (keys,),
    )[0]
    if not row[0]:
        return SharedFields()
    words = database.rows(
        "SELECT word.value, count(*) FROM event, json_each(event.raw_data, '$.keywords') AS word"
        " WHERE is_deleted = 0 AND pk IN (SELECT value FROM json_each(?))"
        " GROUP BY word.value ORDER BY count(*) DESC, word.value LIMIT ?",
        (keys, MOST_KEYWORDS),
    )
    times, places, kinds, scores = (
        tuple(dict.fromkeys(row[start : start + 2])) for start in range(5, 13, 2)
    )
    return SharedFields(
        count=row[0],
        outlines=row[1],
        locked=row[2],
        confirmed=row[3],
        archived=row[4],
        times=times,
        places=places,
        kinds=kinds,
        scores=scores,
        keywords=tuple((str(word), n) for word, n in words),
    )


class EventBin:
    """Deleted events: their rows stay, so that they can be shown and restored.

    Writes happen inside the caller's transaction.
    """

    def __init__(self, database: Database, branches: BranchStore, events: EventStore) -> None:
        self._db = database
        self._branches = branches
        self._events = events

    def deleted(self, branch_id: str, limit: int) -> list[EventNode]:
        """Return the deleted events of a line, without outlines; the last deleted first."""
        is_seen = seen("event", self._branches.path(branch_id))
        sql = (
            f"SELECT {COLUMNS}, updated_at FROM event WHERE is_deleted = 1 AND level = 0"
            f" AND {is_seen} ORDER BY updated_at DESC, pk DESC LIMIT ?"
        )
        return [read_event(row) for row in self._db.rows(sql, (limit,))]

    def columns(self, pk: int) -> dict[str, Any] | None:
        """Return every column of an event by name, deleted or not; None if it does not exist."""
        names = [name for (name,) in self._db.rows("SELECT name FROM pragma_table_info('event')")]
        rows = self._db.rows("SELECT * FROM event WHERE pk = ?", (pk,))
        return dict(zip(names, rows[0], strict=True)) if rows else None

    def ever(self, ids: Sequence[str]) -> set[str]:
        """Return which of these ids belong to events, deleted ones included."""
        rows = self._db.rows(
            "SELECT id FROM event WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        return {event_id for (event_id,) in rows}

    def bring_back(self, pks: Sequence[int], now: int) -> list[int]:
        """Restore deleted events with their items; returns keys that changed.

        An event whose outline is deleted no longer belongs to one.
        """
        rows = self._db.rows(
            "UPDATE event SET is_deleted = 0, updated_at = ?1, parent_id = (SELECT p.id"
            " FROM event p WHERE p.id = event.parent_id AND p.is_deleted = 0) WHERE is_deleted = 1"
            " AND pk IN (SELECT value FROM json_each(?2)) RETURNING pk",
            (now, json.dumps(list(pks))),
        )
        changed = [pk for (pk,) in rows]
        self._db.run_many(
            ADD_EVENT_ITEM, [event_item(e) for e in self._events.fetch(changed).values()]
        )
        return changed
