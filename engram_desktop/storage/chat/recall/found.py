"""Search of memory items by words and states; saved questions of the recall lab."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from engram_desktop.domain.memory.scope import Actor
from engram_desktop.domain.recall import lab
from engram_desktop.domain.recall.lexemes import match_query
from engram_desktop.domain.search import State
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.branches import Path, seen
from engram_desktop.storage.chat.events import vast_lists
from engram_desktop.storage.chat.events.vast_lists import Keys
from engram_desktop.storage.chat.knowledge import KIND, REF, all_may_know
from engram_desktop.storage.database import Database

_COLUMNS = (
    f"i.id, {KIND.format(i='i')}, {REF.format(i='i')}, i.branch_id, i.content,"
    " i.start_index, i.end_index"
)
_NOT_MATCHING = "i.id NOT IN (SELECT rowid FROM memory_lexicon WHERE memory_lexicon MATCH ?)"
# All characters that may combine with the one before, and others: a test checks completeness.
_MARKS = (
    "[\u0300-\u1fff\u20d0-\u20ff\u2c00-\u2fff\u302a-\u302f\u3099\u309a\ua000-\uabff"
    "\ufb00-\ufdff\ufe20-\ufe2f\uff9e\uff9f\U00010000-\U0001efff]"
)
_EVENT_STATES: dict[State, str] = {
    "blue": "e.status = 'buffer'",
    "green": "e.status = 'archived'",
    "stale": "e.is_stale = 1",
    "locked": "e.is_locked = 1",
}


class FoundItem(NamedTuple):
    """A row of `memory_item`, with the kind and id that users see."""

    id: int
    kind: str
    ref: str
    branch_id: str
    content: str
    start_index: int
    end_index: int


class ItemMark(NamedTuple):
    """What a list shows of an event or a private log besides its text."""

    key: int
    states: frozenset[State]


class FoundEntity(NamedTuple):
    """An entity, the branch of its first event, and the amount of its evidence."""

    id: str
    name: str
    description: str
    is_locked: int
    branch_id: str | None
    told: int


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """A person that an item must name, or must not: names as written, and entity ids."""

    names: tuple[str, ...]
    entity_ids: tuple[str, ...] = ()
    is_excluded: bool = False


@dataclass(frozen=True, slots=True)
class ItemClause:
    """Conditions on an item, all of which must hold.

    ``matching`` and ``without`` are expressions of the lexical index; ``written`` is text without
    words for the index. For each of ``called``, the text must hold one of its names, or the event
    must name one of its entities. ``spelled`` are words of ``matching``, as typed, for which the
    index finds more texts than hold them; ``not_spelled`` are such words that must not occur. Only
    `FoundItems.event_items` uses these two.
    """

    matching: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    spelled: tuple[str, ...] = ()
    not_spelled: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    states: frozenset[State] = frozenset()
    not_states: frozenset[State] = frozenset()
    called: tuple[NamedPerson, ...] = ()


@dataclass(frozen=True, slots=True)
class Seeing:
    """The view of a search: ``path`` None sees every branch; without actors it is the curator's."""

    path: Path | None = None
    actors: tuple[Actor, ...] = ()


class FoundItems:
    """Searches the items of one chat: by words, states, and who knows them. Any thread.

    The lexical index narrows the search; whether a text really holds a word is for the caller to
    test.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def count(self, kind: str, clauses: Sequence[ItemClause], seeing: Seeing) -> int:
        """Return an upper bound of the items that match one of ``clauses``."""
        where, values = _where(kind, clauses, seeing)
        return int(self._db.value(f"SELECT count(*) FROM memory_item i WHERE {where}", values))

    def newest(
        self, kind: str, clauses: Sequence[ItemClause], seeing: Seeing, limit: int
    ) -> list[FoundItem]:
        """Return items that may match one of ``clauses``, the newest first."""
        where, values = _where(kind, clauses, seeing)
        rows = self._db.rows(
            f"SELECT {_COLUMNS} FROM memory_item i WHERE {where} ORDER BY i.id DESC LIMIT ?",
            (*values, limit),
        )
        return [FoundItem(*row) for row in rows]

    def event_items(self, clause: ItemClause, seeing: Seeing) -> tuple[Keys, Keys]:
        """Return the ids of the events' items that match ``clause``, unordered.

        The second array holds those whose texts must be read, since their words may be spelled
        differently or be apart. SQLite scans 100,000 texts in 40 ms, Python in 700.
        """
        where, values = _where("event", [replace(clause, matching=())], seeing)
        source, matching = "memory_item i", list[Any]()
        if clause.matching:  # read in order: looking up each item takes twice as long
            source = (
                "(SELECT rowid FROM memory_lexicon WHERE memory_lexicon MATCH ?) AS found"
                " CROSS JOIN memory_item i ON i.id = found.rowid"
            )
            matching = [" AND ".join(clause.matching)]
        certain, asked = ["1"], list[Any]()
        for text in clause.spelled:
            condition, more = _is_spelled(text)
            certain.append(condition)
            asked += more
        for text in clause.not_spelled:
            condition, more = _is_spelled(text)
            where += f" AND NOT {condition}"
            values += more
            expression = match_query(text)
            certain.append(_NOT_MATCHING if expression else "0")
            asked += [expression] if expression else []
        number = f"iif({' AND '.join(certain)}, i.id, -i.id)"
        sql = f"SELECT {number} AS n FROM {source} WHERE {where}"
        items = vast_lists.column(self._db, sql, (*asked, *matching, *values))
        return items[items > 0], -items[items < 0]

    def texts(self, items: Sequence[int]) -> list[tuple[int, str]]:
        """Return id and text of items."""
        return self._db.rows(
            "SELECT i.id, i.content FROM json_each(?) j JOIN memory_item i ON i.id = j.value",
            (json.dumps(list(items)),),
        )

    def outside_story(self, words: Sequence[str], seeing: Seeing, limit: int) -> list[FoundItem]:
        """Return messages that hold all ``words``, thoughts and panels included; the newest first.

        The index holds only the story, so each message with markup is read.
        """
        where, values = _where("turn", [ItemClause()], seeing)
        held = " AND ".join("instr(lower(m.text), lower(?)) > 0" for _word in words)
        columns = _COLUMNS.replace("i.content", "m.text")
        rows = self._db.rows(
            f"SELECT {columns} FROM message m JOIN memory_item i ON i.ref = m.id"
            f" WHERE m.is_deleted = 0 AND (instr(m.text, '<') OR instr(m.text, '```')) AND {held}"
            f" AND {where} ORDER BY i.id DESC LIMIT ?",
            (*words, *values, limit),
        )
        return [FoundItem(*row) for row in rows]

    def events(self, ids: Sequence[str]) -> dict[str, ItemMark]:
        """Return key and states of events, by id."""
        flags = ", ".join(f"({sql}) AS {state}" for state, sql in _EVENT_STATES.items())
        rows = self._db.rows(
            f"SELECT e.id, e.pk, {flags} FROM event e WHERE e.is_deleted = 0"
            " AND e.id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        return {ref: ItemMark(pk, _set(_EVENT_STATES, flags)) for ref, pk, *flags in rows}

    def events_that_are(self, state: State) -> Keys:
        """Return the keys of all events of a state, on any branch."""
        return vast_lists.column(
            self._db,
            f"SELECT e.pk AS n FROM event e WHERE e.is_deleted = 0 AND {_EVENT_STATES[state]}",
        )

    def logs(self, ids: Sequence[str]) -> dict[str, ItemMark]:
        """Return key and states of private logs, by id."""
        rows = self._db.rows(
            "SELECT id, pk, is_stale FROM private_log WHERE is_deleted = 0"
            " AND id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        return {ref: ItemMark(pk, _set(("stale",), (stale,))) for ref, pk, stale in rows}

    def speakers(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the speaker of each message, by id."""
        rows = self._db.rows(
            "SELECT id, name FROM message WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        return dict(rows)

    def entities(self, clauses: Sequence[ItemClause], names: Sequence[str]) -> list[FoundEntity]:
        """Return the entities that may match by an item on any branch or by name, best known first.

        ``names`` are parts of names, normalised by `norm_name`.
        """
        where, values = _where("entity", clauses, Seeing())
        named = " OR ".join("instr(a.norm, ?) > 0" for _name in names) or "0"
        rows = self._db.rows(
            "SELECT e.id, e.name, e.description, e.is_locked, (SELECT s.branch_id FROM evidence v"
            " JOIN event s ON s.id = v.event_id AND s.is_deleted = 0 WHERE v.entity_id = e.id"
            " ORDER BY s.start_index LIMIT 1) AS told_on,"
            " (SELECT count(*) FROM evidence v WHERE v.entity_id = e.id) AS told"
            " FROM entity e WHERE e.merged_into IS NULL AND e.is_hidden = 0"
            " AND (told_on IS NOT NULL OR told = 0 OR e.is_locked = 1)"
            f" AND (e.id IN (SELECT i.ref FROM memory_item i WHERE {where})"
            f" OR e.id IN (SELECT a.entity_id FROM entity_alias a WHERE {named}))"
            " ORDER BY told DESC, e.pk",
            (*values, *names),
        )
        return [FoundEntity(*row) for row in rows]

    def called(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return ids and names of entities with ``text``, normalised by `norm_name`, in a name."""
        rows = self._db.rows(
            "SELECT entity_id, name FROM entity_alias WHERE entity_id IN"
            " (SELECT entity_id FROM entity_alias WHERE instr(norm, ?) > 0) ORDER BY 1, 2",
            (text,),
        )
        return tuple(dict.fromkeys(i for i, _name in rows)), tuple(name for _id, name in rows)

    def entity_texts(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the longest item text of each entity, over all branches."""
        rows = self._db.rows(
            "SELECT ref, content FROM memory_item WHERE kind = 'entity'"
            " AND ref IN (SELECT value FROM json_each(?)) ORDER BY length(content)",
            (json.dumps(list(ids)),),
        )
        return dict(rows)


def _set(names: Sequence[State] | dict[State, str], flags: Sequence[int]) -> frozenset[State]:
    return frozenset(name for name, flag in zip(names, flags, strict=True) if flag)


def _where(kind: str, clauses: Sequence[ItemClause], seeing: Seeing) -> tuple[str, list[Any]]:
    """Return the condition on a row ``i`` of `memory_item`, and its values."""
    # for an actor, `heard` items count as messages; the curator has whole messages
    kinds = "('turn', 'heard')" if kind == "turn" and seeing.actors else f"('{kind}')"
    parts, values = [f"i.kind IN {kinds}"], list[Any]()
    if seeing.path is not None:
        parts.append(seen("i", seeing.path))
    if seeing.actors:
        condition, more = all_may_know(seeing.actors, "i")
        parts.append(condition)
        values += more
    alternatives = []
    for clause in clauses:
        condition, more = _clause(kind, clause)
        alternatives.append(condition)
        values += more
    parts.append("(" + (" OR ".join(alternatives) or "0") + ")")
    return " AND ".join(parts), values


def _is_spelled(text: str) -> tuple[str, list[Any]]:
    """Return the SQL condition that an item has ``text`` literally, ignoring ASCII case.

    It is false if a combining mark follows, which may belong to the last character; such texts
    must be read.
    """
    if unicodedata.combining(text[0]):
        return "0", []
    at = _place_of(text)
    return (
        f"({at} > 0 AND substr(i.content, {at} + ?, 1) NOT GLOB ?)",
        [text, text, len(text), _MARKS],
    )


def _place_of(text: str) -> str:
    """Return the SQL for the position of ``?`` in an item's text, ignoring ASCII case.

    If ``text`` has no such letters, the item's text need not be lowered: half of the time.
    """
    has_case = any(character.isascii() and character.isalpha() for character in text)
    return "instr(lower(i.content), lower(?))" if has_case else "instr(i.content, ?)"


def _clause(kind: str, clause: ItemClause) -> tuple[str, list[Any]]:
    parts, values = list[str](), list[Any]()
    if clause.matching:
        parts.append("i.id IN (SELECT rowid FROM memory_lexicon WHERE memory_lexicon MATCH ?)")
        values.append(" AND ".join(clause.matching))
    for expression in clause.without:
        parts.append(_NOT_MATCHING)
        values.append(expression)
    for text in clause.written:
        parts.append("instr(i.content, ?) > 0")
        values.append(text)
    for states, negation in ((clause.states, ""), (clause.not_states, "NOT ")):
        for state in sorted(states):
            parts.append(negation + _has_state(kind, state))
    for called in clause.called:
        condition, more = _tells_of(kind, called)
        parts.append(condition)
        values += more
    return "(" + (" AND ".join(parts) or "1") + ")", values


def _has_state(kind: str, state: State) -> str:
    if kind == "event":
        return f"EXISTS (SELECT 1 FROM event e WHERE e.id = i.ref AND {_EVENT_STATES[state]})"
    if kind == "log" and state == "stale":
        return "EXISTS (SELECT 1 FROM private_log l WHERE l.id = i.ref AND l.is_stale = 1)"
    return "0"


def _tells_of(kind: str, called: NamedPerson) -> tuple[str, list[Any]]:
    parts = [f"{_place_of(name)} > 0" for name in called.names]
    values: list[Any] = list(called.names)
    if kind == "event" and called.entity_ids:
        parts.append(
            "i.ref IN (SELECT v.event_id FROM evidence v WHERE v.entity_id IN"
            " (SELECT value FROM json_each(?)))"
        )
        values.append(json.dumps(list(called.entity_ids)))
    return ("NOT " if called.is_excluded else "") + f"({' OR '.join(parts) or '0'})", values


_QUESTION_COLUMNS = "id, query, expected, branch_id, at"


class LabStore:
    """The questions of the recall lab of one chat; writes run inside the caller's step."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> list[lab.LabQuestion]:
        """Return every question, the oldest first."""
        rows = self._db.rows(
            f"SELECT {_QUESTION_COLUMNS} FROM lab_question ORDER BY created_at, pk"
        )
        return [_question(row) for row in rows]

    def get(self, question_id: str) -> lab.LabQuestion | None:
        sql = f"SELECT {_QUESTION_COLUMNS} FROM lab_question WHERE id = ?"
        return next((_question(row) for row in self._db.rows(sql, (question_id,))), None)

    def put(self, question: lab.LabQuestion, now: int) -> None:
        """Add or replace a question."""
        expected = json.dumps([asdict(e) for e in question.expected], ensure_ascii=False)
        self._db.run_many(
            "INSERT INTO lab_question(id, query, expected, branch_id, at, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET query = excluded.query,"
            " expected = excluded.expected, branch_id = excluded.branch_id, at = excluded.at",
            [(question.id, question.query, expected, question.branch_id, question.at, now)],
        )

    def remove(self, question_id: str) -> None:
        self._db.run_many("DELETE FROM lab_question WHERE id = ?", [(question_id,)])


def _question(row: tuple[Any, ...]) -> lab.LabQuestion:
    expected = tuple(lab.Expected(**value) for value in json.loads(row[2]))
    return lab.LabQuestion(row[0], row[1], expected, row[3], row[4])
