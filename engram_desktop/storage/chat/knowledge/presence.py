"""Who perceives which message: what a model and the user say of it, and what it comes to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from engram_desktop.domain.knowledge.answer import PresenceSpan
from engram_desktop.domain.knowledge.perception import Perceiver, PrivatePart
from engram_desktop.domain.memory.ids import content_hash
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.knowledge.audiences import AudienceStore
from engram_desktop.storage.database import Database

Source = str  # rules, model or user


@dataclass(frozen=True, slots=True)
class MessageAudience:
    """Who perceives the open text of a message, and its private parts.

    ``is_known``: whether it could be told who is there. ``source``: who says so.
    """

    audience: int
    is_known: bool
    source: Source
    parts: tuple[PrivatePart, ...] = ()


@dataclass(frozen=True, slots=True)
class HeardText:
    """What one company hears of a message whose parts are not for all of it."""

    text: str
    audience: int


class PresenceStore:
    """Reads and writes presence; the caller holds the transaction when it writes."""

    def __init__(self, database: Database, audiences: AudienceStore) -> None:
        self._db = database
        self._audiences = audiences

    def answer(self, rows: Iterable[tuple[str, str, Sequence[PresenceSpan]]]) -> None:
        """Keep what a model said: (message id, swipe hash, spans that cover it)."""
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
        """Return (swipe hash, spans) by message."""
        rows = self._db.rows(
            "SELECT message_id, swipe_hash, spans FROM presence_answer"
            " WHERE message_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(message_ids)),),
        )
        return {
            message_id: (
                key,
                [PresenceSpan(s[0], s[1], tuple(s[2:])) for s in json.loads(spans)],
            )
            for message_id, key, spans in rows
        }

    def say(self, message_ids: Sequence[str], names: Sequence[str] | None) -> None:
        """Note who perceives messages, as the user says; None takes that back."""
        ids = [(i,) for i in message_ids]
        self._db.run_many("DELETE FROM presence_fix WHERE message_id = ?", ids)
        if names is not None:
            people = json.dumps(list(names), ensure_ascii=False)
            self._db.run_many(
                "INSERT INTO presence_fix(message_id, people) VALUES (?, ?)",
                [(i, people) for i in message_ids],
            )

    def said(self, message_ids: Sequence[str]) -> dict[str, tuple[Perceiver, ...]]:
        """Return who perceives messages, where the user says so."""
        rows = self._db.rows(
            "SELECT message_id, people FROM presence_fix"
            " WHERE message_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(message_ids)),),
        )
        return {i: tuple(Perceiver(n, "confirmed") for n in json.loads(text)) for i, text in rows}

    def put(self, audiences: Iterable[tuple[str, MessageAudience]]) -> None:
        """Write who perceives messages."""
        self._db.run_many(
            "INSERT OR REPLACE INTO message_audience(message_id, audience, is_known, source, parts)"
            " VALUES (?, ?, ?, ?, ?)",
            [
                (message_id, a.audience, int(a.is_known), a.source, self._packed(a.parts))
                for message_id, a in audiences
            ],
        )

    def of(self, message_ids: Sequence[str]) -> dict[str, MessageAudience]:
        """Return who perceives messages; those still to be derived are left out."""
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

    def hear(self, message_id: str, branch_id: str, floor: int, texts: Sequence[HeardText]) -> None:
        """Write what is heard of a message by those who do not hear all of it, as items.

        What was heard of it before is taken away already.
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
        """Take away what is heard of messages."""
        self._db.run_many(
            "DELETE FROM memory_item WHERE id IN (SELECT h.id FROM json_each(?) j CROSS JOIN"
            " memory_item h ON h.kind = 'heard' AND h.ref >= j.value || '#'"
            " AND h.ref < j.value || '$')",
            [(json.dumps(list(message_ids)),)],
        )

    def forget(self, message_ids: Iterable[str]) -> None:
        """Take away all that is derived of messages that are gone."""
        ids = [(i,) for i in message_ids]
        self._db.run_many("DELETE FROM message_audience WHERE message_id = ?", ids)
        self.unhear(i for (i,) in ids)

    def _packed(self, parts: Sequence[PrivatePart]) -> str:
        if not parts:
            return ""
        return json.dumps(
            [[p.kind, p.start, p.end, self._audiences.key(p.audience)] for p in parts]
        )
