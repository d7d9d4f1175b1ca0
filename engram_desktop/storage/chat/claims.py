"""The claims of messages as they were read, and the user's answers to findings."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from sys import intern
from typing import Any

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import Database

_COLUMNS = "message_id, swipe_hash, sender, before, after, there, found, words, facts, lines"
_SPEAKER = re.compile(r'\["said","([^"]+)",')  # matches packed lines
_SEPARATOR = "\n"
_AT_ONCE = 500  # rows read together, 1 KB each, where all are read one after another
READ = "[]"  # stored for a message without claims
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))  # one encoder for all
_one: Callable[[Any], Any] = intern  # interns names and kinds
_Persons = tuple[tuple[str, ...], tuple[str, ...]]  # names of speakers, and of those who are there


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """What was read from a message, and its input: text, sender, and context.

    ``before`` and ``after`` are the packed context, ``there`` who speaks or acts, ``found``
    possible persons, ``words`` the words to find it by. ``facts`` and ``lines`` are packed claims.
    """

    message_id: str
    swipe_hash: str
    sender: str
    before: str
    after: str
    there: str
    found: str
    words: str
    facts: str
    lines: str

    def sentences(self, floor: int, text: str) -> list[Claim]:
        """Return all its sentences with their speakers; ``text`` is the text it was read from."""
        return unpacked_lines(floor, self.lines, text)


@dataclass(frozen=True, slots=True)
class NotedThread:
    """A thread noted by the user: whose words, and where they stood when it was noted."""

    id: str
    message_id: str
    floor: int
    speaker: str
    quote: str


class PersonCounts:
    """Counts the messages in which each person speaks or is there; updated incrementally.

    Safe from any thread.
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = threading.Lock()
        self._people = ""  # the people that the counted rows were read with
        self._last_row = 0
        self._of_message: dict[int, _Persons] = {}  # by the hash of its id: half the memory
        self._alike: dict[_Persons, _Persons] = {}  # one object for equal values
        self._speaking: Counter[str] = Counter()
        self._there: Counter[str] = Counter()

    def speaking(self) -> Counter[str]:
        """Return the number of messages in which each person speaks."""
        with self._lock:
            self._go_on()
            return Counter(self._speaking)

    def there(self) -> Counter[str]:
        """Return the number of messages in which each person speaks, is spoken to or acts."""
        with self._lock:
            self._go_on()
            return Counter(self._there)

    def _go_on(self) -> None:
        people = str(self._db.value("SELECT people FROM claim_people WHERE id = 1") or "")
        last = int(self._db.value("SELECT max(rowid) FROM message_claims") or 0)
        if people != self._people or last < self._last_row:
            self._people, self._last_row = people, 0
            self._of_message, self._speaking, self._there = {}, Counter(), Counter()
            self._alike = {}
        rows = _rows_after(self._db, "message_id, lines, there", self._last_row)
        for row, message_id, lines, there in rows:
            key = hash(message_id)
            before = self._of_message.pop(key, None)
            if before is not None:
                self._speaking.subtract(before[0])
                self._there.subtract(before[1])
            speaking = tuple(dict.fromkeys(_SPEAKER.findall(lines))) if lines else ()
            persons = (speaking, unpacked_names(there))
            if speaking or persons[1]:
                self._of_message[key] = self._alike.setdefault(persons, persons)
                self._speaking.update(persons[0])
                self._there.update(persons[1])
            self._last_row = row


class ClaimStore:
    """Reads and writes claims; for writing, the caller holds the transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rows(self, message_ids: Sequence[str] | None = None) -> dict[str, ClaimRow]:
        """Return rows by message id; of all messages if no ids are given."""
        query = f"SELECT {_COLUMNS} FROM message_claims"
        if message_ids is None:
            rows = self._db.rows(query)
        else:
            where = " WHERE message_id IN (SELECT value FROM json_each(?))"
            rows = self._db.rows(query + where, (json.dumps(message_ids),))
        # rows share equal values: the context, which is that of the row before, and names
        one = dict[str, str]().setdefault
        return {
            i: ClaimRow(i, key, *[one(text, text) for text in more[:5]], *more[5:])
            for i, key, *more in rows
        }

    def found(self) -> Iterator[str]:
        """Yield the packed possible persons of all messages that have some, as they were stored."""
        return (found for _row, found in _rows_after(self._db, "found", 0) if found)

    def hashes(self, message_ids: Sequence[str]) -> dict[str, str]:
        """Return the swipe hashes that the rows of messages were read with, by message id."""
        rows = self._db.rows(
            "SELECT message_id, swipe_hash FROM message_claims"
            " WHERE message_id IN (SELECT value FROM json_each(?))",
            (json.dumps(message_ids),),
        )
        return dict(rows)

    def at_most(self) -> int:
        """Return an upper bound of the number of rows, without counting them."""
        return int(self._db.value("SELECT max(rowid) FROM message_claims") or 0)

    def put(self, rows: Iterable[ClaimRow]) -> None:
        """Store rows of messages."""
        self._db.run_many(
            f"INSERT OR REPLACE INTO message_claims({_COLUMNS})"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    r.message_id,
                    r.swipe_hash,
                    r.sender,
                    r.before,
                    r.after,
                    r.there,
                    r.found,
                    r.words,
                    r.facts,
                    r.lines,
                )
                for r in rows
            ],
        )

    def people(self) -> str:
        """Return the packed names and senders that the stored rows were read with."""
        return str(self._db.value("SELECT people FROM claim_people WHERE id = 1") or "")

    def put_people(self, people: str) -> None:
        self._db.run_many(
            "INSERT OR REPLACE INTO claim_people(id, people) VALUES (1, ?)", [(people,)]
        )

    def forget_with(self, words: Sequence[str]) -> None:
        """Delete the rows of messages whose text or context holds one of ``words``."""
        self._db.run_many(
            "DELETE FROM message_claims WHERE instr(lower(before), lower(?)) > 0 OR message_id IN"
            " (SELECT id FROM message WHERE instr(lower(text), lower(?)) > 0)",
            [(word, word) for word in words],
        )

    def forget_all(self) -> None:
        """Delete all rows; messages are read again when their claims are asked for."""
        self._db.run_many("DELETE FROM message_claims", [()])

    def drop_deleted(self) -> int:
        """Delete the rows of deleted messages; returns how many."""
        gone = (
            " FROM message_claims WHERE message_id NOT IN"
            " (SELECT id FROM message WHERE is_deleted = 0)"
        )
        answered = gone.replace("message_claims", "claim_answer")
        count = int(self._db.value(f"SELECT count(*){gone}") or 0)
        count += int(self._db.value(f"SELECT count(*){answered}") or 0)
        if count:
            self._db.run_many(f"DELETE{gone}", [()])
            self._db.run_many(f"DELETE{answered}", [()])
        return count

    def put_answered(self, rows: Iterable[tuple[str, str, Sequence[Claim]]]) -> None:
        """Store a model's claims by (message id, swipe hash), replacing earlier ones."""
        kept = [(i, key, packed(claims) or READ) for i, key, claims in rows]
        self._db.run_many(
            "DELETE FROM claim_answer WHERE message_id = ? AND swipe_hash = ?",
            [(i, key) for i, key, _claims in kept],
        )
        self._db.run_many(
            "INSERT INTO claim_answer(message_id, swipe_hash, claims) VALUES (?, ?, ?)", kept
        )

    def answered(self, message_ids: Sequence[str] | None = None) -> dict[tuple[str, str], str]:
        """Return a model's packed claims by (message id, swipe hash).

        Of all messages if no ids are given.
        """
        query = "SELECT message_id, swipe_hash, claims FROM claim_answer"
        if message_ids is None:
            rows = self._db.rows(query)
        else:
            where = " WHERE message_id IN (SELECT value FROM json_each(?))"
            rows = self._db.rows(query + where, (json.dumps(message_ids),))
        return {(message_id, key): claims for message_id, key, claims in rows}

    def answered_mark(self) -> tuple[int, int]:
        """Return two numbers that change when the stored answers of models do."""
        ((newest, count),) = self._db.rows("SELECT ifnull(max(seq), 0), count(*) FROM claim_answer")
        return newest, count

    def answers(self) -> dict[str, str]:
        """Return the user's answers by finding id."""
        return dict(self._db.rows("SELECT id, answer FROM finding_answer"))

    def answer(self, finding_id: str, answer: str) -> None:
        """Store an answer; "" deletes it."""
        self._db.run_many("DELETE FROM finding_answer WHERE id = ?", [(finding_id,)])
        if answer:
            self._db.run_many(
                "INSERT INTO finding_answer(id, answer) VALUES (?, ?)", [(finding_id, answer)]
            )

    def noted(self) -> list[NotedThread]:
        """Return the threads noted by the user, in the order of noting."""
        rows = self._db.rows(
            "SELECT id, message_id, floor, speaker, quote FROM noted_thread ORDER BY floor, id"
        )
        return [NotedThread(*row) for row in rows]

    def note(self, thread: NotedThread) -> None:
        """Store a thread."""
        self._db.run_many(
            "INSERT INTO noted_thread(id, message_id, floor, speaker, quote)"
            " VALUES (?, ?, ?, ?, ?)",
            [(thread.id, thread.message_id, thread.floor, thread.speaker, thread.quote)],
        )

    def forget_noted(self, ids: Iterable[str]) -> None:
        """Delete threads noted by the user."""
        self._db.run_many("DELETE FROM noted_thread WHERE id = ?", [(i,) for i in ids])


def packed(claims: Sequence[Claim], *, is_line: bool = False) -> str:
    """Return claims as JSON; ``is_line`` leaves out the words, which are in the message."""
    if not claims:
        return ""
    rows = []
    for c in claims:
        row: list[Any] = [
            c.how,
            c.speaker,
            c.start,
            c.end,
            c.sign,
            c.about,
            list(c.hearers),
            c.depth,
        ]
        if not is_line:
            row += [c.facet, c.value, int(c.polarity), c.trigger, c.quote]
            row += [c.of] if c.of is not None else []
        rows.append(row)
    text = _ENCODER.encode(rows)
    return text.encode("utf-8", "replace").decode("utf-8")  # lone surrogates are not valid UTF-8


def _rows_after(database: Database, columns: str, last: int) -> Iterator[tuple[Any, ...]]:
    """Yield the row id and these columns of all rows stored after row ``last``."""
    while rows := database.rows(
        f"SELECT rowid, {columns} FROM message_claims WHERE rowid > ? ORDER BY rowid LIMIT ?",
        (last, _AT_ONCE),
    ):
        yield from rows
        last = rows[-1][0]


def unpacked_facts(floor: int, facts: str) -> list[Claim]:
    """Return claims from JSON, placed on ``floor``."""
    return [_unpacked(floor, row, None) for row in json.loads(facts)] if facts else []


def unpacked(floor: int, text: str) -> list[Claim]:
    """Return a model's claims from JSON, placed on ``floor``."""
    return [replace(_unpacked(floor, row, None), is_model=True) for row in json.loads(text)]


def unpacked_lines(floor: int, lines: str, text: str) -> list[Claim]:
    """Return sentences from JSON, placed on ``floor``; ``text`` is that of their message."""
    return [_unpacked(floor, row, text) for row in json.loads(lines)] if lines else []


def _unpacked(floor: int, row: list[Any], text: str | None) -> Claim:
    how, speaker, start, end, sign, about, hearers, depth = row[:8]
    how, speaker, sign, about = _one(how), _one(speaker), _one(sign), _one(about)
    if text is not None:
        return Claim(
            floor,
            how,
            speaker,
            about,
            "other",
            "",
            text[start:end],
            start,
            end,
            True,
            tuple(hearers),
            sign,
            depth,
        )
    facet, value, polarity, trigger, quote, *of = row[8:]
    return Claim(
        floor,
        how,
        speaker,
        about,
        _one(facet),
        value,
        quote,
        start,
        end,
        bool(polarity),
        tuple(hearers),
        sign,
        depth,
        trigger,
        of=of[0] if of else None,
    )


def packed_names(names: Iterable[str]) -> str:
    return _SEPARATOR.join(names)


def unpacked_names(text: str) -> tuple[str, ...]:
    return tuple(text.split(_SEPARATOR)) if text else ()
