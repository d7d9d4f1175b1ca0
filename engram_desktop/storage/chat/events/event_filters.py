"""Filters, orders and facet counts of events, as SQL.

Filters and counts are read from one index, and both first test who may know an event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.facets import (
    OUTLINE,
    WITH_FINDING,
    EventKey,
    Facet,
    FacetCube,
    Facets,
)
from engram_desktop.domain.recall.lexemes import match_query
from engram_desktop.storage.chat.events import vast_lists
from engram_desktop.storage.chat.knowledge import is_known_by
from engram_desktop.storage.database import Database

# CROSS JOIN fixes this order: a word narrows more than any filter.
_FOUND = (
    "(SELECT rowid FROM memory_lexicon WHERE memory_lexicon MATCH ?) AS found"
    " CROSS JOIN memory_item INDEXED BY memory_item_what"
    " ON memory_item.id = found.rowid AND memory_item.kind = 'event'"
)
_MATCHING = f"{_FOUND} CROSS JOIN event INDEXED BY event_place ON event.id = memory_item.ref"
_IS_FOUND = (  # by number: a set of 100,000 ids takes twice as long to build and to test
    f"event.pk IN (SELECT of.pk FROM {_FOUND}"
    " CROSS JOIN event AS of INDEXED BY event_place ON of.id = memory_item.ref)"
)
_LEAN = "event INDEXED BY event_facet"  # the index covers the query
_LEAN_SORTS = ("significance", "created", "updated", "status", "tokens")
_KEY = "status, level, event.kind, confidence, extractor, is_stale, is_locked"
_KEYS = len(_KEY.split(","))
_COLUMNS = {"kind": "event.kind", "confidence": "confidence", "extractor": "extractor"}
_NAMED = {
    "entity": "event.id IN (SELECT v.event_id FROM entity_alias a JOIN evidence v"
    " ON v.entity_id = a.entity_id WHERE a.norm = ? AND v.event_id IS NOT NULL)",
    "keyword": "event.pk IN (SELECT event_pk FROM event_keyword WHERE word = ?)",
    "finding": "event.pk IN (SELECT value FROM json_each(?))",
}


def source_of(query: EventQuery, *, is_lean: bool = False) -> tuple[str, str, list[Any]]:
    """Return the tables a query reads, its conditions, and the values of both.

    ``is_lean``: only columns in the index of facets are needed.
    """
    expression = match_query(query.text)
    where, values = _conditions(query, is_matched=bool(expression))
    has_plain_text = bool(query.text.strip()) and not expression
    is_lean |= bool(query.facets) or query.only is not None
    is_lean |= query.sort in _LEAN_SORTS and query.entity_id is None
    if is_lean and not has_plain_text:
        if expression:
            return _LEAN, f"{where} AND {_IS_FOUND}", [*values, expression]
        return _LEAN, where, values
    if expression:
        return _MATCHING, where, [expression, *values]
    return "event", where, values


def facet_cube(
    database: Database, query: EventQuery, seen: str, found: vast_lists.Keys | None
) -> FacetCube:
    """Count the events of a query by their columns; `FacetCube` applies the query's facets.

    Facets that name entities or keywords narrow the query here, since they are no columns.
    ``found``: the events that hold the query's words, or that it names, if they are known.
    """
    if found is not None:
        query = replace(query, text="", only=None)
    narrow = _narrowing(query.facets)
    rest = _without(query.facets, narrow)
    source, where, values = source_of(query.with_facets(narrow), is_lean=True)
    named, marks, names = rest.named, "", list[Any]()
    for facet in named:
        condition, more = _condition(facet)
        marks += f", {condition}"
        names += more
    groups = ", ".join(str(n) for n in range(1, _KEYS + len(named) + 1))
    rows = _counted(
        database,
        f"SELECT {_KEY}{marks}, {{count}} FROM {source} WHERE {where} AND {seen} GROUP BY {groups}",
        [*names, *values],
        found,
    )
    cells = []
    for *columns, count in rows:
        status, level, kind, confidence, extractor, stale, locked = columns[:_KEYS]
        key = EventKey(status, level, kind, confidence, extractor, bool(stale), bool(locked))
        has = zip(named, columns[_KEYS:], strict=True)
        cells.append((key, tuple(facet for facet, is_there in has if is_there), count))
    every = sum(count for *_columns, count in rows)
    if narrow:
        source, where, values = source_of(query.with_facets(Facets()), is_lean=True)
        sql = f"SELECT {{count}} FROM {source} WHERE {where} AND {seen}"
        ((every,),) = _counted(database, sql, values, found)
    return FacetCube(tuple(cells), rest, every)


def _counted(
    database: Database, sql: str, values: Sequence[Any], found: vast_lists.Keys | None
) -> list[tuple[Any, ...]]:
    """Run ``sql`` with a count in its last column: of all events, or of those ``found``.

    Rows of no found event are left out. Counts of all events are cached until the next write, since
    several views show the same numbers.
    """
    if found is None:
        counting = sql.format(count="count(*)")
        return database.until_written.of(
            (counting, *values), lambda: database.rows(counting, values)
        )
    rows = database.rows(sql.format(count="group_concat(event.pk)"), values)
    counts = vast_lists.counted([row[-1] for row in rows], found)
    return [(*row[:-1], n) for row, n in zip(rows, counts, strict=True) if n or len(row) == 1]


def _narrowing(facets: Facets) -> Facets:
    groups = tuple(g for g in facets.groups if all(facet.is_named for facet in g))
    return Facets(groups, tuple(f for f in facets.excluded if f.is_named))


def _without(facets: Facets, others: Facets) -> Facets:
    return Facets(
        tuple(g for g in facets.groups if g not in others.groups),
        tuple(f for f in facets.excluded if f not in others.excluded),
    )


def _conditions(query: EventQuery, *, is_matched: bool) -> tuple[str, list[Any]]:
    parts = ["is_deleted = 0"]
    values: list[Any] = []
    for condition, more in _plain(query):
        parts.append(condition)
        values += more
    for group in query.facets.groups:
        conditions = [_condition(facet) for facet in group]
        parts.append("(" + " OR ".join(condition for condition, _more in conditions) + ")")
        values += [value for _condition_, more in conditions for value in more]
    for facet in query.facets.excluded:
        condition, more = _condition(facet)
        parts.append(f"NOT ({condition})")
        values += more
    if query.actors:
        known, more = is_known_by(query.actors, "event", "event")
        parts.append(known)
        values += more
    if query.text.strip() and not is_matched:  # punctuation only: search for it literally
        parts.append("instr(display_text, ?) > 0")
        values.append(query.text.strip())
    return " AND ".join(parts), values


def _plain(query: EventQuery) -> list[tuple[str, list[Any]]]:
    """Return the conditions of the fields of a query that hold a single value."""
    parts: list[tuple[str, list[Any]]] = []
    if query.status is not None:
        parts.append(("status = ? AND level = 0", [query.status]))
    if query.level is not None:
        parts.append(("level = ?" if query.level == 0 else "level >= ?", [query.level]))
    if query.only_stale:
        parts.append(("is_stale = 1", []))
    if query.only_locked:
        parts.append(("is_locked = 1", []))
    if query.kind is not None:
        parts.append(("event.kind = ?", [query.kind]))
    if query.confidence is not None:
        parts.append(("confidence = ?", [query.confidence]))
    if query.until is not None:
        parts.append(("event.end_index <= ?", [query.until]))
    if query.only is not None:
        parts.append(("event.pk IN (SELECT value FROM json_each(?))", [query.only]))
    if query.entity_id is not None:
        found = "event.id IN (SELECT event_id FROM evidence WHERE entity_id = ?)"
        parts.append((found, [query.entity_id]))
    return parts


def _condition(facet: Facet) -> tuple[str, list[Any]]:
    value = facet.value
    match facet.field:
        case "status":
            return "(status = ? AND level = 0)", [value]
        case "level":
            return ("level >= 1", []) if value == OUTLINE else ("CAST(level AS TEXT) = ?", [value])
        case "stale" | "locked":
            return f"is_{facet.field} = 1", []
        case "entity":
            return _NAMED["entity"], [norm_name(value)]
        case "keyword" | "finding":
            return _NAMED[facet.field], ["[]" if facet == WITH_FINDING else value]
        case column:
            return f"{_COLUMNS[column]} = ?", [value]


ORDERS = {
    "story": "event.start_index, event.end_index, timestamp, pk",
    "newest": "event.start_index DESC, event.end_index DESC, timestamp DESC, pk DESC",
    "significance": "significance_score DESC, event.start_index, event.end_index, timestamp, pk",
    "created": "timestamp DESC, pk DESC",
    "updated": "updated_at DESC, pk DESC",
    "summary": "summary, event.start_index, event.end_index, timestamp, pk",
    "status": "status DESC, event.start_index, event.end_index, timestamp, pk",
    "tokens": "tokens DESC, event.start_index, event.end_index, timestamp, pk",
}
STORY_ORDER = ORDERS["story"]
