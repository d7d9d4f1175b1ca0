"""Memory items and their lexical index: what recall ranks.

Ids of items with a token are looked up once, kept between questions, and updated by changes:
questions share their commonest words, which are the slowest to look up (5 ms for a word in every
third of 100,000 messages).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.event import CONFIDENCES, Confidence, EventNode, is_at_least
from engram_desktop.domain.memory.extraction import turn_content
from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.query import ItemFilter, Layout, MemoryItem, StoryLinks
from engram_desktop.domain.recall.relative_time import opening_day, story_days
from engram_desktop.storage.answers import Answers, ItemChanges, revision
from engram_desktop.storage.chat.branches import Path as BranchPath
from engram_desktop.storage.chat.events.event_rows import ADD_EVENT_ITEM, event_item
from engram_desktop.storage.chat.events.events import EventStore, OutlinePart
from engram_desktop.storage.chat.events.private_logs import ADD_LOG_ITEM, PrivateLogStore, log_item
from engram_desktop.storage.chat.knowledge import KIND, REF, is_known_by, may_know
from engram_desktop.storage.chat.messages import ADD_TURN_ITEM, IS_ROUTINE, MessageStore
from engram_desktop.storage.chat.recall.columns import ColumnStore
from engram_desktop.storage.database import Database

Ids = NDArray[np.int64]
_IDS_IN_MEMORY = 3_000_000  # 24 MB: the commonest words of 100,000 messages
_OPENING = 120  # first characters of a message, where it may name its day
_TOLD_IN = 80  # first characters of a message in which a day is its date, not a topic
_DAY_WORDS = '("第" AND ("天" OR "日" OR "夜")) OR "day"'  # tokens in every text that names a day
_PAGES_MERGED = 500  # pages merged at once: 50 ms


class Lexicon:
    """The tokens of one chat. Safe from any thread."""

    def __init__(self, database: Database, changes: ItemChanges) -> None:
        self._db = database
        self._changes = changes
        self._lock = threading.Lock()
        self._seen: int | None = None
        self._highest = 0  # highest id known; higher ones are new
        self._counts: dict[str, int] = {}
        self._postings: dict[str, Ids] = {}
        self._size = 0

    def frequency(self, tokens: Sequence[str]) -> dict[str, int]:
        """Return how many items hold each token; tokens without items are left out."""
        with self._lock:
            self._refresh()
            asked = dict.fromkeys(tokens)
            unknown = [token for token in asked if token not in self._counts]
            if unknown:
                counts = dict(
                    self._db.rows(
                        "SELECT t.value, v.doc FROM json_each(?) t"
                        " CROSS JOIN memory_lexicon_term v ON v.term = t.value",
                        (json.dumps(unknown, ensure_ascii=False),),
                    )
                )
                self._counts |= {token: int(counts.get(token, 0)) for token in unknown}
            return {token: self._counts[token] for token in asked if self._counts[token]}

    def postings(self, tokens: Sequence[str]) -> list[Ids]:
        """Return the ids of the rows that hold each of ``tokens``, in order."""
        with self._lock:
            self._refresh()
            postings = [self._postings_of(token) for token in tokens]
            while self._size > _IDS_IN_MEMORY and len(self._postings) > 1:
                self._size -= self._postings.pop(next(iter(self._postings))).size
            return postings

    def tidy(self, *, begins: bool) -> bool:
        """Merge what many transactions wrote; returns whether more is left to merge.

        A token is looked up in each part separately: the 20 parts of a chat of 10,000 messages take
        four times as long as one. The caller holds the transaction.
        """
        before = int(self._db.value("SELECT total_changes()"))
        self._db.run_many(
            "INSERT INTO memory_lexicon(memory_lexicon, rank) VALUES ('merge', ?)",
            # negative: all parts, whatever their size
            [(-_PAGES_MERGED if begins else _PAGES_MERGED,)],
        )
        return int(self._db.value("SELECT total_changes()")) - before > 1  # the command itself

    def _postings_of(self, token: str) -> Ids:
        """Return a token's ids, read as one text: a row for each takes three times as long."""
        ids = self._postings.pop(token, None)
        if ids is None:
            text = self._db.value(
                "SELECT group_concat(rowid) FROM memory_lexicon WHERE memory_lexicon MATCH ?",
                ('"' + token.replace('"', "") + '"',),
            )
            ids = np.fromstring(text or "", np.int64, sep=",")
            self._size += ids.size
        self._postings[token] = ids  # as the newest, at the end
        return ids

    def _refresh(self) -> None:
        newest, changed = self._changes.since(self._seen)
        if changed is None:
            self._counts, self._postings, self._size = {}, {}, 0
            self._highest = int(self._db.value("SELECT max(id) FROM memory_item") or 0)
        elif changed:
            self._update(sorted(changed))
        self._seen = newest

    def _update(self, changed: list[int]) -> None:
        """Remove changed items from the kept lists, and add them where they belong now."""
        rows = self._db.rows(
            "SELECT id, content FROM memory_item WHERE id IN (SELECT value FROM json_each(?))"
            " ORDER BY id",
            (json.dumps(changed),),
        )
        old = np.array([i for i in changed if i <= self._highest], np.int64)
        if old.size:  # their former tokens are not known any more
            for token, ids in self._postings.items():
                place = np.searchsorted(ids, old).clip(max=max(0, ids.size - 1))
                if ids.size and (ids[place] == old).any():
                    self._postings[token] = np.setdiff1d(ids, old, assume_unique=True)
            self._counts = {}
        for item_id, content in rows:
            for token in set(index_tokens(content)):
                if token in self._counts:
                    self._counts[token] += 1
                if token in self._postings:
                    ids = self._postings[token]
                    place = np.searchsorted(ids, item_id)
                    self._postings[token] = np.insert(ids, place, item_id)
        self._size = sum(ids.size for ids in self._postings.values())
        self._highest = max(self._highest, *changed)


# Kind `heard` counts as kind `turn` for those who hear it.
_ITEM = (
    f"id, {KIND.format(i='memory_item')}, {REF.format(i='memory_item')}, branch_id, content,"
    " start_index, end_index"
)
_ORPHANS = (
    "SELECT i.id FROM memory_item i WHERE"
    " (i.kind = 'event' AND NOT EXISTS (SELECT 1 FROM event e WHERE e.id = i.ref"
    "  AND e.is_deleted = 0))"
    " OR (i.kind = 'turn' AND NOT EXISTS (SELECT 1 FROM message m WHERE m.id = i.ref"
    "  AND m.is_deleted = 0))"
    " OR (i.kind = 'heard' AND NOT EXISTS (SELECT 1 FROM message m WHERE m.id ="
    f" {REF.format(i='i')} AND m.is_deleted = 0))"
    " OR (i.kind = 'log' AND NOT EXISTS (SELECT 1 FROM private_log l WHERE l.id = i.ref"
    "  AND l.is_deleted = 0))"
    " OR (i.kind = 'entity' AND NOT EXISTS (SELECT 1 FROM entity n WHERE n.id = i.ref))"
)
# Python strips more white space than SQLite: a message of a wide space has no item.
_BLANKS = ", ".join(str(code) for code in range(0x3001) if chr(code).isspace())
_BARE_MESSAGES = (
    "SELECT m.id, m.branch_id, m.seq, m.name, m.text FROM message m WHERE m.is_deleted = 0"
    f" AND trim(m.text, char({_BLANKS})) <> '' AND NOT EXISTS (SELECT 1 FROM memory_item i"
    f" WHERE i.kind = 'turn' AND i.ref = m.id) AND NOT {IS_ROUTINE.format(message='m')}"
)
_BARE_EVENTS = (
    "SELECT e.pk FROM event e WHERE e.is_deleted = 0 AND NOT EXISTS"
    " (SELECT 1 FROM memory_item i WHERE i.kind = 'event' AND i.ref = e.id)"
)
_BARE_LOGS = (
    "SELECT l.pk FROM private_log l WHERE l.is_deleted = 0 AND NOT EXISTS"
    " (SELECT 1 FROM memory_item i WHERE i.kind = 'log' AND i.ref = l.id)"
)
_FAULTS = (_ORPHANS, _BARE_MESSAGES, _BARE_EVENTS, _BARE_LOGS)


class NamedDay(NamedTuple):
    """A message or event that names a numbered day of the story."""

    id: int
    day: int | None  # the first day it names; a message only counts by its beginning
    branch_id: str
    floor: int
    opening: int | None  # the day that the beginning of a message names as its date


class NamedDays:
    """All named days, by item id; read once, then updated by changes. Safe from any thread."""

    def __init__(self, database: Database, changes: ItemChanges) -> None:
        self._db = database
        self._changes = changes
        self._lock = threading.Lock()
        self._seen: int | None = None
        self._rows: dict[int, NamedDay] = {}

    def now(self) -> list[NamedDay]:
        """Return the present named days."""
        with self._lock:
            newest, changed = self._changes.since(self._seen)
            if changed is None:
                match = "SELECT rowid FROM memory_lexicon WHERE memory_lexicon MATCH ?"
                self._rows = self._read(match, _DAY_WORDS)
            elif changed:
                gone = set(changed)
                rows = {i: row for i, row in self._rows.items() if i not in gone}
                rows |= self._read("SELECT value FROM json_each(?)", json.dumps(changed))
                self._rows = dict(sorted(rows.items()))
            self._seen = newest
            return list(self._rows.values())

    def _read(self, ids: str, value: str) -> dict[int, NamedDay]:
        rows = self._db.rows(
            "SELECT id, iif(kind = 'turn', substr(content, 1, ?), content), branch_id, start_index,"
            f" kind FROM memory_item WHERE kind IN ('turn', 'event') AND id IN ({ids}) ORDER BY id",
            (_OPENING, value),
        )
        found: dict[int, NamedDay] = {}
        for item_id, text, branch_id, floor, kind in rows:
            is_turn = kind == "turn"
            days = story_days(text[:_TOLD_IN] if is_turn else text)
            opening = opening_day(text) if is_turn else None
            if days or opening is not None:
                day = days[0] if days else None
                found[item_id] = NamedDay(item_id, day, branch_id, floor, opening)
        return found


class ItemStore:
    """Reads items and searches their tokens; rows are written together with what they describe."""

    def __init__(
        self,
        database: Database,
        messages: MessageStore,
        events: EventStore,
        logs: PrivateLogStore,
        changes: ItemChanges,
        answers: Answers,
    ) -> None:
        self._db = database
        self._answers = answers
        self._columns = ColumnStore(database, changes)
        self._lexicon = Lexicon(database, changes)
        self._days = NamedDays(database, changes)
        self._messages = messages
        self._events = events
        self._logs = logs

    def count(self) -> int:
        return int(self._db.value("SELECT count(*) FROM memory_item"))

    def size(self) -> int:
        """As `count`, from the columns in memory."""
        return int(self._columns.now().items.ids.size)

    def ids(self) -> list[int]:
        return [i for (i,) in self._db.rows("SELECT id FROM memory_item ORDER BY id")]

    def fetch(self, ids: Sequence[int]) -> dict[int, MemoryItem]:
        rows = self._db.rows(
            f"SELECT {_ITEM} FROM memory_item WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        return {row[0]: MemoryItem(*row) for row in rows}

    def senders(self, ids: Sequence[int]) -> dict[int, tuple[str, int]]:
        """Return sender and time (milliseconds, 0 if unknown) of each of these turns."""
        return self._columns.senders(ids)

    def hashes(self, ids: Sequence[int]) -> dict[int, str]:
        """Return the content hash of each item that still exists."""
        return dict(
            self._db.rows(
                "SELECT id, content_hash FROM memory_item"
                " WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(ids)),),
            )
        )

    def of_events(self, event_ids: Sequence[str]) -> dict[str, tuple[int, str]]:
        """Return (item id, content hash) by event id."""
        rows = self._db.rows(
            "SELECT ref, id, content_hash FROM memory_item WHERE kind = 'event'"
            " AND ref IN (SELECT value FROM json_each(?))",
            (json.dumps(list(event_ids)),),
        )
        return {ref: (item_id, key) for ref, item_id, key in rows}

    def turn_ids(self, message_ids: Sequence[str]) -> dict[str, int]:
        """Return the item of the whole message, by message id; empty messages have none."""
        rows = self._db.rows(
            "SELECT ref, id FROM memory_item WHERE kind = 'turn'"
            " AND ref IN (SELECT value FROM json_each(?))",
            (json.dumps(list(message_ids)),),
        )
        return dict(rows)

    def previous(self, items: Sequence[MemoryItem]) -> dict[int, str]:
        """Return the content of the turn before each turn among ``items``, by item id.

        What is only heard of a message stands alone, since its hearers may not know the turn
        before.
        """
        turn_items = [i for i in items if i.kind == "turn"]
        whole = self.turn_ids([i.ref for i in turn_items]).values()
        turns = [i.id for i in turn_items if i.id in set(whole)]
        rows = self._db.rows(
            "SELECT i.id, p.content FROM memory_item i JOIN memory_item p ON p.kind = 'turn'"
            " AND p.branch_id = i.branch_id AND p.start_index = i.start_index - 1"
            " WHERE i.id IN (SELECT value FROM json_each(?))",
            (json.dumps(turns),),
        )
        contents: dict[int, str] = dict(rows)
        for item in items:  # the first turn of a branch follows one of its parent's
            is_alone = item.id in turns and item.id not in contents and item.start_index > 0
            if is_alone and (text := self._messages.turn_before(item.branch_id, item.start_index)):
                contents[item.id] = text
        return contents

    def document_frequency(self, tokens: Sequence[str]) -> dict[str, int]:
        """Return how many items hold each token; tokens without items are left out."""
        return self._lexicon.frequency(tokens)

    def postings(self, tokens: Sequence[str]) -> list[NDArray[np.int64]]:
        """Return the ids of the rows that hold each of ``tokens``, in order. Not to be changed."""
        return self._lexicon.postings(tokens)

    def tidy(self, *, begins: bool) -> bool:
        """Merge parts of the lexical index; returns whether more is left. See `Lexicon.tidy`."""
        return self._lexicon.tidy(begins=begins)

    def revision(self) -> int:
        """Return a number that grows with every change that recall could notice."""
        return revision(self._db)

    def layout(self, where: ItemFilter) -> Layout:
        """Return the columns of every item that ``where`` allows, in story order."""
        columns = self._columns.now()
        mask = columns.visible(where)
        if where.actor is not None:
            mask &= np.isin(columns.items.ids, self.known(where))
        if hidden := self._doubted(where.confidence):
            mask &= ~np.isin(columns.items.ids, np.array(hidden, np.int64))
        layout = columns.layout(mask)
        if where.actor is not None:
            muted = layout.is_muted | np.isin(layout.ids, self._heard_of_muted())
            layout = replace(layout, is_muted=muted)
        return layout

    def _heard_of_muted(self) -> list[int]:
        """Return the `heard` items of muted messages."""
        rows = self._db.rows(
            "SELECT h.id FROM memory_item t JOIN memory_item h ON h.kind = 'heard'"
            " AND h.ref >= t.ref || '#' AND h.ref < t.ref || '$'"
            " WHERE t.kind = 'turn' AND t.is_muted = 1"
        )
        return [item_id for (item_id,) in rows]

    def _doubted(self, least: Confidence) -> list[int]:
        """Return the items that no source of at least this confidence supports."""
        if least == CONFIDENCES[0]:
            return []
        levels = json.dumps([c for c in CONFIDENCES if is_at_least(c, least)])
        rows = self._db.rows(
            "SELECT i.id FROM memory_item i WHERE i.kind IN ('event', 'log', 'entity')"
            f" AND NOT ({_TRUSTED})",
            [levels] * 3,
        )
        return [item_id for (item_id,) in rows]

    def allowed(self, ids: Sequence[int], where: ItemFilter) -> set[int]:
        """Return those of ``ids`` that ``where`` allows."""
        condition, values = _condition(where)
        rows = self._db.rows(
            "SELECT i.id FROM memory_item i WHERE i.id IN (SELECT value FROM json_each(?))"
            f" AND {condition}",
            (json.dumps(list(ids)), *values),
        )
        return {i for (i,) in rows}

    def known_event_ids(self, where: ItemFilter) -> frozenset[str]:
        """Return the ids of the events that ``where`` allows."""
        of_events = replace(where, kinds=("event",))
        condition, values = _condition(of_events)
        sql = f"SELECT i.ref FROM memory_item i WHERE {condition}"
        is_of_all = where.actor is None and where.confidence == CONFIDENCES[0]
        return self._answers.of(
            ("events", of_events), lambda: self._refs(sql, values), needs_knowledge=not is_of_all
        )

    def known_events(self, where: ItemFilter) -> Callable[[EventNode | OutlinePart], bool]:
        """Return a test whether the actor may know an event, whatever the event's floors.

        The actor's own floor still limits what was said about knowledge.
        """
        refs: frozenset[str] | None = None
        if where.actor is not None:
            condition, values = may_know(where.asker)
            sql = f"SELECT i.ref FROM memory_item i WHERE i.kind = 'event' AND {condition}"
            key = ("events of any floor", where.asker)
            refs = self._answers.of(key, lambda: self._refs(sql, values))
        return lambda event: (
            (refs is None or event.id in refs) and is_at_least(event.confidence, where.confidence)
        )

    def known(self, where: ItemFilter) -> NDArray[np.int64]:
        """Return the ids of all items that the actor of ``where`` may know."""
        condition, values = may_know(where.asker)

        def ask() -> NDArray[np.int64]:
            text = self._db.value(
                f"SELECT group_concat(i.id) FROM memory_item i WHERE {condition}", values
            )
            return np.fromstring(text or "", np.int64, sep=",")

        return self._answers.of(("items", where.asker), ask)

    def tellings(self, branches: BranchPath) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return ids and first floors of messages, `heard` items and events."""
        columns = self._columns.now()
        # as for an actor, so that `heard` items are included
        mask = columns.visible(ItemFilter(("turn", "event"), branches, actor=""))
        return columns.items.ids[mask], columns.items.starts[mask]

    def _refs(self, sql: str, values: Sequence[Any]) -> frozenset[str]:
        return frozenset(ref for (ref,) in self._db.rows(sql, values))

    def known_names(self, where: ItemFilter) -> set[str]:
        """Return the normalised names in the events that ``where`` allows, and the actor's own."""
        condition, values = _condition(replace(where, kinds=("event",)))
        rows = self._db.rows(
            "SELECT DISTINCT json_extract(n.value, '$.name') FROM memory_item i JOIN event e"
            f" ON e.id = i.ref, json_each(e.raw_data, '$.entities') n WHERE {condition}",
            values,
        )
        names = {norm_name(name) for (name,) in rows if isinstance(name, str)}
        return names | where.known_as | {norm_name(where.actor or "")}

    def links(self, where: ItemFilter | None = None) -> StoryLinks:
        """Return which items name which entities, and the relations that ``where`` allows."""
        condition, values = "1", list[Any]()
        if where is not None and where.actor is not None:
            condition, values = is_known_by([where.asker], "event", "e")
        mentions = self._db.rows(
            "SELECT DISTINCT v.entity_id, i.id FROM evidence v JOIN memory_item i"
            " ON i.kind = 'event' AND i.ref = v.event_id WHERE v.entity_id IS NOT NULL"
            " UNION SELECT ref, id FROM memory_item WHERE kind = 'entity' ORDER BY 1, 2"
        )
        relations = self._db.rows(
            "SELECT DISTINCT src, predicate, dst FROM relation r WHERE EXISTS (SELECT 1"
            " FROM evidence v JOIN event e ON e.id = v.event_id AND e.is_deleted = 0"
            f" WHERE v.relation_id = r.id AND {condition}) ORDER BY 1, 3, 2",
            values,
        )
        return StoryLinks(tuple(mentions), tuple(relations))

    def entities_of(self, event_ids: Sequence[str]) -> dict[str, list[str]]:
        """Return the entities in each event, by event id."""
        entities: dict[str, list[str]] = {}
        for event_id, entity_id in self._db.rows(
            "SELECT DISTINCT event_id, entity_id FROM evidence WHERE entity_id IS NOT NULL"
            " AND event_id IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
            (json.dumps(list(event_ids)),),
        ):
            entities.setdefault(event_id, []).append(entity_id)
        return entities

    def set_muted(self, ids: Sequence[int], *, muted: bool) -> None:
        """Mute or unmute items. The caller holds the step."""
        self._db.run_many(
            "UPDATE memory_item SET is_muted = ? WHERE id = ?", [(int(muted), i) for i in ids]
        )

    def of_refs(self, refs: Sequence[str]) -> list[MemoryItem]:
        """Return the items of these messages, events, entities or logs."""
        rows = self._db.rows(
            f"SELECT {_ITEM} FROM memory_item WHERE ref IN (SELECT value FROM json_each(?))"
            " ORDER BY start_index, id",
            (json.dumps(list(refs)),),
        )
        return [MemoryItem(*row) for row in rows]

    def heard_whole(self, item: MemoryItem) -> list[int]:
        """Return the `heard` items that hold the whole message, without the end of the last one."""
        rows = self._db.rows(
            "SELECT id FROM memory_item WHERE kind = 'heard' AND ref > ? AND ref < ?"
            " AND branch_id = ? AND content = ?",
            (f"{item.ref}#", f"{item.ref}$", item.branch_id, item.content),
        )
        return [int(number) for (number,) in rows]

    def stale(self) -> frozenset[str]:
        """Return the ids of stale events and logs."""
        rows = self._db.brief_rows(
            "SELECT id FROM event INDEXED BY event_stale WHERE is_stale = 1 AND is_deleted = 0"
            " UNION ALL SELECT id FROM private_log WHERE is_stale = 1 AND is_deleted = 0"
        )
        return frozenset(ref for (ref,) in rows)

    def muted(self) -> list[MemoryItem]:
        """Return the muted items, in story order."""
        rows = self._db.brief_rows(
            f"SELECT {_ITEM} FROM memory_item INDEXED BY memory_item_muted WHERE is_muted = 1"
            " ORDER BY start_index, id"
        )
        return [MemoryItem(*row) for row in rows]

    def known_entities(self, ids: Sequence[str], where: ItemFilter) -> set[str]:
        """Return those entities of which ``where`` allows an item."""
        condition, values = _condition(replace(where, kinds=("entity",)))
        rows = self._db.rows(
            f"SELECT i.ref FROM memory_item i WHERE i.is_muted = 0 AND {condition}"
            " AND i.ref IN (SELECT value FROM json_each(?))",
            (*values, json.dumps(list(ids))),
        )
        return {ref for (ref,) in rows}

    def marks(self, refs: Sequence[str], branch_id: str) -> dict[tuple[str, str], str]:
        """Return a mark by (kind, ref) that changes with the item; entities as on ``branch_id``.

        Muted items and refs without an item are left out.
        """
        rows = self._db.rows(
            "SELECT kind, ref, content_hash FROM memory_item WHERE is_muted = 0"
            " AND ref IN (SELECT value FROM json_each(?)) AND (kind <> 'entity' OR branch_id = ?)",
            (json.dumps(list(refs)), branch_id),
        )
        return {(kind, ref): mark for kind, ref, mark in rows}

    def named_days(self) -> list[tuple[int, int]]:
        """Return (item id, day) of messages and events that name a numbered day."""
        return [(row.id, row.day) for row in self._days.now() if row.day is not None]

    def story_days(self) -> tuple[tuple[str, int, int], ...]:
        """Return (branch, floor, day) of messages whose beginning names their day of the story."""
        return tuple(
            sorted(
                (row.branch_id, row.floor, row.opening)
                for row in self._days.now()
                if row.opening is not None
            )
        )

    def faults(self) -> int:
        """Return how many events, messages, logs and items do not match each other."""
        return sum(int(self._db.value(f"SELECT count(*) FROM ({sql})")) for sql in _FAULTS)

    def rebuild_faulty(self) -> None:
        """Rebuild the items that do not match. The caller holds the transaction."""
        self._db.run_many(f"DELETE FROM memory_item WHERE id IN ({_ORPHANS})", [()])
        bare = [pk for (pk,) in self._db.rows(_BARE_EVENTS)]
        events = self._events.fetch(bare).values()
        self._db.run_many(ADD_EVENT_ITEM, [event_item(e) for e in events])
        logs = self._logs.fetch([pk for (pk,) in self._db.rows(_BARE_LOGS)]).values()
        self._db.run_many(ADD_LOG_ITEM, [log_item(log) for log in logs])
        for message_id, branch_id, seq, name, text in self._db.rows(_BARE_MESSAGES):
            content = turn_content(name, text)
            # Not the hash that `append` sets: the item is embedded again, with its neighbour by
            # then.
            row = (message_id, branch_id, content, content_hash(content), seq, seq)
            self._db.run_many(ADD_TURN_ITEM, [row])

    def conditional(self) -> list[tuple[str, str, str, list[str]]]:
        """Return (reference, owner, condition, participants) of memories with a condition."""
        rows = self._db.rows(
            "SELECT id, ifnull(owner, ''), ifnull(condition, ''), (SELECT json_group_array(p.name)"
            " FROM event_participant p WHERE p.event_id = event.id) FROM event"
            " INDEXED BY event_guarded"
            " WHERE (scope = 'conditional' OR condition <> '') AND is_deleted = 0"
            " UNION ALL SELECT id, owner, ifnull(condition, ''), '[]' FROM private_log"
            " WHERE (scope = 'conditional' OR condition <> '') AND is_deleted = 0"
        )
        return [(ref, owner, text, json.loads(names)) for ref, owner, text, names in rows]


def _condition(where: ItemFilter) -> tuple[str, list[Any]]:
    kinds: list[str] = list(where.kinds)
    if where.actor is not None and "turn" in kinds:
        kinds = [*kinds, "heard"]
    parts = ["i.kind IN (SELECT value FROM json_each(?))"]
    values: list[Any] = [json.dumps(kinds)]
    branches = []
    for branch_id, highest in where.branches:
        branches.append("i.branch_id = ?" + ("" if highest is None else " AND i.end_index <= ?"))
        values += [branch_id] if highest is None else [branch_id, highest]
    parts.append("(" + (" OR ".join(branches) or "0") + ")")
    if len(where.branches) > 1:  # an entity has an item for each branch
        parts.append("(i.kind <> 'entity' OR i.branch_id = ?)")
        values.append(where.branches[0][0])
    if where.at is not None:
        parts.append("i.end_index <= ?")
        values.append(where.at)
    if where.actor is not None:
        condition, more = may_know(where.asker)
        parts.append(condition)
        values += more
    if where.confidence != CONFIDENCES[0]:
        parts.append(_TRUSTED)
        levels = json.dumps([c for c in CONFIDENCES if is_at_least(c, where.confidence)])
        values += [levels] * 3
    return " AND ".join(parts), values


# Whether a source of one of these levels supports an item. Messages are always trusted.
_TRUSTED = (
    "CASE i.kind WHEN 'event' THEN EXISTS (SELECT 1 FROM event e WHERE e.id = i.ref"
    " AND e.confidence IN (SELECT value FROM json_each(?)))"
    " WHEN 'log' THEN EXISTS (SELECT 1 FROM private_log l WHERE l.id = i.ref"
    " AND l.confidence IN (SELECT value FROM json_each(?)))"
    " WHEN 'entity' THEN EXISTS (SELECT 1 FROM entity n WHERE n.id = i.ref AND n.is_locked = 1)"
    " OR EXISTS (SELECT 1 FROM evidence v JOIN event e ON e.id = v.event_id AND e.is_deleted = 0"
    " WHERE v.entity_id = i.ref AND e.confidence IN (SELECT value FROM json_each(?)))"
    " ELSE 1 END"
)
