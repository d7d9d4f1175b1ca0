"""The events of a chat: paged reading for lists, and writing inside the caller's step.

Every event that is not deleted has one `event` memory item; both change together.

What a filter over events is in SQL, and how many events of each kind there are.

Both come from one index, whatever is asked, and both ask first who may know an event.

The flag `event.is_embedded`: whether a vector of what an event says now is stored.

It follows from `memory_embedding` and is worked out here, outside of any undo step.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.event import (
    OF_EXTRACTOR,
    AlwaysVisible,
    EventCounts,
    EventNode,
    EventQuery,
    ToldEvent,
)
from engram_desktop.domain.memory.facets import (
    OUTLINE,
    WITH_FINDING,
    EventKey,
    Facet,
    FacetCube,
    Facets,
)
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.pipeline.outline import LINE_TOKENS
from engram_desktop.domain.recall.lexemes import match_query
from engram_desktop.storage.chat.branches import BranchStore, seen
from engram_desktop.storage.chat.events.event_rows import (
    ADD_EVENT_ITEM,
    COLUMNS,
    event_item,
    event_row,
    read_event,
)
from engram_desktop.storage.chat.knowledge import is_known_by
from engram_desktop.storage.database import Database


class EmbeddedFlags:
    """Makes the flag say what is true, after vectors or events changed."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def settle(self, pks: Iterable[object]) -> None:
        """Make ``is_embedded`` say what is true for ``pks``, outside of any step."""
        self._db.rows(
            "UPDATE event SET is_embedded = EXISTS (SELECT 1 FROM memory_item i JOIN"
            " memory_embedding m ON m.item_id = i.id AND m.content_hash = i.content_hash"
            " WHERE i.kind = 'event' AND i.ref = event.id)"
            " WHERE pk IN (SELECT value FROM json_each(?))",
            (json.dumps(list(pks)),),
        )

    def settle_all(self) -> int:
        """Make ``is_embedded`` true for every event; returns of how many it was not.

        Deleted ones have no vector and are settled when they come back.
        """
        wrong = self._db.rows(
            "SELECT pk FROM event WHERE is_deleted = 0 AND is_embedded <>"
            " EXISTS (SELECT 1 FROM memory_item i JOIN memory_embedding m ON m.item_id = i.id"
            " AND m.content_hash = i.content_hash WHERE i.kind = 'event' AND i.ref = event.id)"
        )
        self.settle(pk for (pk,) in wrong)
        return len(wrong)

    def settle_ids(self, ids: Sequence[str]) -> None:
        """As `settle`, for events by id."""
        rows = self._db.rows(
            "SELECT pk FROM event WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        self.settle(pk for (pk,) in rows)


# In this order, whatever the planner thinks: a word narrows more than any filter.
_FOUND = (
    "(SELECT rowid FROM memory_lexicon WHERE memory_lexicon MATCH ?) AS found"
    " CROSS JOIN memory_item INDEXED BY memory_item_what"
    " ON memory_item.id = found.rowid AND memory_item.kind = 'event'"
)
_MATCHING = f"{_FOUND} CROSS JOIN event INDEXED BY event_place ON event.id = memory_item.ref"
_IS_FOUND = (  # by number: a set of 100,000 ids takes twice as long to make and to ask
    f"event.pk IN (SELECT of.pk FROM {_FOUND}"
    " CROSS JOIN event AS of INDEXED BY event_place ON of.id = memory_item.ref)"
)
_LEAN = "event INDEXED BY event_facet"  # the planner does not see that it covers
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
    """Return where the events of a query are read from, its conditions, and the values of both.

    ``is_lean``: nothing but what the index of facets holds is asked of them.
    """
    expression = match_query(query.text)
    where, values = _conditions(query, is_matched=bool(expression))
    has_plain_text = bool(query.text.strip()) and not expression
    is_lean |= bool(query.facets) or (query.sort in _LEAN_SORTS and query.entity_id is None)
    if is_lean and not has_plain_text:
        if expression:
            return _LEAN, f"{where} AND {_IS_FOUND}", [*values, expression]
        return _LEAN, where, values
    if expression:
        return _MATCHING, where, [expression, *values]
    return "event", where, values


def facet_cube(database: Database, query: EventQuery, seen: str) -> FacetCube:
    """Count the events of a query by what they are. Its facets are left to whoever adds up.

    Only what names entities or keywords apart from columns is asked here: it narrows.
    """
    narrow = _narrowing(query.facets)
    rest = _without(query.facets, narrow)
    source, where, values = source_of(query.with_facets(narrow), is_lean=True)
    named, marks, names = rest.named, "", list[Any]()
    for facet in named:
        condition, more = _condition(facet)
        marks += f", {condition}"
        names += more
    groups = ", ".join(str(n) for n in range(1, _KEYS + len(named) + 1))
    rows = database.rows(
        f"SELECT {_KEY}{marks}, count(*) FROM {source} WHERE {where} AND {seen} GROUP BY {groups}",
        [*names, *values],
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
        sql = f"SELECT count(*) FROM {source} WHERE {where} AND {seen}"
        every = int(database.value(sql, values))
    return FacetCube(tuple(cells), rest, every)


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
    if query.text.strip() and not is_matched:  # only punctuation: look for it as it is written
        parts.append("instr(display_text, ?) > 0")
        values.append(query.text.strip())
    return " AND ".join(parts), values


def _plain(query: EventQuery) -> list[tuple[str, list[Any]]]:
    """Conditions of the fields of a query that hold one value each."""
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


_ORDERS = {
    "story": "event.start_index, event.end_index, timestamp, pk",
    "newest": "event.start_index DESC, event.end_index DESC, timestamp DESC, pk DESC",
    "significance": "significance_score DESC, event.start_index, event.end_index, timestamp, pk",
    "created": "timestamp DESC, pk DESC",
    "updated": "updated_at DESC, pk DESC",
    "summary": "summary, event.start_index, event.end_index, timestamp, pk",
    "status": "status DESC, event.start_index, event.end_index, timestamp, pk",
    "tokens": "tokens DESC, event.start_index, event.end_index, timestamp, pk",
}
STORY_ORDER = _ORDERS["story"]
_UNTOLD = (
    "branch_id = ? AND is_deleted = 0 AND level = 0 AND status = 'archived' AND is_stale = 0"
    " AND is_locked = 0 AND scope IN ('global', 'shared') AND ifnull(condition, '') = ''"
    " AND parent_id IS NULL"
)


class EventStore:
    """Reads and writes events.

    A branch sees its own events and its ancestors' up to the forks. What writes does so inside the
    caller's transaction.
    """

    def __init__(self, database: Database, branches: BranchStore) -> None:
        self._db = database
        self._branches = branches
        self.embedded = EmbeddedFlags(database)

    def find(self, query: EventQuery, most: int = -1) -> array[int]:
        """Keys of the events ``query`` names, in its order, the first ``most`` (-1: all).

        No branch means the main one.
        """
        source, where, values = source_of(query)
        where += " AND " + self._seen(query.branch_id)
        sql = f"SELECT event.pk FROM {source} WHERE {where} ORDER BY {_ORDERS[query.sort]} LIMIT ?"
        keys = array("q", (pk for (pk,) in self._db.rows(sql, [*values, most])))
        return keys[::-1] if query.is_reversed else keys

    def cube(self, query: EventQuery) -> FacetCube:
        """Count what ``query`` names, whatever its facets, by what it is."""
        return facet_cube(self._db, query, self._seen(query.branch_id))

    def fetch(self, pks: Sequence[int]) -> dict[int, EventNode]:
        """Events by key; keys that are gone are left out."""
        events: dict[int, EventNode] = {}
        for start in range(0, len(pks), 5000):
            part = tuple(pks[start : start + 5000])
            marks = ",".join("?" * len(part))
            sql = f"SELECT {COLUMNS}, updated_at FROM event WHERE pk IN ({marks})"
            for row in self._db.rows(sql, part):
                events[row[0]] = read_event(row)
        return events

    def by_ids(self, ids: Iterable[str], branch_id: str | None = None) -> list[EventNode]:
        """Events by id, in story order; those seen from ``branch_id``, or of every branch."""
        seen_here = "" if branch_id is None else f" AND {self._seen(branch_id)}"
        # With the plus, the planner cannot walk all events in story order to find a few of them.
        where = f"id IN (SELECT value FROM json_each(?)) AND +is_deleted = 0{seen_here}"
        return self.select(where, (json.dumps(list(ids)),))

    def buffer(self, branch_id: str = MAIN_BRANCH) -> list[EventNode]:
        """Unlocked events seen from a branch that wait to be archived, in story order."""
        return self.select(
            "status = 'buffer' AND is_deleted = 0 AND level = 0 AND is_locked = 0"
            f" AND {self._seen(branch_id)}",
            (),
        )

    def locked_in_buffer(self, branch_id: str) -> int:
        """How many events seen from a branch wait in the buffer and are kept there."""
        count = self._db.value(
            "SELECT count(*) FROM event WHERE status = 'buffer' AND is_deleted = 0"
            f" AND level = 0 AND is_locked = 1 AND {self._seen(branch_id)}"
        )
        return int(count)

    def visible(self, branch_id: str = MAIN_BRANCH, plain: int | None = None) -> list[EventNode]:
        """What is always visible, in story order; of events without an outline the newest only."""
        where = self._visible(branch_id)
        if plain is not None:
            newest = f"{where} AND level = 0 ORDER BY {_ORDERS['newest']} LIMIT {plain:d}"
            where += f" AND (level >= 1 OR pk IN (SELECT pk FROM event WHERE {newest}))"
        return self.select(where, (), source="event INDEXED BY event_line")

    def outline_ids(self, branch_id: str = MAIN_BRANCH) -> frozenset[str]:
        """Ids of the outlines that are always visible from a branch."""
        rows = self._db.brief_rows(
            "SELECT id FROM event INDEXED BY event_outline"
            f" WHERE level >= 1 AND {self._visible(branch_id)}"
        )
        return frozenset(outline_id for (outline_id,) in rows)

    def archived_roots(self, branch_id: str = MAIN_BRANCH) -> list[EventNode]:
        """Unlocked archived events of the branch's own that no outline tells of, in story order."""
        return self.select(_UNTOLD, (branch_id,))

    def always_visible(self, branch_id: str = MAIN_BRANCH) -> AlwaysVisible:
        """Count what `visible` gives, and what `buffer` gives, without reading either."""
        line = f"tokens + {LINE_TOKENS}"
        waits = "status = 'buffer' AND level = 0 AND is_locked = 0"
        row = self._db.rows(
            f"SELECT sum({line}), sum({waits}), sum(iif({waits}, tokens, 0))"
            f" FROM event WHERE {self._visible(branch_id)}"
        )[0]
        untold = self._db.value(f"SELECT count(*) FROM event WHERE {_UNTOLD}", (branch_id,))
        return AlwaysVisible(*(int(n or 0) for n in (*row, untold)))

    def before(self, floor: int, limit: int, branch_id: str = MAIN_BRANCH) -> list[EventNode]:
        """The last events that end before ``floor``, in story order."""
        sql = (
            f"SELECT {COLUMNS}, updated_at FROM event WHERE is_deleted = 0 AND end_index < ?"
            f" AND {self._seen(branch_id)} ORDER BY {_ORDERS['newest']} LIMIT ?"
        )
        return [read_event(row) for row in reversed(self._db.rows(sql, (floor, limit)))]

    def replaceable(self, branch_id: str, first: int, last: int, extractor: str) -> list[int]:
        """Keys of unlocked events of these floors that a new summary takes the place of.

        Those inside that no model made or that the same extractor did, and stale ones that tell of
        any of these floors; never what a user wrote.
        """
        rows = self._db.rows(
            "SELECT pk FROM event WHERE branch_id = ?1 AND start_index <= ?3 AND end_index >= ?2"
            " AND is_deleted = 0 AND is_locked = 0 AND level = 0 AND extractor <> 'manual'"
            " AND (is_stale OR (start_index >= ?2 AND end_index <= ?3"
            " AND extractor IN ('extractive', ?4)))",
            (branch_id, first, last, extractor),
        )
        return [pk for (pk,) in rows]

    def telling_of(self, branch_id: str, first: int, last: int) -> list[EventNode]:
        """Events of the branch's own (no outlines) that tell of any of these floors."""
        return self.select(
            "branch_id = ? AND start_index <= ? AND end_index >= ? AND is_deleted = 0"
            " AND level = 0",
            (branch_id, last, first),
        )

    def at_floors(self, branch_id: str, first: int, last: int) -> list[EventNode]:
        """Events (outlines too) seen from a branch that tell of any of these floors."""
        return self.select(
            f"start_index <= ? AND end_index >= ? AND is_deleted = 0 AND {self._seen(branch_id)}",
            (last, first),
        )

    def counts(self, branch_id: str = MAIN_BRANCH, text: str = "") -> EventCounts:
        """Count what is seen from a branch, or what of it a search for ``text`` finds."""
        source, where, values = source_of(EventQuery(text=text))
        row = self._db.rows(
            "SELECT count(*), sum(status = 'buffer' AND level = 0),"
            " sum(status = 'archived' AND level = 0), sum(level >= 1), sum(is_stale)"
            f" FROM {source} WHERE {where} AND {self._seen(branch_id)}",
            values,
        )[0]
        return EventCounts(*(int(n or 0) for n in row))

    def ranges(self, branch_id: str) -> list[tuple[int, int, str]]:
        """(start, end, state) of every event of level 0, in any order: archived, buffer, stale."""
        return self._db.rows(
            "SELECT start_index, end_index, iif(is_stale, 'stale', status) FROM event"
            f" WHERE {self._seen(branch_id)} AND level = 0 AND is_deleted = 0"
        )

    def story_times(self, pks: Sequence[int]) -> list[tuple[int, str, str, int]]:
        """(key, branch, story time, first floor) of these events, in their order; no outlines."""
        return self._db.rows(
            "SELECT e.pk, e.branch_id, ifnull(json_extract(iif(json_valid(e.raw_data), e.raw_data,"
            " '{}'), '$.timestamp'), ''), e.start_index FROM json_each(?) j"
            " JOIN event e ON e.pk = j.value WHERE e.level = 0 ORDER BY j.key",
            (json.dumps(list(pks)),),
        )

    def spans(self, branch_id: str) -> list[tuple[int, int, int, str]]:
        """(key, start, end, state) of every event of level 0, as `ranges` names states."""
        return self._db.rows(
            "SELECT pk, start_index, end_index, iif(is_stale, 'stale', status) FROM event"
            f" WHERE {self._seen(branch_id)} AND level = 0 AND is_deleted = 0"
            " ORDER BY start_index, end_index, pk"
        )

    def told(self, branch_id: str) -> list[ToldEvent]:
        """What every event of level 0 tells, in story order, without reading the wide rows."""
        return self._told("event", f"{self._seen(branch_id)} AND level = 0 AND is_deleted = 0")

    def told_stale(self, branch_id: str) -> list[ToldEvent]:
        """As `told`, of all that is stale, outlines too."""
        where = f"{self._seen(branch_id)} AND is_stale = 1 AND is_deleted = 0"
        return self._told("event INDEXED BY event_stale", where)

    def _told(self, source: str, where: str) -> list[ToldEvent]:
        fields = "pk, id, start_index, end_index, summary"
        rows = self._db.rows(f"SELECT {fields} FROM {source} WHERE {where} ORDER BY {STORY_ORDER}")
        return [ToldEvent._make(row) for row in rows]

    def add(self, events: Sequence[EventNode], now: int) -> list[int]:
        """Insert ``events`` (their ``pk`` is ignored); returns their keys."""
        first = int(self._db.value("SELECT ifnull(max(pk), 0) + 1 FROM event"))
        pks = list(range(first, first + len(events)))
        self._db.run_many(
            f"INSERT INTO event({COLUMNS}, updated_at) VALUES ({','.join('?' * 29)})",
            [(*event_row(e, pk), now) for pk, e in zip(pks, events, strict=True)],
        )
        self._write_participants(events)
        self._db.run_many(ADD_EVENT_ITEM, [event_item(e) for e in events])
        self.embedded.settle(pks)  # a text that was told before and taken back has its vector still
        return pks

    def replace(self, events: Sequence[EventNode], now: int) -> None:
        """Write every field of ``events`` back, their items included."""
        names = [c.strip() for c in COLUMNS.split(",")][1:]
        sets = ", ".join(f"{name} = ?" for name in names)
        self._db.run_many(
            f"UPDATE event SET {sets}, updated_at = ? WHERE pk = ?",
            [(*event_row(e, e.pk)[1:], now, e.pk) for e in events],
        )
        ids = [(e.id,) for e in events]
        self._db.run_many("DELETE FROM event_participant WHERE event_id = ?", ids)
        self._write_participants([e for e in events if not e.is_deleted])
        deleted = [(e.id,) for e in events if e.is_deleted]
        self._db.run_many("DELETE FROM memory_item WHERE kind = 'event' AND ref = ?", deleted)
        self._db.run_many(
            ADD_EVENT_ITEM
            + " ON CONFLICT(kind, ref, branch_id) DO UPDATE SET content = excluded.content,"
            " content_hash = excluded.content_hash, start_index = excluded.start_index,"
            " end_index = excluded.end_index, scope = excluded.scope, owner = excluded.owner",
            [event_item(e) for e in events if not e.is_deleted],
        )

    def set_flag(self, pks: Sequence[int], column: str, *, value: bool, now: int) -> list[int]:
        """Set ``is_archived`` (with ``status``) or ``is_locked``; returns keys that changed."""
        keys = json.dumps(list(pks))
        extra = ", status = iif(?1, 'archived', 'buffer')" if column == "is_archived" else ""
        rows = self._db.rows(
            f"UPDATE event SET {column} = ?1{extra}, updated_at = ?2 WHERE is_deleted = 0"
            f" AND {column} <> ?1 AND pk IN (SELECT value FROM json_each(?3)) RETURNING pk",
            (int(value), now, keys),
        )
        return [pk for (pk,) in rows]

    def set_confirmed(self, pks: Sequence[int], *, confirmed: bool, now: int) -> list[int]:
        """Set confidence to confirmed, or back to that of the extractor; returns changed keys."""
        cases = " ".join(f"WHEN '{who}' THEN '{level}'" for who, level in OF_EXTRACTOR.items())
        confidence = f"iif(?1, 'confirmed', CASE extractor {cases} END)"
        rows = self._db.rows(
            f"UPDATE event SET confidence = {confidence}, updated_at = ?2 WHERE is_deleted = 0"
            f" AND confidence <> {confidence} AND pk IN (SELECT value FROM json_each(?3))"
            " RETURNING pk",
            (int(confirmed), now, json.dumps(list(pks))),
        )
        return [pk for (pk,) in rows]

    def delete(self, pks: Sequence[int], now: int) -> list[int]:
        """Tombstone events and take their items out of every index; returns keys that changed."""
        keys = json.dumps(list(pks))
        rows = self._db.rows(
            "UPDATE event SET is_deleted = 1, updated_at = ?1 WHERE is_deleted = 0"
            " AND pk IN (SELECT value FROM json_each(?2)) RETURNING pk",
            (now, keys),
        )
        self._db.rows(
            "DELETE FROM memory_item WHERE kind = 'event' AND ref IN"
            " (SELECT id FROM event WHERE pk IN (SELECT value FROM json_each(?)))",
            (keys,),
        )
        self._free_parts(keys)
        self._mark_outlines_stale([pk for (pk,) in rows], now)
        return [pk for (pk,) in rows]

    def _mark_outlines_stale(self, parts: Sequence[int], now: int) -> None:
        """Mark outlines of deleted events as stale, level by level."""
        while parts:
            rows = self._db.rows(
                "UPDATE event SET is_stale = 1, updated_at = ? WHERE is_deleted = 0"
                " AND is_stale = 0 AND id IN (SELECT parent_id FROM event"
                " WHERE pk IN (SELECT value FROM json_each(?))) RETURNING pk",
                (now, json.dumps(list(parts))),
            )
            parts = [pk for (pk,) in rows]

    def _free_parts(self, keys: str) -> None:
        """Detach the parts of deleted outlines, so that other outlines may take them in."""
        outlines = self._db.rows(
            "SELECT id FROM event WHERE level >= 1 AND pk IN (SELECT value FROM json_each(?))",
            (keys,),
        )
        if outlines:
            self._db.rows(
                "UPDATE event SET parent_id = NULL WHERE parent_id IN"
                " (SELECT value FROM json_each(?))",
                (json.dumps([outline_id for (outline_id,) in outlines]),),
            )

    def still_waiting(self, events: Sequence[EventNode]) -> list[EventNode]:
        """Those of ``events`` that still are as they were read, unlocked and in the buffer."""
        return self.unchanged(events, " AND status = 'buffer'")

    def unchanged(self, events: Sequence[EventNode], condition: str = "") -> list[EventNode]:
        """Those of ``events`` that nobody touched since, and that are not locked."""
        times = dict(
            self._db.rows(
                "SELECT pk, updated_at FROM event WHERE is_deleted = 0 AND is_locked = 0"
                f"{condition} AND pk IN (SELECT value FROM json_each(?))",
                (json.dumps([e.pk for e in events]),),
            )
        )
        return [e for e in events if times.get(e.pk) == e.updated_at]

    def told_since(self, floor: int, branch_id: str = MAIN_BRANCH) -> list[EventNode]:
        """Events, no outlines, that reach ``floor`` or beyond, by where they end.

        Only up to the first that waits in the buffer: its entities are not known yet.
        """
        rows = self._db.rows(
            f"SELECT pk FROM event WHERE {self._is_told(branch_id)} AND end_index >= ?"
            " ORDER BY end_index, start_index, timestamp, id",
            (floor,),
        )
        events = self.fetch([pk for (pk,) in rows])
        return [events[pk] for (pk,) in rows]

    def never_linked(self, pks: Sequence[int]) -> list[int]:
        """Those of ``pks`` that name entities or relations and have no evidence in the graph."""
        rows = self._db.rows(
            "SELECT pk FROM event WHERE pk IN (SELECT value FROM json_each(?)) AND is_deleted = 0"
            " AND (json_array_length(raw_data, '$.entities') > 0"
            " OR json_array_length(raw_data, '$.relations') > 0)"
            " AND NOT EXISTS (SELECT 1 FROM evidence v WHERE v.event_id = event.id)"
            f" ORDER BY {STORY_ORDER}",
            (json.dumps(list(pks)),),
        )
        return [pk for (pk,) in rows]

    def told_until(self, branch_id: str = MAIN_BRANCH) -> int:
        """How many floors, from the first on, the events of `told_since` reach."""
        sql = f"SELECT max(end_index) + 1 FROM event WHERE {self._is_told(branch_id)}"
        return int(self._db.value(sql) or 0)

    def _is_told(self, branch_id: str) -> str:
        here = f"{self._seen(branch_id)} AND is_deleted = 0 AND level = 0"
        return (
            f"{here} AND end_index < ifnull((SELECT min(start_index) FROM event WHERE {here}"
            " AND is_archived = 0 AND is_locked = 0), 1 << 60)"
        )

    def stale(self, branch_id: str, *, outlines: bool = False) -> list[EventNode]:
        """Stale events (or outlines) of the branch's own that a redo may take the place of."""
        return self.select(
            "is_stale = 1 AND is_deleted = 0 AND is_locked = 0 AND extractor <> 'manual'"
            f" AND branch_id = ? AND level {'>=' if outlines else '<'} 1",
            (branch_id,),
        )

    def _write_participants(self, events: Sequence[EventNode]) -> None:
        self._db.run_many(
            "INSERT OR IGNORE INTO event_participant(event_id, norm, name) VALUES (?, ?, ?)",
            [(e.id, norm_name(name), name) for e in events for name in e.participants],
        )

    def _visible(self, branch_id: str) -> str:
        """SQL for what is always visible from a branch.

        An ancestor's outline that goes beyond the fork is not seen: its parts are visible instead.
        """
        path = self._branches.path(branch_id)
        roots = "parent_id IS NULL"
        parts = ""
        if len(path) > 1:
            above = f"p.id = event.parent_id AND p.is_deleted = 0 AND {seen('p', path)}"
            parts = f" OR parent_id NOT IN (SELECT p.id FROM event p WHERE {above})"
        return (
            f"is_deleted = 0 AND ((level >= 1 AND {roots}) OR status = 'buffer'{parts})"
            f" AND {seen('event', path)}"
        )

    def _seen(self, branch_id: str) -> str:
        return seen("event", self._branches.path(branch_id))

    def select(
        self, where: str, values: Sequence[Any], *, source: str = "event"
    ) -> list[EventNode]:
        """Events that a condition in SQL lets through, in story order."""
        sql = f"SELECT {COLUMNS}, updated_at FROM {source} WHERE {where} ORDER BY {STORY_ORDER}"
        return [read_event(row) for row in self._db.rows(sql, values)]
