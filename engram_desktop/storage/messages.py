"""The messages of a chat, by branch and floor."""

from __future__ import annotations

from collections.abc import Sequence

from engram_desktop.domain.ids import content_hash, new_id
from engram_desktop.domain.memory_item import turn_content
from engram_desktop.domain.message import Message, ParsedMessage
from engram_desktop.storage.database import Database

_COLUMNS = "id, branch_id, seq, name, role, text, is_hidden, swipe_hash, sent_at"
ADD_TURN_ITEM = (
    "INSERT INTO memory_item(kind, ref, branch_id, content, content_hash, start_index, end_index)"
    " VALUES ('turn', ?, ?, ?, ?, ?, ?)"
)


class MessageStore:
    """Reads and appends messages; each non-empty one is a `turn` item as well."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def count(self, branch_id: str) -> int:
        return int(
            self._db.value(
                "SELECT count(*) FROM message WHERE branch_id = ? AND is_deleted = 0", (branch_id,)
            )
        )

    def slice(self, branch_id: str, first: int, last: int) -> list[Message]:
        """Messages of floors ``first``..``last``, both included."""
        rows = self._db.rows(
            f"SELECT {_COLUMNS} FROM message WHERE branch_id = ? AND is_deleted = 0"
            " AND seq BETWEEN ? AND ? ORDER BY seq",
            (branch_id, first, last),
        )
        return [
            Message(i, branch, seq, name, role, text, bool(hidden), swipe, at)
            for i, branch, seq, name, role, text, hidden, swipe, at in rows
        ]

    def hashes(self, branch_id: str) -> list[str]:
        """Swipe hash of every floor, in order: what an import is compared with."""
        rows = self._db.rows(
            "SELECT swipe_hash FROM message WHERE branch_id = ? AND is_deleted = 0 ORDER BY seq",
            (branch_id,),
        )
        return [row[0] for row in rows]

    def speakers(self) -> tuple[str, ...]:
        """Names that spoke, most talkative first."""
        rows = self._db.rows(
            "SELECT name FROM message WHERE is_deleted = 0 AND name <> '' AND role <> 'system'"
            " GROUP BY name ORDER BY count(*) DESC, name"
        )
        return tuple(row[0] for row in rows)

    def user_names(self) -> tuple[str, ...]:
        """Names the player spoke under, most used first."""
        rows = self._db.rows(
            "SELECT name FROM message WHERE is_deleted = 0 AND role = 'user' AND name <> ''"
            " GROUP BY name ORDER BY count(*) DESC, name"
        )
        return tuple(row[0] for row in rows)

    def append(self, branch_id: str, first: int, messages: Sequence[ParsedMessage]) -> None:
        """Add ``messages`` from floor ``first`` on. The caller holds the transaction."""
        ids = [new_id() for _ in messages]
        self._db.run_many(
            "INSERT INTO message(id, branch_id, seq, name, role, is_hidden, text, swipe_hash,"
            " sent_at, speaker_id, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    message_id,
                    branch_id,
                    first + n,
                    m.name,
                    m.role,
                    int(m.is_hidden),
                    m.text,
                    m.swipe_hash,
                    m.sent_at,
                    m.speaker_id,
                    m.raw,
                )
                for n, (message_id, m) in enumerate(zip(ids, messages, strict=True))
            ],
        )
        before = self._db.value(
            "SELECT content FROM memory_item WHERE kind = 'turn' AND branch_id = ?"
            " AND start_index = ?",
            (branch_id, first - 1),
        )
        previous = str(before or "")
        turns = []
        for n, (message_id, m) in enumerate(zip(ids, messages, strict=True)):
            content = turn_content(m.name, m.text) if m.text.strip() else ""
            if content:
                key = content_hash(content, previous)
                turns.append((message_id, branch_id, content, key, first + n, first + n))
            previous = content
        self._db.run_many(ADD_TURN_ITEM, turns)

    def remove_from(self, branch_id: str, first: int) -> None:
        """Tombstone every message from floor ``first`` on; their items leave every index."""
        self._db.run_many(
            "DELETE FROM memory_item WHERE kind = 'turn' AND ref IN (SELECT id FROM message"
            " WHERE branch_id = ? AND seq >= ? AND is_deleted = 0)",
            [(branch_id, first)],
        )
        self._db.run_many(
            "UPDATE message SET is_deleted = 1 WHERE branch_id = ? AND seq >= ? AND is_deleted = 0",
            [(branch_id, first)],
        )
