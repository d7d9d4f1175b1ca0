"""The events of a chat: read by page for lists, and written inside the caller's step.

Every event that is not deleted has one `event` memory item; both change together. The flag
`event.is_embedded` says whether a vector of the event's present text is stored. It is derived from
`memory_embedding`, outside of any undo step.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.event import (
    OF_EXTRACTOR,
    AlwaysVisible,
    Confidence,
    EventCounts,
    EventNode,
    EventQuery,
    EventText,
    counts_of,
)
from engram_desktop.domain.memory.facets import FacetCube
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.scope import ScopeName
from engram_desktop.domain.pipeline.outline import LINE_TOKENS
from engram_desktop.domain.recall.lexemes import match_query
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.branches import BranchStore, seen
from engram_desktop.storage.chat.events import vast_lists
from engram_desktop.storage.chat.events.event_filters import (
    ORDERS,
    STORY_ORDER,
    facet_cube,
    source_of,
)
from engram_desktop.storage.chat.events.event_rows import (
    ADD_EVENT_ITEM,
    COLUMNS,
    event_item,
    event_row,
    read_event,
)
from engram_desktop.storage.database import Database


class EmbeddedFlags:
    """Corrects ``is_embedded`` after vectors or events changed."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def correct(self, pks: Iterable[object]) -> None:
        """Correct ``is_embedded`` of these events, outside of any step."""
        self._db.rows(
            "UPDATE event SET is_embedded = EXISTS (SELECT 1 FROM memory_item i JOIN"
            " memory_embedding m ON m.item_id = i.id AND m.content_hash = i.content_hash"
            " WHERE i.kind = 'event' AND i.ref = event.id)"
            " WHERE pk IN (SELECT value FROM json_each(?))",
            (json.dumps(list(pks)),),
        )

    def correct_all(self) -> int:
        """Correct ``is_embedded`` of every event; returns how many were wrong.

        Deleted events have no vector and are corrected when they are restored.
        """
        wrong = self._db.rows(
            "SELECT pk FROM event WHERE is_deleted = 0 AND is_embedded <>"
            " EXISTS (SELECT 1 FROM memory_item i JOIN memory_embedding m ON m.item_id = i.id"
            " AND m.content_hash = i.content_hash WHERE i.kind = 'event' AND i.ref = event.id)"
        )
        self.correct(pk for (pk,) in wrong)
        return len(wrong)

    def correct_ids(self, ids: Sequence[str]) -> None:
        """As `correct`, for events by id."""
        rows = self._db.rows(
            "SELECT pk FROM event WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        self.correct(pk for (pk,) in rows)


FEW = 2_000  # events that SQLite sorts in 3 ms, while importing numpy takes 70
_UNTOLD = (
    "branch_id = ? AND is_deleted = 0 AND level = 0 AND status = 'archived' AND is_stale = 0"
    " AND is_locked = 0 AND scope IN ('global', 'shared') AND ifnull(condition, '') = ''"
    " AND parent_id IS NULL"
)


class EventStore:
    """Reads and writes events.

    A branch sees its own events, and its ancestors' up to the forks. Writes run inside the caller's
    transaction.
    """

    def __init__(self, database: Database, branches: BranchStore, few: int = FEW) -> None:
        """With more than ``few`` events, order and filter are read separately: see `vast_lists`."""
        self._db = database
        self._branches = branches
        self._few = few
        self.embedded = EmbeddedFlags(database)

    def find(self, query: EventQuery, most: int = -1) -> array[int]:
        """Return the keys of the events matching ``query``, in its order, at most ``most`` of them.

        Without a branch: of the main one.
        """
        found = self._found(query) if most < 0 else None
        if found is not None:
            keys = self._cut(replace(query, text="", only=None), found)
        elif most < 0 and self._is_cut(query):
            keys = self._cut(query, None)
        else:
            limit = "" if most < 0 else f" LIMIT {most:d}"
            sql, values = self._asked(query)
            ordered = f"{sql} ORDER BY {ORDERS[query.sort]}{limit}"
            told = self._db.value(f"SELECT json_group_array(n) FROM ({ordered})", values)
            keys = array("q", json.loads(told))
        return keys[::-1] if query.is_reversed else keys

    def _asked(self, query: EventQuery) -> tuple[str, list[Any]]:
        source, where, values = source_of(query)
        seen_here = self._seen(query.branch_id)
        return f"SELECT event.pk AS n FROM {source} WHERE {where} AND {seen_here}", values

    def _found(self, query: EventQuery) -> vast_lists.Keys | None:
        """Return the events that hold the query's text, or that it names; None if few."""
        text = query.text.strip()
        if query.only is not None and not text:
            keys = vast_lists.keys_in(query.only)
            return keys if keys.size > self._few else None
        expression = match_query(text)
        is_vast = self._is_vast(expression) if expression else text and self.has_many
        return self.of_words.find(text, expression) if is_vast else None

    def _is_vast(self, expression: str) -> bool:
        sql = "SELECT count(*) FROM memory_lexicon WHERE memory_lexicon MATCH ?"
        return int(self._db.value(sql, (expression,))) > self._few

    def _is_cut(self, query: EventQuery) -> bool:
        """Return whether story order is read first, and then reduced to the matching events."""
        if query.sort != "story" or match_query(query.text):
            return False
        is_whole = query == EventQuery(branch_id=query.branch_id, is_reversed=query.is_reversed)
        return not is_whole and self.has_many

    @property
    def has_many(self) -> bool:
        """Return whether the chat has more than ``few`` events: see `vast_lists`."""
        return int(self._db.value("SELECT max(pk) FROM event") or 0) > self._few

    def _cut(self, query: EventQuery, found: vast_lists.Keys | None) -> array[int]:
        """As `find`, with the matches of words already in ``found``."""
        sql, values = self._asked(query)
        ordered, told = f"{sql} ORDER BY {ORDERS[query.sort]}", values
        if query.sort == "story":
            whole, told = self._asked(EventQuery(branch_id=query.branch_id))
            ordered = f"{whole} ORDER BY {STORY_ORDER}"
        keys = vast_lists.column(self._db, ordered, told)
        if self._is_cut(query):
            keys = vast_lists.among(keys, vast_lists.column(self._db, sql, values))
        return vast_lists.listed(keys if found is None else vast_lists.among(keys, found))

    @cached_property
    def of_words(self) -> vast_lists.EventsOfWords:
        """Return the map from items of the lexical index to events."""
        return vast_lists.EventsOfWords(self._db)

    def cube(self, query: EventQuery) -> FacetCube:
        """Count the events of ``query``, without its facets, by each facet."""
        found = self._found(query)
        return facet_cube(self._db, query, self._seen(query.branch_id), found)

    def fetch(self, pks: Sequence[int]) -> dict[int, EventNode]:
        """Return events by key; deleted ones are left out."""
        events: dict[int, EventNode] = {}
        for start in range(0, len(pks), 5000):
            part = tuple(pks[start : start + 5000])
            marks = ",".join("?" * len(part))
            sql = f"SELECT {COLUMNS}, updated_at FROM event WHERE pk IN ({marks})"
            for row in self._db.rows(sql, part):
                events[row[0]] = read_event(row)
        return events

    def by_ids(self, ids: Iterable[str], branch_id: str | None = None) -> list[EventNode]:
        """Return events by id, in story order; those seen from ``branch_id``, or of any branch."""
        seen_here = "" if branch_id is None else f" AND {self._seen(branch_id)}"
        # The plus keeps the planner from walking all events in story order to find a few.
        where = f"id IN (SELECT value FROM json_each(?)) AND +is_deleted = 0{seen_here}"
        return self.select(where, (json.dumps(list(ids)),))

    def buffer(self, branch_id: str = MAIN_BRANCH) -> list[int]:
        """Return the keys of a line's unlocked events that wait to be archived, in story order."""
        rows = self._db.rows(
            "SELECT pk FROM event WHERE status = 'buffer' AND is_deleted = 0 AND level = 0"
            f" AND is_locked = 0 AND {self._seen(branch_id)} ORDER BY {STORY_ORDER}"
        )
        return [pk for (pk,) in rows]

    def locked_in_buffer(self, branch_id: str) -> int:
        """Return how many events of a line are locked in the buffer."""
        count = self._db.value(
            "SELECT count(*) FROM event WHERE status = 'buffer' AND is_deleted = 0"
            f" AND level = 0 AND is_locked = 1 AND {self._seen(branch_id)}"
        )
        return int(count)

    def visible(self, branch_id: str = MAIN_BRANCH, plain: int | None = None) -> list[EventNode]:
        """Return the always visible events, in story order.

        With ``plain``, of those in no outline only the newest ``plain``.
        """
        where = self._visible(branch_id)
        if plain is not None:
            newest = f"{where} AND level = 0 ORDER BY {ORDERS['newest']} LIMIT {plain:d}"
            where += f" AND (level >= 1 OR pk IN (SELECT pk FROM event WHERE {newest}))"
        return self.select(where, (), source="event INDEXED BY event_line")

    def outline_ids(self, branch_id: str = MAIN_BRANCH) -> frozenset[str]:
        """Return the ids of the outlines that are always visible from a branch."""
        rows = self._db.brief_rows(
            "SELECT id FROM event INDEXED BY event_outline"
            f" WHERE level >= 1 AND {self._visible(branch_id)}"
        )
        return frozenset(outline_id for (outline_id,) in rows)

    def archived_roots(self, branch_id: str) -> list[EventNode]:
        """Return the branch's own unlocked archived events in no outline, in story order."""
        return self.select(_UNTOLD, (branch_id,))

    def always_visible(self, branch_id: str = MAIN_BRANCH) -> AlwaysVisible:
        """Count what `visible` and `buffer` return, without reading either."""
        line = f"tokens + {LINE_TOKENS}"
        waits = "status = 'buffer' AND level = 0 AND is_locked = 0"

        def read() -> AlwaysVisible:
            row = self._db.rows(
                f"SELECT sum({line}), sum({waits}), sum(iif({waits}, tokens, 0))"
                f" FROM event WHERE {self._visible(branch_id)}"
            )[0]
            untold = self._db.value(f"SELECT count(*) FROM event WHERE {_UNTOLD}", (branch_id,))
            return AlwaysVisible(*(int(n or 0) for n in (*row, untold)))

        return self._db.until_written.of((EventStore.always_visible, branch_id), read)

    def before(self, floor: int, limit: int, branch_id: str = MAIN_BRANCH) -> list[EventNode]:
        """Return the last ``limit`` events that end before ``floor``, in story order."""
        sql = (
            f"SELECT {COLUMNS}, updated_at FROM event WHERE is_deleted = 0 AND end_index < ?"
            f" AND {self._seen(branch_id)} ORDER BY {ORDERS['newest']} LIMIT ?"
        )
        return [read_event(row) for row in reversed(self._db.rows(sql, (floor, limit)))]

    def replaceable(self, branch_id: str, first: int, last: int, extractor: str) -> list[int]:
        """Return the keys of the unlocked events that a new summary of these floors replaces.

        Those inside that no model made or that the same extractor made, and stale ones that touch
        the floors; never events written by the user.
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
        """Return the branch's own events, without outlines, that touch these floors."""
        return self.select(
            "branch_id = ? AND start_index <= ? AND end_index >= ? AND is_deleted = 0"
            " AND level = 0",
            (branch_id, last, first),
        )

    def at_floors(self, branch_id: str, first: int, last: int) -> list[EventNode]:
        """Return the events, outlines too, of a line that touch these floors."""
        return self.select(
            f"start_index <= ? AND end_index >= ? AND is_deleted = 0 AND {self._seen(branch_id)}",
            (last, first),
        )

    def counts(self, branch_id: str = MAIN_BRANCH, text: str = "") -> EventCounts:
        """Count the events of a line, or those that a search for ``text`` finds."""
        return counts_of(self.cube(EventQuery(text=text, branch_id=branch_id)))

    def ranges(self, branch_id: str) -> list[tuple[int, int, str]]:
        """Return (start, end, state) of the events of level 0, unordered."""
        return self._db.rows(
            "SELECT start_index, end_index, iif(is_stale, 'stale', status) FROM event"
            f" WHERE {self._seen(branch_id)} AND level = 0 AND is_deleted = 0"
        )

    def story_times(self, pks: Sequence[int]) -> list[tuple[int, str, str, int]]:
        """Return (key, branch, story time, first floor) of these events, in order."""
        return self._db.rows(
            "SELECT e.pk, e.branch_id, ifnull(json_extract(iif(json_valid(e.raw_data), e.raw_data,"
            " '{}'), '$.timestamp'), ''), e.start_index FROM json_each(?) j"
            " JOIN event e ON e.pk = j.value WHERE e.level = 0 ORDER BY j.key",
            (json.dumps(list(pks)),),
        )

    def spans(self, branch_id: str) -> list[tuple[int, int, int, str]]:
        """Return (key, start, end, state) of each event of level 0, with the states of `ranges`."""
        return self._db.rows(
            "SELECT pk, start_index, end_index, iif(is_stale, 'stale', status) FROM event"
            f" WHERE {self._seen(branch_id)} AND level = 0 AND is_deleted = 0"
            " ORDER BY start_index, end_index, pk"
        )

    def texts(self, keys: Sequence[int]) -> list[EventText]:
        """Return the texts of events, in story order, without reading wide rows."""
        where = "pk IN (SELECT value FROM json_each(?))"
        return self._told("event", where, [json.dumps(list(keys))])

    def stale_texts(self, branch_id: str) -> list[EventText]:
        """As `texts`, for all stale events, outlines too."""
        where = f"{self._seen(branch_id)} AND is_stale = 1 AND is_deleted = 0"
        return self._told("event INDEXED BY event_stale", where)

    def _told(self, source: str, where: str, values: Sequence[Any] = ()) -> list[EventText]:
        fields = "pk, id, start_index, end_index, summary"
        query = f"SELECT {fields} FROM {source} WHERE {where} ORDER BY {STORY_ORDER}"
        rows = self._db.rows(query, values)
        return [EventText._make(row) for row in rows]

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
        self.embedded.correct(pks)  # a text that was stored before may have its vector still
        return pks

    def replace(self, events: Sequence[EventNode], now: int) -> None:
        """Write all fields of ``events``, and their items."""
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
        """Set the confidence to confirmed, or the extractor's; returns the keys that changed."""
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
        """Tombstone events and delete their items from every index; returns keys that changed."""
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
        """Return those of ``events`` that are unchanged since they were read, and unlocked."""
        return self.unchanged(events, " AND status = 'buffer'")

    def unchanged(self, events: Sequence[EventNode], condition: str = "") -> list[EventNode]:
        """Return those of ``events`` that are unchanged since they were read, and not locked."""
        times = dict(
            self._db.rows(
                "SELECT pk, updated_at FROM event WHERE is_deleted = 0 AND is_locked = 0"
                f"{condition} AND pk IN (SELECT value FROM json_each(?))",
                (json.dumps([e.pk for e in events]),),
            )
        )
        return [e for e in events if times.get(e.pk) == e.updated_at]

    def ending_since(self, floor: int, branch_id: str) -> list[EventNode]:
        """Return events, without outlines, that end at ``floor`` or later, by their ends.

        Only up to the first event in the buffer, whose entities are not known yet.
        """
        rows = self._db.rows(
            f"SELECT pk FROM event WHERE {self._is_told(branch_id)} AND end_index >= ?"
            " ORDER BY end_index, start_index, timestamp, id",
            (floor,),
        )
        events = self.fetch([pk for (pk,) in rows])
        return [events[pk] for (pk,) in rows]

    def never_linked(self, pks: Sequence[int]) -> list[int]:
        """Return those of ``pks`` that name entities or relations but have no graph evidence."""
        rows = self._db.rows(
            "SELECT pk FROM event WHERE pk IN (SELECT value FROM json_each(?)) AND is_deleted = 0"
            " AND (json_array_length(raw_data, '$.entities') > 0"
            " OR json_array_length(raw_data, '$.relations') > 0)"
            " AND NOT EXISTS (SELECT 1 FROM evidence v WHERE v.event_id = event.id)"
            f" ORDER BY {STORY_ORDER}",
            (json.dumps(list(pks)),),
        )
        return [pk for (pk,) in rows]

    def floors_covered(self, branch_id: str) -> int:
        """Return the number of floors up to the end of the events of `ending_since`."""
        sql = f"SELECT max(end_index) + 1 FROM event WHERE {self._is_told(branch_id)}"
        return int(self._db.value(sql) or 0)

    def _is_told(self, branch_id: str) -> str:
        here = f"{self._seen(branch_id)} AND is_deleted = 0 AND level = 0"
        return (
            f"{here} AND end_index < ifnull((SELECT min(start_index) FROM event WHERE {here}"
            " AND is_archived = 0 AND is_locked = 0), 1 << 60)"
        )

    def stale(self, branch_id: str, *, outlines: bool = False) -> list[EventNode]:
        """Return the branch's own stale events (or outlines) that a redo may replace."""
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
        """Return SQL for the events that are always visible from a branch.

        An ancestor's outline that reaches beyond the fork is not visible, but its parts are.
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
        """Return the events that match a condition in SQL, in story order."""
        sql = f"SELECT {COLUMNS}, updated_at FROM {source} WHERE {where} ORDER BY {STORY_ORDER}"
        return [read_event(row) for row in self._db.rows(sql, values)]


# Outlines: events of level 1 and above, which summarise their parts. The parts of an outline are
# the events whose ``parent_id`` names it.


@dataclass(frozen=True, slots=True)
class OutlinePart:
    """What is needed of a part of an outline to decide who may know it."""

    pk: int
    id: str
    outline_id: str
    level: int
    confidence: Confidence
    scope: ScopeName
    condition: str | None


class OutlineStore:
    """Puts events under outlines and dissolves outlines, inside the caller's transaction."""

    def __init__(self, database: Database, events: EventStore) -> None:
        self._db = database
        self._events = events

    def children(self, outline_id: str) -> list[EventNode]:
        """Return the parts of an outline, in story order."""
        # The plus keeps the planner from walking all events in story order to find these.
        return self._events.select("parent_id = ? AND +is_deleted = 0", (outline_id,))

    def parts(self, outline_ids: Collection[str]) -> list[OutlinePart]:
        """Return the parts of some outlines, in story order, without their texts."""
        rows = self._db.rows(
            "SELECT pk, id, parent_id, level, confidence, scope, condition FROM event"
            " WHERE parent_id IN (SELECT value FROM json_each(?)) AND +is_deleted = 0"
            f" ORDER BY {STORY_ORDER}",
            (json.dumps(list(outline_ids)),),
        )
        return [OutlinePart(*row) for row in rows]

    def parents(self) -> dict[int, int]:
        """Return the key of the outline by the key of each part, in every branch.

        Reads indexes only.
        """
        outlines = dict(
            self._db.rows(
                "SELECT id, pk FROM event INDEXED BY event_outline"
                " WHERE level >= 1 AND is_deleted = 0"
            )
        )
        rows = self._db.rows(
            "SELECT pk, parent_id FROM event INDEXED BY event_parent WHERE parent_id IS NOT NULL"
        )
        return {pk: outlines[parent] for pk, parent in rows if parent in outlines}

    def has_stale(self, branch_id: str) -> bool:
        """Return whether the branch has a stale outline of its own that may be dissolved."""
        return bool(
            self._db.value(
                "SELECT 1 FROM event WHERE branch_id = ? AND is_deleted = 0 AND level >= 1"
                " AND is_stale = 1 AND is_locked = 0 AND extractor <> 'manual' LIMIT 1",
                (branch_id,),
            )
        )

    def put_under(self, pks: Sequence[int], parent_id: str, now: int) -> None:
        """Put events under an outline and archive them."""
        self._db.rows(
            "UPDATE event SET parent_id = ?1, status = 'archived', is_archived = 1,"
            " updated_at = ?2 WHERE pk IN (SELECT value FROM json_each(?3))",
            (parent_id, now, json.dumps(list(pks))),
        )

    def dissolve(self, outline: EventNode, now: int) -> list[int]:
        """Dissolve an outline: tombstone it and detach its parts; returns the parts' keys."""
        parts = self.children(outline.id)
        shown = [replace(c, parent_id=None, status="buffer", is_archived=False) for c in parts]
        self._events.delete([outline.pk], now)
        self._events.replace(shown, now)
        return [outline.pk, *(c.pk for c in parts)]
