"""What the file of a branch says otherwise of messages that it shares with its parent.

In SillyTavern a branch is a copy: a message may be hidden in one of two files, or its speaker have
another name. The text is the same, so that it stays one message, with one id and one vector, and
what tells of it tells of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.storage.database import Database

# The messages as one branch, the first value of a query, sees them.
SEEN = (
    "(SELECT m.id, m.branch_id, m.seq, ifnull(v.name, m.name) AS name, ifnull(v.role, m.role) AS"
    " role, ifnull(v.is_hidden, m.is_hidden) AS is_hidden, m.text, ifnull(v.swipe_hash,"
    " m.swipe_hash) AS swipe_hash, m.sent_at, ifnull(v.speaker_id, m.speaker_id) AS speaker_id,"
    " m.raw, m.is_deleted FROM message m LEFT JOIN shared_view v ON v.message_id = m.id"
    " AND v.branch_id = ? AND v.branch_id <> m.branch_id) AS message"
)


class SharedViews:
    """The rows of `shared_view`; writing happens inside the caller's step."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def has_any(self, branch_id: str) -> bool:
        return bool(
            self._db.value(
                "SELECT EXISTS (SELECT 1 FROM shared_view WHERE branch_id = ?)", (branch_id,)
            )
        )

    def put(self, branch_id: str, seen: Iterable[tuple[str, ParsedMessage]]) -> None:
        """Note how a branch has messages: (id, as its file has it). As the parent's is no note."""
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
        """Let a new branch see what it shares as the one it was forked from does."""
        self._db.run_many(
            "INSERT INTO shared_view(branch_id, message_id, name, role, speaker_id, is_hidden,"
            " swipe_hash) SELECT ?, message_id, name, role, speaker_id, is_hidden, swipe_hash"
            " FROM shared_view WHERE branch_id = ?",
            [(branch_id, parent_id)],
        )

    def remove(self, branch_id: str, message_ids: Sequence[str]) -> None:
        """Forget what was noted: the branch has messages of its own there, or the same."""
        self._db.run_many(
            "DELETE FROM shared_view WHERE branch_id = ? AND message_id = ?",
            [(branch_id, message_id) for message_id in message_ids],
        )
