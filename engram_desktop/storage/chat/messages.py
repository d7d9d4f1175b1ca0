"""The messages of a chat, by branch and floor.

A message may be hidden, or have another speaker name, in the file of one branch only, since
SillyTavern copies files for branches. It stays one message, with one id and one vector, and its
memories belong to both; the differences are rows of `shared_view`.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from engram_desktop.domain.chats import ENDLESS, Saying
from engram_desktop.domain.memory.extraction import turn_content
from engram_desktop.domain.memory.line import content_hash, new_id
from engram_desktop.domain.memory.message import Message, ParsedMessage, Role
from engram_desktop.domain.recall.query import Level
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.branches import BranchStore
from engram_desktop.storage.database import Database

# The messages as seen by a branch, which is the first value of a query.
SEEN = (
    "(SELECT m.id, m.branch_id, m.seq, ifnull(v.name, m.name) AS name, ifnull(v.role, m.role) AS"
    " role, ifnull(v.is_hidden, m.is_hidden) AS is_hidden, m.text, ifnull(v.swipe_hash,"
    " m.swipe_hash) AS swipe_hash, m.sent_at, ifnull(v.speaker_id, m.speaker_id) AS speaker_id,"
    " m.raw, m.is_deleted FROM message m LEFT JOIN shared_view v ON v.message_id = m.id"
    " AND v.branch_id = ? AND v.branch_id <> m.branch_id) AS message"
)


# Segments above which a line is read by a list of them: planning a condition for each takes SQLite
# longer than running it.
_MANY = 4
_PARTS = (
    "(SELECT value ->> 0 AS owner, value ->> 1 AS low, value ->> 2 AS high FROM json_each(?))"
    " AS part"
)


class SharedViews:
    """The rows of `shared_view`; writes run inside the caller's step."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def has_any(self, branch_id: str) -> bool:
        return bool(
            self._db.value(
                "SELECT EXISTS (SELECT 1 FROM shared_view WHERE branch_id = ?)", (branch_id,)
            )
        )

    def put(self, branch_id: str, seen: Iterable[tuple[str, ParsedMessage]]) -> None:
        """Store how a branch's file has messages: (id, message). Equal to the parent's: no row."""
        rows = list(seen)
        self.remove(branch_id, [message_id for message_id, _m in rows])
        self._db.run_many(
            "INSERT INTO shared_view(branch_id, message_id, name, role, speaker_id, is_hidden,"
            " swipe_hash) SELECT ?1, id, ?3, ?4, ?5, ?6, ?7 FROM message WHERE id = ?2"
            " AND (name, role, speaker_id, is_hidden) <> (?3, ?4, ?5, ?6)",
            [
                (branch_id, message_id, m.name, m.role, m.speaker_id, m.is_hidden, m.swipe_hash)
                for message_id, m in rows
            ],
        )

    def inherit(self, parent_id: str, branch_id: str) -> None:
        """Copy the rows of the parent to a new branch."""
        self._db.run_many(
            "INSERT INTO shared_view(branch_id, message_id, name, role, speaker_id, is_hidden,"
            " swipe_hash) SELECT ?, message_id, name, role, speaker_id, is_hidden, swipe_hash"
            " FROM shared_view WHERE branch_id = ?",
            [(branch_id, parent_id)],
        )

    def remove(self, branch_id: str, message_ids: Sequence[str]) -> None:
        """Delete rows: the branch has its own messages there, or the same as its parent."""
        self._db.run_many(
            "DELETE FROM shared_view WHERE branch_id = ? AND message_id = ?",
            [(branch_id, message_id) for message_id in message_ids],
        )


# The raw JSON of a message as its file has it now: `message_note` replaces it if only data beside
# the text has changed since.
_RAW = (
    "ifnull((SELECT n.raw FROM message_note n WHERE n.message_id = message.id"
    " AND n.swipe_hash = message.swipe_hash), message.raw)"
)
# A routine turn changed numbers only: it becomes no memory, and is never recalled.
IS_ROUTINE = (
    "EXISTS (SELECT 1 FROM turn_note t WHERE t.message_id = {message}.id"
    " AND t.level = 'ROUTINE' AND t.is_chosen = 1)"
)
_COLUMNS = (
    "id, branch_id, seq, name, role, text, is_hidden, swipe_hash, sent_at,"
    f" {IS_ROUTINE.format(message='message')}"
)
ADD_TURN_ITEM = (
    "INSERT INTO memory_item(kind, ref, branch_id, content, content_hash, start_index, end_index)"
    " VALUES ('turn', ?, ?, ?, ?, ?, ?)"
)


UPDATE_TURN_ITEM = (
    ADD_TURN_ITEM + " ON CONFLICT(kind, ref, branch_id) DO UPDATE SET content = excluded.content,"
    " content_hash = excluded.content_hash"
)


class LineEnds(NamedTuple):
    """The last own floor of each branch, -1 for none, and two counters of changes."""

    own: dict[str, int]
    rewritten: int
    changes: int

    @property
    def number(self) -> int:
        """Return a hash of the value."""
        return hash((*self.own.items(), self.rewritten, self.changes))


class Outlined(NamedTuple):
    """A message without its text. ``is_hidden`` is 0 or 1, ``sent_at`` in milliseconds."""

    swipe_hash: str
    name: str
    is_hidden: int
    role: Role
    speaker_id: str
    sent_at: int | None


class MessageStore:
    """Reads and appends to the lines of a chat; each non-empty message also has a `turn` item.

    A line is what a branch sees: its ancestors' messages up to the forks, then its own.
    """

    def __init__(self, database: Database, branches: BranchStore) -> None:
        self._db = database
        self._branches = branches
        self.shared = SharedViews(database)

    def count(self, branch_id: str) -> int:
        """Return the number of floors of a line. They have no gaps, so the last one tells."""
        ((last,),) = self._db.brief_rows(
            "SELECT max(seq) FROM message WHERE branch_id = ? AND is_deleted = 0", (branch_id,)
        )
        return self._branches.first_own(branch_id) if last is None else int(last) + 1

    def visible(self, branch_id: str, first: int, last: int) -> int:
        """Return how many messages of these floors are not hidden, both ends included."""
        return self._counted(branch_id, first, last, " AND is_hidden = 0")

    def said_by_user(self, branch_id: str, last: int) -> int:
        """Return how many messages up to floor ``last`` are the player's, hidden ones too."""
        return self._counted(branch_id, 0, last, " AND role = 'user'")

    def _counted(self, branch_id: str, first: int, last: int, where: str) -> int:
        rows = self._line("count(*)", branch_id, first, last, where=where)
        return int(rows[0][0]) if rows else 0

    def slice(self, branch_id: str, first: int, last: int) -> list[Message]:
        """Return the messages of floors ``first``..``last`` of a line, both included."""
        rows = self._line(_COLUMNS, branch_id, first, last)
        return [_message(row) for row in rows]

    def heads(self, branch_id: str, span: tuple[int, int], most: int) -> list[tuple[Message, int]]:
        """Return messages with the first ``most`` characters of their text, and the full length."""
        columns = _COLUMNS.replace("text,", f"substr(text, 1, {int(most)}),")
        rows = self._line(f"{columns}, length(text)", branch_id, *span)
        return [(_message(row), length) for *row, length in rows]

    def senders(self, ids: Sequence[str]) -> dict[str, tuple[str, int | None]]:
        """Return sender and time (milliseconds) by id, for the messages that exist."""
        rows = self._db.rows(
            "SELECT id, name, sent_at FROM message WHERE is_deleted = 0"
            " AND id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        return {message_id: (name, sent_at) for message_id, name, sent_at in rows}

    def sent_at(self, branch_id: str, floors: Sequence[int]) -> dict[int, int]:
        """Return the time of sending (milliseconds) by floor, where it is known."""
        asked = json.dumps(sorted(set(floors)))
        where = " AND sent_at > 0 AND seq IN (SELECT value FROM json_each(?))"
        span = (min(floors, default=0), max(floors, default=-1))
        return dict(self._line("seq, sent_at", branch_id, *span, where=where, more_values=[asked]))

    def at(self, branch_id: str, floors: Sequence[int]) -> list[Message]:
        """Return the messages of these floors of a line, in order, in one query."""
        return [_message(row) for row in self._at(_COLUMNS, branch_id, floors)]

    def texts_at(self, branch_id: str, floors: Sequence[int]) -> list[str]:
        """Return the texts of these floors of a line, in order, in one query."""
        return [text for (text,) in self._at("text", branch_id, floors)]

    def _at(self, columns: str, branch_id: str, floors: Sequence[int]) -> list[tuple[Any, ...]]:
        where = " AND seq IN (SELECT value FROM json_each(?))"
        span = (min(floors, default=0), max(floors, default=-1))
        asked = json.dumps(list(floors))
        return self._line(columns, branch_id, *span, where=where, more_values=[asked])

    def floors_of(self, branch_id: str, ids: Sequence[str]) -> list[int]:
        """Return the floors of a line that hold these messages, in order."""
        where = " AND id IN (SELECT value FROM json_each(?))"
        rows = self._line("seq", branch_id, where=where, more_values=[json.dumps(list(ids))])
        return [floor for (floor,) in rows]

    def hashes(self, branch_id: str, first: int = 0) -> list[str]:
        """Return the swipe hash of every floor of a line from ``first`` on, in order."""
        return [key for (key,) in self._line("swipe_hash", branch_id, first)]

    def outline(self, branch_id: str, first: int, last: int = ENDLESS) -> list[Outlined]:
        """Return floors ``first``..``last`` of a line, without their texts."""
        rows = self._line(
            "swipe_hash, name, is_hidden, role, speaker_id, sent_at", branch_id, first, last
        )
        return [Outlined(*row) for row in rows]

    def revisions(
        self, branch_id: str, first: int, last: int
    ) -> list[tuple[str, int, str, str, str]]:
        """Return (id, floor, name, role, swipe hash) of floors ``first``..``last`` of a line."""
        return self._line("id, seq, name, role, swipe_hash", branch_id, first, last)

    def sayings(self, branch_id: str, first: int, last: int) -> list[Saying]:
        """Return speakers and texts of the floors of a line, both ends included."""
        return [Saying(*row) for row in self._line("name, role, text", branch_id, first, last)]

    def rewritten(self) -> int:
        """Return a number that grows when a line is changed other than by appending."""
        return int(self._db.value("SELECT rewritten FROM revision"))

    def line_ends(self) -> LineEnds:
        """Return how far each branch goes, and how much was changed so far."""
        rows = self._db.rows(
            "SELECT b.id, ifnull((SELECT max(m.seq) FROM message m WHERE m.branch_id = b.id"
            " AND m.is_deleted = 0), -1), r.rewritten,"
            " (SELECT seq FROM sqlite_sequence WHERE name = 'line_change')"
            " FROM branch b CROSS JOIN revision r WHERE b.is_deleted = 0 ORDER BY b.pk"
        )
        rewritten, changes = rows[0][2:] if rows else (0, 0)
        return LineEnds({branch_id: end for branch_id, end, *_ in rows}, rewritten, changes or 0)

    def changed_since(self, before: LineEnds, now: LineEnds) -> set[str] | None:
        """Return the branches on which a floor was changed since; None if that is not known.

        Appended messages are seen by comparing `LineEnds.own`.
        """
        rows = self._db.rows(
            "SELECT branch_id, floor, is_rewritten FROM line_change WHERE seq > ? AND seq <= ?",
            (before.changes, now.changes),
        )
        is_all = len(rows) == now.changes - before.changes
        if not is_all or sum(row[2] for row in rows) != now.rewritten - before.rewritten:
            return None
        changed: set[str] = set()
        for branch_id, floor, _is_rewritten in rows:
            below = self._branches.descendants(branch_id)
            changed |= {branch_id, *(child for child, last in below if last >= floor)}
        return changed

    def line_mark(self, branch_id: str, floors: int) -> str:
        """Return a mark that changes when any of the first ``floors`` messages of a line changes.

        It holds the chat's counter of rewrites and the last hash, so that comparing two marks
        replaces reading the line. Lines are often continued and seldom rewritten.
        """
        last = self._line("swipe_hash", branch_id, floors - 1, floors - 1) if floors else []
        return f"{self.rewritten()} {floors} {last[0][0] if last else ''}"

    def as_parsed(self, branch_id: str, first: int, last: int) -> list[ParsedMessage]:
        """Return messages of a line as an import would give them."""
        rows = self._line(
            f"name, role, text, is_hidden, sent_at, {_RAW}, seq, speaker_id",
            branch_id,
            first,
            last,
        )
        return [
            ParsedMessage(name, role, text, bool(hidden), at, raw, seq + 1, speaker)
            for name, role, text, hidden, at, raw, seq, speaker in rows
        ]

    def raws(self, branch_id: str, first: int, last: int) -> list[tuple[str, str, str]]:
        """Return (id, swipe hash, raw JSON) of the floors of a line, both ends included."""
        return self._line(f"id, swipe_hash, {_RAW}", branch_id, first, last)

    def replies_with(
        self, branch_id: str, span: tuple[int, int], words: Sequence[str], beside: Sequence[str]
    ) -> list[tuple[int, str, str]]:
        """Return (floor, text, raw JSON) of replies on the floors of ``span``, both ends included.

        Only replies whose text holds one of ``words`` (ASCII, in any case), or whose JSON holds one
        of ``beside``.
        """
        holds = [
            *("text LIKE ?" for _word in words),
            *(f"instr({_RAW}, ?) > 0" for _mark in beside),
        ]
        return self._line(
            f"seq, text, {_RAW}",
            branch_id,
            *span,
            where=f" AND role = 'assistant' AND ({' OR '.join(holds)})",
            more_values=[*(f"%{word}%" for word in words), *beside],
        )

    def newest_reply_with(self, branch_id: str, last: int, beside: str) -> int:
        """Return the floor of the newest reply up to ``last`` whose JSON has ``beside``; else 0."""
        for segment in reversed(self._branches.segments(branch_id)):
            floor = self._db.value(
                "SELECT seq FROM message WHERE branch_id = ? AND seq BETWEEN ? AND ?"
                f" AND is_deleted = 0 AND role = 'assistant' AND instr({_RAW}, ?) > 0"
                " ORDER BY seq DESC LIMIT 1",
                (segment.branch_id, segment.first, min(last, segment.last), beside),
            )
            if floor is not None:
                return int(floor)
        return 0

    def note_raws(self, rows: Sequence[tuple[str, str, str]]) -> None:
        """Store the raw JSON of messages whose text is unchanged; rows as of `raws`."""
        self._db.run_many(
            "INSERT INTO message_note(message_id, swipe_hash, raw) VALUES (?, ?, ?)"
            " ON CONFLICT(message_id) DO UPDATE SET swipe_hash = excluded.swipe_hash,"
            " raw = excluded.raw",
            rows,
        )

    def _line(
        self,
        columns: str,
        branch_id: str,
        first: int = 0,
        last: int = ENDLESS,
        *,
        where: str = "",
        more_values: Sequence[str] = (),
    ) -> list[tuple[Any, ...]]:
        parts: list[tuple[str, int, int]] = []
        for segment in self._branches.segments(branch_id):
            low, high = max(first, segment.first), min(last, segment.last)
            if low <= high:
                parts.append((segment.branch_id, low, high))
        if not parts:
            return []
        is_shared = any(branch != branch_id for branch, _low, _high in parts)
        is_seen = is_shared and self.shared.has_any(branch_id)
        if len(parts) > _MANY and not is_seen:
            return self._db.rows(
                f"SELECT {columns} FROM {_PARTS} CROSS JOIN message ON branch_id = part.owner"
                f" AND seq BETWEEN part.low AND part.high WHERE is_deleted = 0{where} ORDER BY seq",
                [json.dumps(parts), *more_values],
            )
        source, values = (SEEN, [branch_id]) if is_seen else ("message", [])
        held = " OR ".join("(branch_id = ? AND seq BETWEEN ? AND ?)" for _part in parts)
        return self._db.rows(
            f"SELECT {columns} FROM {source} WHERE is_deleted = 0 AND ({held}){where} ORDER BY seq",
            [*values, *itertools.chain.from_iterable(parts), *more_values],
        )

    def speakers(self) -> tuple[str, ...]:
        """Return the names that spoke, most talkative first."""
        return self._names("role <> 'system'")

    def voices(self) -> tuple[str, ...]:
        """Return the names that spoke, unordered: reads an index by jumps, not completely."""
        rows = self._db.rows(
            "WITH RECURSIVE r(role) AS (VALUES ('user'), ('assistant')), v(role, name) AS ("
            "SELECT role, (SELECT min(name) FROM message m WHERE m.role = r.role"
            "  AND m.is_deleted = 0) FROM r"
            " UNION ALL SELECT role, (SELECT min(name) FROM message m WHERE m.role = v.role"
            "  AND m.name > v.name AND m.is_deleted = 0) FROM v WHERE name IS NOT NULL)"
            " SELECT DISTINCT name FROM v WHERE name <> ''"
        )
        return tuple(name for (name,) in rows)

    def user_names(self) -> tuple[str, ...]:
        """Return the names the player spoke under, most used first."""
        return self._names("role = 'user'")

    def _names(self, condition: str) -> tuple[str, ...]:
        rows = self._db.rows(
            f"SELECT name FROM message WHERE is_deleted = 0 AND {condition} AND name <> ''"
            " GROUP BY name ORDER BY count(*) DESC, name"
        )
        return tuple(row[0] for row in rows)

    def characters(self) -> list[tuple[str, str]]:
        """Return (name, card id or "") of the other speakers, most talkative first."""
        return self._db.rows(
            "SELECT name, speaker_id FROM message WHERE is_deleted = 0 AND role = 'assistant'"
            " AND name <> '' GROUP BY name, speaker_id ORDER BY count(*) DESC, name, speaker_id"
        )

    def message_counts(self, until: int | None) -> list[tuple[str, str, int]]:
        """Return (name, role, number of messages) of speakers up to a floor, highest first."""
        return self._db.rows(
            "SELECT name, role, count(*) FROM message WHERE is_deleted = 0"
            " AND role IN ('user', 'assistant') AND name <> '' AND (?1 IS NULL OR seq <= ?1)"
            " GROUP BY name, role ORDER BY count(*) DESC, name",
            (until,),
        )

    def append(self, branch_id: str, first: int, messages: Sequence[ParsedMessage]) -> None:
        """Append ``messages`` from floor ``first`` on. The caller holds the transaction."""
        ids = [new_id() for _ in messages]
        self._db.run_many(
            "INSERT INTO message(id, branch_id, seq, name, role, is_hidden, text, swipe_hash,"
            " sent_at, speaker_id, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (message_id, branch_id, first + n, *_columns(m))
                for n, (message_id, m) in enumerate(zip(ids, messages, strict=True))
            ],
        )
        previous = self.turn_before(branch_id, first)
        turns = []
        for n, (message_id, m) in enumerate(zip(ids, messages, strict=True)):
            content = turn_content(m.name, m.text) if m.text.strip() else ""
            if content:
                key = content_hash(content, previous)
                turns.append((message_id, branch_id, content, key, first + n, first + n))
            previous = content
        self._db.run_many(ADD_TURN_ITEM, turns)

    def turn_before(self, branch_id: str, floor: int) -> str:
        """Return the content of the turn before ``floor`` of a line; "" if there is none."""
        owner = self._branches.owner(branch_id, floor - 1)
        return str(
            self._db.value(
                "SELECT content FROM memory_item WHERE kind = 'turn' AND branch_id = ?"
                " AND start_index = ?",
                (owner, floor - 1),
            )
            or ""
        )

    def rewrite(self, messages: Sequence[tuple[str, str, int, ParsedMessage]]) -> None:
        """Replace messages given as (id, branch, floor, message).

        Hashes of their turns are set later.
        """
        self._db.run_many(
            "UPDATE message SET name = ?, role = ?, is_hidden = ?, text = ?, swipe_hash = ?,"
            " sent_at = ?, speaker_id = ?, raw = ? WHERE id = ?",
            [(*_columns(m), message_id) for message_id, _branch, _floor, m in messages],
        )
        contents = [
            (message_id, branch, turn_content(m.name, m.text) if m.text.strip() else "", floor)
            for message_id, branch, floor, m in messages
        ]
        blank = [(message_id,) for message_id, _branch, content, _floor in contents if not content]
        self._db.run_many("DELETE FROM memory_item WHERE kind = 'turn' AND ref = ?", blank)
        self._db.run_many(
            UPDATE_TURN_ITEM,
            [
                (message_id, branch, content, content_hash(content), floor, floor)
                for message_id, branch, content, floor in contents
                if content
            ],
        )
        self._leave_out_routine([message_id for message_id, _branch, _floor, _m in messages])

    def update_turn_items(self, branch_id: str, first: int, last: int) -> None:
        """Add or delete the turn items of own messages, by whether the messages are routine."""
        messages = [m for m in self.slice(branch_id, first, last) if m.branch_id == branch_id]
        ids = [m.id for m in messages]
        self._leave_out_routine(ids)
        turns = self._db.rows(
            "SELECT ref FROM memory_item WHERE kind = 'turn'"
            " AND ref IN (SELECT value FROM json_each(?))",
            (json.dumps(ids),),
        )
        told = {ref for (ref,) in turns}
        bare = [m for m in messages if not m.is_routine and m.id not in told and m.text.strip()]
        contents = [turn_content(m.name, m.text) for m in bare]
        self._db.run_many(
            ADD_TURN_ITEM,
            [
                (m.id, branch_id, content, content_hash(content), m.seq, m.seq)
                for m, content in zip(bare, contents, strict=True)
            ],
        )
        self.update_turn_hashes(branch_id, range(first, last + 2))

    def _leave_out_routine(self, ids: Sequence[str]) -> None:
        self._db.run_many(
            "DELETE FROM memory_item WHERE kind = 'turn' AND ref IN (SELECT m.id FROM message m"
            " WHERE m.id IN (SELECT value FROM json_each(?))"
            f" AND {IS_ROUTINE.format(message='m')})",
            [(json.dumps(list(ids)),)],
        )

    def hide(self, flags: Iterable[tuple[str, bool, str]]) -> None:
        """Set (message id, whether it is hidden, its raw JSON); memories do not change."""
        self._db.run_many(
            "UPDATE message SET is_hidden = ?, raw = ? WHERE id = ?",
            [(int(hidden), raw, message_id) for message_id, hidden, raw in flags],
        )

    def put_raw(self, message_id: str, raw: str) -> None:
        """Replace a message's JSON beside the same text, and delete what its file said since."""
        self._db.run_many("DELETE FROM message_note WHERE message_id = ?", [(message_id,)])
        self._db.run_many("UPDATE message SET raw = ? WHERE id = ?", [(raw, message_id)])

    def place(self, floors: Iterable[tuple[int, str]]) -> None:
        """Move messages to other floors: (floor, message id)."""
        self._db.run_many("UPDATE message SET seq = ? WHERE id = ?", floors)

    def set_hidden(self, ids: Sequence[str], *, hidden: bool) -> None:
        """Set only the flag of hidden messages."""
        self._db.run_many(
            "UPDATE message SET is_hidden = ? WHERE id = ?", [(int(hidden), i) for i in ids]
        )

    def remove(self, ids: Sequence[str]) -> None:
        """Tombstone messages; their turns leave every index."""
        rows = [(message_id,) for message_id in ids]
        self._db.run_many("DELETE FROM memory_item WHERE kind = 'turn' AND ref = ?", rows)
        self._db.run_many("UPDATE message SET is_deleted = 1 WHERE id = ?", rows)

    def update_turn_hashes(self, branch_id: str, floors: Sequence[int]) -> None:
        """Update the hashes of turns on these own floors from their text and the turn before."""
        floors_read = json.dumps(sorted({*floors, *(f - 1 for f in floors)}))
        turns = {
            floor: (item_id, content, key)
            for floor, item_id, content, key in self._db.rows(
                "SELECT start_index, id, content, content_hash FROM memory_item"
                " WHERE kind = 'turn' AND branch_id = ?"
                " AND start_index IN (SELECT value FROM json_each(?))",
                (branch_id, floors_read),
            )
        }
        first_own = self._branches.first_own(branch_id)
        rows = []
        for floor in sorted(set(floors) & turns.keys()):
            item_id, content, key = turns[floor]
            if floor == first_own:
                previous = self.turn_before(branch_id, floor)
            else:
                previous = turns[floor - 1][1] if floor - 1 in turns else ""
            true_key = content_hash(content, previous)
            if true_key != key:
                rows.append((true_key, item_id))
        self._db.run_many("UPDATE memory_item SET content_hash = ? WHERE id = ?", rows)


def _columns(m: ParsedMessage) -> tuple[object, ...]:
    """Return the columns from ``name`` on, for a message."""
    hidden = int(m.is_hidden)
    return m.name, m.role, hidden, m.text, m.swipe_hash, m.sent_at, m.speaker_id, m.raw


def _message(row: Sequence[Any]) -> Message:
    """Build a message from a row of `_COLUMNS`."""
    i, branch, seq, name, role, text, hidden, swipe, at, routine = row
    return Message(i, branch, seq, name, role, text, bool(hidden), swipe, at, bool(routine))


@dataclass(frozen=True, slots=True)
class NoteRow:
    """One row of `turn_note`. ``event_id`` is the event recorded by the turn, "" for none."""

    message_id: str
    swipe: int
    level: Level
    event_id: str = ""
    note: str = "{}"


class TurnNotes:
    """Rows of `turn_note`, one for each swipe, and of `state_rule`.

    Writes run in the caller's step.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def of(self, message_ids: Sequence[str]) -> dict[str, dict[int, NoteRow]]:
        """Return notes by message and swipe."""
        rows = self._db.rows(
            "SELECT message_id, swipe, level, event_id, note FROM turn_note"
            " WHERE message_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(message_ids)),),
        )
        notes: dict[str, dict[int, NoteRow]] = {}
        for row in rows:
            note = NoteRow(*row)
            notes.setdefault(note.message_id, {})[note.swipe] = note
        return notes

    def put(self, row: NoteRow) -> None:
        """Store the note of one swipe, which becomes the chosen one."""
        self._db.run_many(
            "INSERT INTO turn_note(message_id, swipe, level, event_id, note)"
            " VALUES (?, ?, ?, ?, ?) ON CONFLICT(message_id, swipe) DO UPDATE SET"
            " level = excluded.level, event_id = excluded.event_id, note = excluded.note",
            [(row.message_id, row.swipe, row.level, row.event_id, row.note)],
        )
        self.choose(row.message_id, row.swipe)

    def choose(self, message_id: str, swipe: int) -> None:
        """Store which swipe of a message is its text now."""
        self._db.run_many(
            "UPDATE turn_note SET is_chosen = (swipe = ?2) WHERE message_id = ?1"
            " AND is_chosen <> (swipe = ?2)",
            [(message_id, swipe)],
        )

    def rules(self) -> list[tuple[str, str]]:
        """Return (pointer, rule as JSON) of the scene's rules of state values."""
        return self._db.rows("SELECT path, rule FROM state_rule ORDER BY pk")

    def put_rule(self, path: str, rule: str) -> None:
        self._db.run_many(
            "INSERT INTO state_rule(path, rule) VALUES (?, ?)"
            " ON CONFLICT(path) DO UPDATE SET rule = excluded.rule",
            [(path, rule)],
        )
