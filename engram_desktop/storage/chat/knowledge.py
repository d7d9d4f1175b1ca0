"""Who perceives and who knows what: rows of a chat's database, and the rule of access.

The rule decides which memory items an actor may know, before anything is ranked, counted or shown.
It is `domain.memory.scope.ScopeName` as SQL: the audience of an item sums up scope, witnesses and
presence; what the user says about knowledge takes precedence; a memory with a condition is known
only while it holds, in every scope. Whatever waits to be derived is known to nobody.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import MemberNote, Perceiver, PresenceSpan, PrivatePart
from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.branches import BranchStore, Path, seen
from engram_desktop.storage.database import Database

# References of memories with a condition; each part is read from an index of its own.
GUARDED = (
    "SELECT id FROM event WHERE scope = 'conditional' OR condition <> ''"
    " UNION SELECT id FROM private_log WHERE scope = 'conditional' OR condition <> ''"
)
_DUE_MESSAGES = (
    "FROM knowledge_due d JOIN message m ON m.id = d.ref WHERE d.kind = 'turn' AND m.is_deleted = 0"
)
_DUE_EVENTS = (
    "FROM knowledge_due d JOIN event ON event.id = d.ref WHERE d.kind = 'event'"
    " AND event.is_deleted = 0"
)
EVERYBODY = "*"  # member of the audience of public memories

_IDS = "(SELECT value FROM json_each(?))"

# Kind and id of an item, as users and events refer to it.
KIND = "iif({i}.kind = 'heard', 'turn', {i}.kind)"
REF = "iif({i}.kind = 'heard', substr({i}.ref, 1, instr({i}.ref, '#') - 1), {i}.ref)"


# What an asker knows through a group: what the group learned, by its audience or by the user's
# word, up to the last floor on which the asker was a member.
_SAID_OF_GROUP = (
    "SELECT 1 FROM knowledge_fix f WHERE f.kind = {kind} AND f.ref = {ref} AND f.norm = ?"
)
_GROUP_KNOWS = (
    "(({i}.id IN (SELECT a.item_id FROM item_audience a JOIN audience_member m"
    " ON m.audience_id = a.audience WHERE m.norm = ?) AND {settled} AND {i}.end_index <= ?"
    f" AND NOT EXISTS ({_SAID_OF_GROUP}))"
    f" OR ({{i}}.kind <> 'heard' AND EXISTS ({_SAID_OF_GROUP} AND f.is_known = 1"
    f" AND f.from_floor <= ?) AND NOT EXISTS ({_SAID_OF_GROUP} AND f.is_known = 0)))"
)


def may_know(actor: Actor, item: str = "i") -> tuple[str, list[Any]]:
    """Return a condition on rows ``item`` of `memory_item` that ``actor`` may know; its values."""
    kind, ref = KIND.format(i=item), REF.format(i=item)
    norms = json.dumps(sorted(actor.norms))
    names = "(SELECT value FROM json_each(?))"
    at = 1 << 60 if actor.at is None else actor.at
    fix = f"SELECT 1 FROM knowledge_fix f WHERE f.kind = {kind} AND f.ref = {ref} AND f.norm IN"
    has_audience = (
        f"{item}.id IN (SELECT a.item_id FROM item_audience a WHERE a.audience IN (SELECT"
        f" m.audience_id FROM audience_member m WHERE m.norm = '{EVERYBODY}' OR m.norm IN {names}))"
    )
    is_settled = (
        f"NOT EXISTS (SELECT 1 FROM knowledge_due d WHERE d.kind = {kind} AND d.ref = {ref})"
    )
    is_undisputed = f"NOT EXISTS ({fix} {names})"
    is_said = f"EXISTS ({fix} {names} AND f.is_known = 1 AND f.from_floor <= ?)"
    is_denied = f"EXISTS ({fix} {names} AND f.is_known = 0)"
    through_group = "".join(f" OR ({is_undisputed} AND {_GROUP_KNOWS})" for _g in actor.groups)
    through_group = through_group.format(i=item, kind=kind, ref=ref, settled=is_settled)
    # with a message known by the user's word, the whole message is known and not a part of it
    condition = (
        f"(({has_audience} AND {is_settled} AND {is_undisputed})"
        f" OR ({item}.kind <> 'heard' AND {is_said} AND NOT {is_denied}){through_group})"
        f" AND {item}.ref NOT IN ({GUARDED} EXCEPT SELECT value FROM json_each(?))"
    )
    values: list[Any] = [norms, norms, norms, at, norms]
    for group, until in actor.groups:
        last = at if until is None else min(at, until)
        values += [norms, group, 1 << 60 if until is None else until, group, group, last, group]
    values.append(json.dumps(sorted(actor.fulfilled)))
    return f"({condition})", values


def all_may_know(actors: Sequence[Actor], item: str) -> tuple[str, list[Any]]:
    """Return the condition that all ``actors`` may know an item; always true without actors."""
    conditions = [may_know(actor, item) for actor in actors]
    values = [value for _condition, more in conditions for value in more]
    return " AND ".join(condition for condition, _more in conditions) or "1", values


def is_known_by(actors: Sequence[Actor], kind: str, table: str) -> tuple[str, list[Any]]:
    """Return the same condition for rows of ``table`` that have an item of this kind."""
    condition, values = all_may_know(actors, "known")
    return (
        f"EXISTS (SELECT 1 FROM memory_item known WHERE known.kind = '{kind}'"
        f" AND known.ref = {table}.id AND {condition})",
        values,
    )


NOBODY, ALL = 0, 1  # rows that every chat has


class AudienceStore:
    """Audiences: sets of people, each stored once, and the audience of each item.

    For writing, the caller holds the transaction.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def key(self, people: Sequence[Perceiver]) -> int:
        """Return the number of an audience, storing it if it is new; a name counts once.

        A person whose name is the mark of everybody is left out: no name makes a memory public.
        """
        by_norm: dict[str, Perceiver] = {}
        for person in people:
            norm = norm_name(person.name)
            is_name = norm not in ("", EVERYBODY)
            if is_name and (norm not in by_norm or person.confidence > by_norm[norm].confidence):
                by_norm[norm] = person
        rows = sorted((norm, p.how, round(p.confidence, 1), p.name) for norm, p in by_norm.items())
        text = json.dumps([[n, how, sure] for _norm, how, sure, n in rows], ensure_ascii=False)
        number = self._db.value("SELECT id FROM audience WHERE people = ?", (text,))
        if number is None:
            self._db.run_many("INSERT INTO audience(people) VALUES (?)", [(text,)])
            number = self._db.value("SELECT id FROM audience WHERE people = ?", (text,))
            self._db.run_many(
                "INSERT INTO audience_member(norm, audience_id) VALUES (?, ?)",
                [(norm, number) for norm in by_norm],
            )
        return int(number)

    def people(self, numbers: Iterable[int]) -> dict[int, tuple[Perceiver, ...]]:
        """Return the people of these audiences."""
        rows = self._db.rows(
            "SELECT id, people FROM audience WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(set(numbers))),),
        )
        return {
            number: tuple(Perceiver(name, how, sure) for name, how, sure in json.loads(text))
            for number, text in rows
        }

    def of_items(self, item_ids: Sequence[int]) -> dict[int, int]:
        """Return the audience of each item that has one."""
        return dict(
            self._db.rows(
                "SELECT item_id, audience FROM item_audience"
                " WHERE item_id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(item_ids)),),
            )
        )

    def put(self, audiences: Mapping[int, int]) -> None:
        """Store the audiences of items."""
        self._db.run_many(
            "INSERT OR REPLACE INTO item_audience(item_id, audience) VALUES (?, ?)",
            sorted(audiences.items()),
        )

    def members(self) -> list[str]:
        """Return the names of all in audiences of items, by how many audiences they are in."""
        rows = self._db.rows(
            "SELECT min(json_extract(p.value, '$[0]')), count(*) FROM audience a,"
            " json_each(a.people) p WHERE a.id > 1 AND EXISTS (SELECT 1 FROM item_audience i"
            " WHERE i.audience = a.id) GROUP BY lower(json_extract(p.value, '$[0]'))"
            " ORDER BY count(*) DESC, 1"
        )
        return [str(name) for name, _count in rows]


Ref = tuple[str, str]  # kind (turn, event, entity, log) and id


@dataclass(frozen=True, slots=True)
class KnowledgeFix:
    """What the user says: whether a person knows a memory, from which floor on, and how."""

    kind: str
    ref: str
    name: str
    is_known: bool
    from_floor: int = 0
    how: str = "confirmed"


class KnowledgeStore:
    """What is due for deriving, and the user's corrections of knowledge.

    For writing, the caller holds the transaction.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def has_due(self) -> bool:
        return bool(self._db.brief_rows("SELECT EXISTS (SELECT 1 FROM knowledge_due)")[0][0])

    def due(self, kind: str) -> list[str]:
        """Return the ids of this kind whose knowledge must be derived."""
        rows = self._db.rows("SELECT ref FROM knowledge_due WHERE kind = ?", (kind,))
        return [ref for (ref,) in rows]

    def due_branches(self) -> list[str]:
        """Return the branches with messages whose audience must be derived."""
        rows = self._db.rows(f"SELECT DISTINCT m.branch_id {_DUE_MESSAGES} ORDER BY 1")
        return [branch_id for (branch_id,) in rows]

    def due_floors(self, branch_id: str) -> array[int]:
        """Return the floors of a branch whose audience must be derived, in order."""
        floors = f"SELECT m.seq AS n {_DUE_MESSAGES} AND m.branch_id = ? ORDER BY m.seq"
        listed = self._db.value(f"SELECT json_group_array(n) FROM ({floors})", (branch_id,))
        return array("q", json.loads(listed))

    def gone_messages(self) -> list[str]:
        """Return the ids of due messages that do not exist any more."""
        rows = self._db.rows(
            "SELECT d.ref FROM knowledge_due d WHERE d.kind = 'turn' AND NOT EXISTS"
            " (SELECT 1 FROM message m WHERE m.id = d.ref AND m.is_deleted = 0)"
        )
        return [ref for (ref,) in rows]

    def due_events(self) -> list[str]:
        """Return the ids of the due events of the lowest level, by their floors."""
        rows = self._db.rows(
            f"SELECT event.id {_DUE_EVENTS} AND level = (SELECT min(level) {_DUE_EVENTS})"
            " ORDER BY start_index, end_index, id"
        )
        return [event_id for (event_id,) in rows]

    def gone_events(self) -> list[str]:
        """Return the ids of due events that do not exist any more."""
        rows = self._db.rows(
            "SELECT d.ref FROM knowledge_due d WHERE d.kind = 'event' AND NOT EXISTS"
            " (SELECT 1 FROM event e WHERE e.id = d.ref AND e.is_deleted = 0)"
        )
        return [ref for (ref,) in rows]

    def mark_derived(self, kind: str, refs: Iterable[str]) -> None:
        """Mark these as derived, and raise the revision, which invalidates caches."""
        self._db.run_many(
            "DELETE FROM knowledge_due WHERE kind = ? AND ref = ?", [(kind, ref) for ref in refs]
        )
        self._db.run_many("UPDATE revision SET number = number + 1", [()])

    def fix(self, fixes: Sequence[KnowledgeFix]) -> None:
        """Store the user's corrections."""
        self._db.run_many(
            "INSERT OR REPLACE INTO knowledge_fix(kind, ref, norm, name, is_known, from_floor, how)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (f.kind, f.ref, norm_name(f.name), f.name, int(f.is_known), f.from_floor, f.how)
                for f in fixes
            ],
        )

    def unfix(self, refs: Sequence[Ref], name: str) -> None:
        """Delete the user's corrections of a person and these memories."""
        self._db.run_many(
            "DELETE FROM knowledge_fix WHERE kind = ? AND ref = ? AND norm = ?",
            [(kind, ref, norm_name(name)) for kind, ref in refs],
        )

    def delete_corrections(self, pairs: Iterable[tuple[str, str, str]]) -> None:
        """Delete all corrections for (kind, id, normalised name)."""
        rows = list(pairs)
        for table in ("knowledge_fix", "kept_from"):
            self._db.run_many(f"DELETE FROM {table} WHERE kind = ? AND ref = ? AND norm = ?", rows)

    def named_of_events(self) -> list[str]:
        """Return the names that the user said anything about an event of, sorted."""
        rows = self._db.rows(
            "SELECT min(name) FROM (SELECT norm, name FROM knowledge_fix WHERE kind = 'event'"
            " UNION ALL SELECT norm, name FROM kept_from WHERE kind = 'event')"
            " GROUP BY norm ORDER BY norm"
        )
        return [str(name) for (name,) in rows]

    def is_named(self, norms: Collection[str]) -> bool:
        """Return whether these names occur in audiences, events, corrections or groups."""
        names = json.dumps(sorted(set(norms) - {"", EVERYBODY}))
        tables = ("audience_member", "event_participant", "knowledge_fix", "kept_from")
        places = [*((table, "norm") for table in tables)]
        places += [("group_member", "norm"), ("group_member", "group_norm")]
        return any(
            self._db.value(
                f"SELECT EXISTS (SELECT 1 FROM {table} WHERE {column} IN {_IDS})", (names,)
            )
            for table, column in places
        )

    def fixes(self, refs: Sequence[Ref]) -> list[KnowledgeFix]:
        """Return the user's corrections of these memories, by name."""
        rows = self._db.rows(
            "SELECT kind, ref, name, is_known, from_floor, how FROM knowledge_fix"
            " WHERE (kind, ref) IN (SELECT json_extract(value, '$[0]'),"
            " json_extract(value, '$[1]') FROM json_each(?)) ORDER BY kind, ref, norm",
            (json.dumps([list(ref) for ref in refs]),),
        )
        return [KnowledgeFix(k, r, n, bool(known), at, how) for k, r, n, known, at, how in rows]

    def say_member(self, message_id: str, group: str, name: str, *, is_member: bool) -> None:
        """Store that a person joins or leaves a group at a message."""
        self._db.run_many(
            "INSERT OR REPLACE INTO group_member(message_id, group_norm, norm, group_name, name,"
            " is_member) VALUES (?, ?, ?, ?, ?, ?)",
            [(message_id, norm_name(group), norm_name(name), group, name, int(is_member))],
        )

    def unsay_member(self, message_ids: Iterable[str], group: str, name: str) -> None:
        """Delete what was said about a person and a group at these messages."""
        self._db.run_many(
            "DELETE FROM group_member WHERE message_id = ? AND group_norm = ? AND norm = ?",
            [(i, norm_name(group), norm_name(name)) for i in message_ids],
        )

    def member_notes(self, path: Path) -> list[MemberNote]:
        """Return who joined or left groups on the floors that a branch sees, in story order."""
        ends = dict(path)
        rows = self._db.rows(
            "SELECT m.seq, g.group_name, g.name, g.is_member, g.message_id, m.branch_id"
            " FROM group_member g JOIN message m ON m.id = g.message_id AND m.is_deleted = 0"
            f" WHERE m.branch_id IN {_IDS} ORDER BY m.seq, g.group_norm, g.norm",
            (json.dumps(list(ends)),),
        )
        return [
            MemberNote(seq, group, name, bool(is_member), message_id)
            for seq, group, name, is_member, message_id, branch_id in rows
            if (end := ends[branch_id]) is None or seq <= end
        ]

    def keep_from(self, refs: Sequence[Ref], names: Sequence[str]) -> None:
        """Store who must not learn these memories, replacing former names."""
        self._db.run_many("DELETE FROM kept_from WHERE kind = ? AND ref = ?", refs)
        self._db.run_many(
            "INSERT OR IGNORE INTO kept_from(kind, ref, norm, name) VALUES (?, ?, ?, ?)",
            [(kind, ref, norm_name(name), name) for kind, ref in refs for name in names],
        )

    def also_keep_from(self, pairs: Iterable[tuple[str, str, str]]) -> None:
        """Add (kind, id, name) of persons who must not learn a memory."""
        self._db.run_many(
            "INSERT OR IGNORE INTO kept_from(kind, ref, norm, name) VALUES (?, ?, ?, ?)",
            [(kind, ref, norm_name(name), name) for kind, ref, name in pairs],
        )

    def kept_from(self, refs: Sequence[Ref] | None = None) -> dict[Ref, tuple[str, ...]]:
        """Return who must not learn what: of all memories, or of these."""
        names: dict[Ref, list[str]] = {}
        where = (
            ""
            if refs is None
            else (
                " WHERE (kind, ref) IN (SELECT json_extract(value, '$[0]'),"
                " json_extract(value, '$[1]') FROM json_each(?))"
            )
        )
        values = () if refs is None else (json.dumps([list(ref) for ref in refs]),)
        for kind, ref, name in self._db.rows(
            f"SELECT kind, ref, name FROM kept_from{where} ORDER BY kind, ref, norm", values
        ):
            names.setdefault((kind, ref), []).append(name)
        return {ref: tuple(people) for ref, people in names.items()}


Source = str  # rules, model or user


@dataclass(frozen=True, slots=True)
class MessageAudience:
    """Who perceives the open text of a message, and its private parts.

    ``is_known``: whether it could be decided who is present. ``source``: who decided it.
    """

    audience: int
    is_known: bool
    source: Source
    parts: tuple[PrivatePart, ...] = ()


@dataclass(frozen=True, slots=True)
class HeardText:
    """What one audience hears of a message that not everybody hears completely."""

    text: str
    audience: int


class PresenceStore:
    """Who perceives which message: by a model, by the user, and the result.

    For writing, the caller holds the transaction.
    """

    def __init__(self, database: Database, audiences: AudienceStore) -> None:
        self._db = database
        self._audiences = audiences

    def answer(self, rows: Iterable[tuple[str, str, Sequence[PresenceSpan]]]) -> None:
        """Store a model's answer: (message id, swipe hash, spans that cover it)."""
        self._db.run_many(
            "INSERT OR REPLACE INTO presence_answer(message_id, swipe_hash, spans)"
            " VALUES (?, ?, ?)",
            [
                (
                    message_id,
                    key,
                    json.dumps([[s.first, s.last, *s.names] for s in spans], ensure_ascii=False),
                )
                for message_id, key, spans in rows
            ],
        )

    def answers(self, message_ids: Sequence[str]) -> dict[str, tuple[str, list[PresenceSpan]]]:
        """Return (swipe hash, spans) by message id."""
        rows = self._db.rows(
            "SELECT message_id, swipe_hash, spans FROM presence_answer"
            " WHERE message_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(message_ids)),),
        )
        return {
            message_id: (key, [PresenceSpan(s[0], s[1], tuple(s[2:])) for s in json.loads(spans)])
            for message_id, key, spans in rows
        }

    def say(self, message_ids: Sequence[str], names: Sequence[str] | None) -> None:
        """Store who perceives messages by the user's word; None deletes it."""
        ids = [(i,) for i in message_ids]
        self._db.run_many("DELETE FROM presence_fix WHERE message_id = ?", ids)
        if names is not None:
            people = json.dumps(list(names), ensure_ascii=False)
            self._db.run_many(
                "INSERT INTO presence_fix(message_id, people) VALUES (?, ?)",
                [(i, people) for i in message_ids],
            )

    def said(self, message_ids: Sequence[str]) -> dict[str, tuple[Perceiver, ...]]:
        """Return who perceives messages, where the user said so."""
        rows = self._db.rows(
            "SELECT message_id, people FROM presence_fix"
            " WHERE message_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(message_ids)),),
        )
        return {i: tuple(Perceiver(n, "confirmed") for n in json.loads(text)) for i, text in rows}

    def put(self, audiences: Iterable[tuple[str, MessageAudience]]) -> None:
        """Store who perceives messages."""
        self._db.run_many(
            "INSERT OR REPLACE INTO message_audience(message_id, audience, is_known, source, parts)"
            " VALUES (?, ?, ?, ?, ?)",
            [
                (message_id, a.audience, int(a.is_known), a.source, self._packed(a.parts))
                for message_id, a in audiences
            ],
        )

    def of(self, message_ids: Sequence[str]) -> dict[str, MessageAudience]:
        """Return who perceives messages; those due for deriving are left out."""
        rows = self._db.rows(
            "SELECT p.message_id, p.audience, p.is_known, p.source, p.parts FROM message_audience p"
            " WHERE p.message_id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1"
            " FROM knowledge_due d WHERE d.kind = 'turn' AND d.ref = p.message_id)",
            (json.dumps(list(message_ids)),),
        )
        numbers = {part[3] for row in rows if row[4] for part in json.loads(row[4])}
        people = self._audiences.people(numbers)
        return {
            message_id: MessageAudience(
                audience,
                bool(is_known),
                source,
                tuple(
                    PrivatePart(kind, start, end, people[number])
                    for kind, start, end, number in (json.loads(parts) if parts else ())
                ),
            )
            for message_id, audience, is_known, source, parts in rows
        }

    def store_heard(
        self, message_id: str, branch_id: str, floor: int, texts: Sequence[HeardText]
    ) -> None:
        """Store, as items, what is heard of a message by those who do not hear all of it.

        Former items of the message must have been deleted.
        """
        for number, heard in enumerate(texts):
            key = content_hash("heard", heard.text)
            self._db.run_many(
                "INSERT INTO memory_item(kind, ref, branch_id, content, content_hash, start_index,"
                " end_index) VALUES ('heard', ?, ?, ?, ?, ?, ?)",
                [(f"{message_id}#{number}", branch_id, heard.text, key, floor, floor)],
            )
            item = self._db.value(
                "SELECT id FROM memory_item WHERE kind = 'heard' AND ref = ? AND branch_id = ?",
                (f"{message_id}#{number}", branch_id),
            )
            self._audiences.put({int(item): heard.audience})

    def unhear(self, message_ids: Iterable[str]) -> None:
        """Delete the items of what is heard of messages."""
        self._db.run_many(
            "DELETE FROM memory_item WHERE id IN (SELECT h.id FROM json_each(?) j CROSS JOIN"
            " memory_item h ON h.kind = 'heard' AND h.ref >= j.value || '#'"
            " AND h.ref < j.value || '$')",
            [(json.dumps(list(message_ids)),)],
        )

    def forget(self, message_ids: Iterable[str]) -> None:
        """Delete everything derived from deleted messages."""
        ids = [(i,) for i in message_ids]
        self._db.run_many("DELETE FROM message_audience WHERE message_id = ?", ids)
        self.unhear(i for (i,) in ids)

    def _packed(self, parts: Sequence[PrivatePart]) -> str:
        if not parts:
            return ""
        return json.dumps(
            [[p.kind, p.start, p.end, self._audiences.key(p.audience)] for p in parts]
        )


class KnowledgeSources:
    """What the knowledge of logs and entities is derived from: events and their audiences.

    To mark something as due, the caller holds the transaction.
    """

    def __init__(self, database: Database, branches: BranchStore) -> None:
        self._db = database
        self._branches = branches

    def events_are_due(self, branch_id: str, first: int, last: int) -> None:
        """Mark the branch's events and outlines on these floors as due."""
        self._db.run_many(
            "INSERT OR IGNORE INTO knowledge_due(kind, ref) SELECT 'event', id FROM event"
            " WHERE branch_id = ? AND start_index <= ? AND end_index >= ? AND is_deleted = 0",
            [(branch_id, last, first)],
        )

    def made_of_are_due(self, event_ids: Sequence[str]) -> None:
        """Mark the outlines, logs and entities that depend on these events as due."""
        keys = json.dumps(list(event_ids))
        of_relation = "FROM evidence v JOIN relation r ON r.id = v.relation_id WHERE v.event_id IN"
        for kind, sql in (
            ("event", "SELECT parent_id FROM event WHERE parent_id IS NOT NULL AND id IN"),
            ("log", "SELECT id FROM private_log WHERE is_deleted = 0 AND linked_event_id IN"),
            (
                "entity",
                "SELECT entity_id FROM evidence WHERE entity_id IS NOT NULL AND event_id IN",
            ),
            ("entity", f"SELECT r.src {of_relation}"),
            ("entity", f"SELECT r.dst {of_relation}"),
        ):
            rows = self._db.rows(f"SELECT DISTINCT * FROM ({sql} {_IDS})", (keys,))
            self._db.run_many(
                "INSERT OR IGNORE INTO knowledge_due(kind, ref) VALUES (?, ?)",
                [(kind, ref) for (ref,) in rows],
            )

    def logs(self, ids: Sequence[str]) -> list[tuple[int, str, str, int | None]]:
        """Return (item, owner, scope, item of the linked event) of private logs."""
        return self._db.rows(
            "SELECT i.id, l.owner, l.scope, (SELECT e.id FROM memory_item e WHERE e.kind = 'event'"
            " AND e.ref = l.linked_event_id) FROM private_log l JOIN memory_item i"
            " ON i.kind = 'log' AND i.ref = l.id WHERE l.is_deleted = 0"
            f" AND l.id IN {_IDS}",
            (json.dumps(list(ids)),),
        )

    def entity_items(self, ids: Sequence[str]) -> list[tuple[int, str, str]]:
        """Return (item, branch, entity) for the items of these entities."""
        return self._db.rows(
            f"SELECT id, branch_id, ref FROM memory_item WHERE kind = 'entity' AND ref IN {_IDS}",
            (json.dumps(list(ids)),),
        )

    def audiences_about(self, entity_id: str, branch_id: str) -> list[int]:
        """Return the audiences of the events a branch sees about an entity; 0 for none yet.

        An event with a condition counts as known to nobody (0).
        """
        path = self._branches.path(branch_id)
        rows = self._db.rows(
            "WITH told(event_id) AS (SELECT event_id FROM evidence WHERE entity_id = ?1 UNION"
            " SELECT v.event_id FROM relation r JOIN evidence v ON v.relation_id = r.id"
            " WHERE r.src = ?1 OR r.dst = ?1)"
            " SELECT DISTINCT iif(e.scope = 'conditional' OR e.condition <> '', 0,"
            " ifnull(a.audience, 0)) FROM told"
            " JOIN event e ON e.id = told.event_id"
            f" AND e.is_deleted = 0 AND {seen('e', path)} JOIN memory_item i ON i.kind = 'event'"
            " AND i.ref = e.id LEFT JOIN item_audience a ON a.item_id = i.id",
            (entity_id,),
        )
        return [int(number) for (number,) in rows]
