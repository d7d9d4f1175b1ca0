"""The private logs of a chat, each with its `log` memory item; both change together.

Also the origins of adopted memories.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Collection, Sequence
from typing import Any

from engram_desktop.domain.memory.event import LogQuery, PrivateLog, SourceRange
from engram_desktop.domain.memory.extraction import log_content
from engram_desktop.domain.memory.line import MAIN_BRANCH, content_hash
from engram_desktop.storage.chat.branches import BranchStore, seen
from engram_desktop.storage.chat.knowledge import is_known_by
from engram_desktop.storage.database import Database

_COLUMNS = (
    "pk, id, branch_id, owner, content, start_index, end_index, emotion_tags, linked_event_id,"
    " scope, condition, timestamp, is_stale, extractor, confidence"
)
ADD_LOG_ITEM = (
    "INSERT INTO memory_item(kind, ref, branch_id, content, content_hash, start_index, end_index,"
    " scope, owner) VALUES ('log', ?, ?, ?, ?, ?, ?, ?, ?)"
)


class PrivateLogStore:
    """Reads log entries as a branch sees them; writes run inside the caller's step."""

    def __init__(self, database: Database, branches: BranchStore) -> None:
        self._db = database
        self._branches = branches

    def find(self, query: LogQuery) -> array[int]:
        """Return the keys of the entries matching ``query``, in story order.

        Default: main branch.
        """
        path = self._branches.path(query.branch_id)
        known, values = (
            is_known_by(query.actors, "log", "private_log") if query.actors else ("1", [])
        )
        text = query.text.strip().lower()
        rows = self._db.rows(
            "SELECT pk FROM private_log WHERE is_deleted = 0"
            f" AND {seen('private_log', path)} AND (? IS NULL OR owner = ?)"
            " AND (? IS NULL OR end_index <= ?)"
            " AND (? = '' OR instr(lower(content), ?) > 0 OR instr(lower(emotion_tags), ?) > 0)"
            f" AND {known} ORDER BY start_index, end_index, timestamp, pk",
            (query.owner, query.owner, query.until, query.until, text, text, text, *values),
        )
        return array("q", (pk for (pk,) in rows))

    def fetch(self, pks: Sequence[int]) -> dict[int, PrivateLog]:
        """Return entries by key; deleted ones are left out."""
        rows = self._db.rows(
            f"SELECT {_COLUMNS} FROM private_log WHERE is_deleted = 0"
            " AND pk IN (SELECT value FROM json_each(?))",
            (json.dumps(list(pks)),),
        )
        return {row[0]: _log(row) for row in rows}

    def key(self, log_id: str) -> int | None:
        """Return the key of the entry with this id; None if it does not exist or is deleted."""
        pk = self._db.value("SELECT pk FROM private_log WHERE id = ? AND is_deleted = 0", (log_id,))
        return None if pk is None else int(pk)

    def owners(self, branch_id: str = MAIN_BRANCH) -> list[tuple[str, int]]:
        """Return the owners of a line's entries with their counts, the highest first."""
        return self._db.rows(
            "SELECT owner, count(*) FROM private_log WHERE is_deleted = 0"
            f" AND {seen('private_log', self._branches.path(branch_id))}"
            " GROUP BY owner ORDER BY count(*) DESC, owner"
        )

    def add(self, logs: Sequence[PrivateLog], now: int) -> list[int]:
        """Insert ``logs`` (their ``pk`` is ignored); returns their keys."""
        first = int(self._db.value("SELECT ifnull(max(pk), 0) + 1 FROM private_log"))
        pks = list(range(first, first + len(logs)))
        self._db.run_many(
            f"INSERT INTO private_log({_COLUMNS}, updated_at) VALUES ({','.join('?' * 16)})",
            [(pk, *_row(log), now) for pk, log in zip(pks, logs, strict=True)],
        )
        self._db.run_many(ADD_LOG_ITEM, [log_item(log) for log in logs])
        return pks

    def replace(self, log: PrivateLog, now: int) -> None:
        """Write all fields of ``log``, and its item."""
        names = [name.strip() for name in _COLUMNS.split(",")][1:]
        sets = ", ".join(f"{name} = ?" for name in names)
        self._db.run_many(
            f"UPDATE private_log SET {sets}, updated_at = ? WHERE pk = ?",
            [(*_row(log), now, log.pk)],
        )
        self._db.run_many(
            ADD_LOG_ITEM
            + " ON CONFLICT(kind, ref, branch_id) DO UPDATE SET content = excluded.content,"
            " content_hash = excluded.content_hash, start_index = excluded.start_index,"
            " end_index = excluded.end_index, scope = excluded.scope, owner = excluded.owner",
            [log_item(log)],
        )

    def delete(self, pks: Sequence[int], now: int) -> list[int]:
        """Tombstone entries and delete their items from every index; returns keys that changed."""
        keys = json.dumps(list(pks))
        rows = self._db.rows(
            "UPDATE private_log SET is_deleted = 1, updated_at = ?1 WHERE is_deleted = 0"
            " AND pk IN (SELECT value FROM json_each(?2)) RETURNING pk",
            (now, keys),
        )
        self._db.rows(
            "DELETE FROM memory_item WHERE kind = 'log' AND ref IN"
            " (SELECT id FROM private_log WHERE pk IN (SELECT value FROM json_each(?)))",
            (keys,),
        )
        return [pk for (pk,) in rows]


def log_item(log: PrivateLog) -> tuple[Any, ...]:
    """Return the values of `ADD_LOG_ITEM` for one entry."""
    content = log_content(log.owner, log.content, log.emotion_tags)
    span = log.source_range
    return (
        log.id,
        log.branch_id,
        content,
        content_hash(content),
        span.start_index,
        span.end_index,
        log.scope,
        log.owner,
    )


def _row(log: PrivateLog) -> tuple[Any, ...]:
    return (
        log.id,
        log.branch_id,
        log.owner,
        log.content,
        log.source_range.start_index,
        log.source_range.end_index,
        json.dumps(list(log.emotion_tags), ensure_ascii=False),
        log.linked_event_id,
        log.scope,
        log.condition,
        log.timestamp,
        int(log.is_stale),
        log.extractor,
        log.confidence,
    )


def _log(row: tuple[Any, ...]) -> PrivateLog:
    return PrivateLog(
        pk=row[0],
        id=row[1],
        branch_id=row[2],
        owner=row[3],
        content=row[4],
        source_range=SourceRange(row[5], row[6]),
        emotion_tags=tuple(json.loads(row[7])),
        linked_event_id=row[8],
        scope=row[9],
        condition=row[10],
        timestamp=row[11],
        is_stale=bool(row[12]),
        extractor=row[13],
        confidence=row[14],
    )


class AdoptedOrigins:
    """The table `adopted_origin`: origins of adopted memories, and which the user left out.

    An origin is the value of `event.origin`: a tool, and where it wrote. Rows belong to the undo
    step that adopts the memories. The caller holds the transaction for writing.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def known(self) -> dict[str, bool]:
        """Return every origin adopted from, with whether the user left it out since."""
        rows = self._db.rows("SELECT origin, is_left_out FROM adopted_origin")
        return {origin: bool(is_left_out) for origin, is_left_out in rows}

    def note(self, new: Collection[str], known: Collection[str]) -> None:
        """Store the origins of ``new`` memories, and those of ``known`` ones without a row."""
        self._db.run_many(
            "INSERT OR REPLACE INTO adopted_origin(origin) VALUES (?)", [(o,) for o in new]
        )
        self._db.run_many(
            "INSERT OR IGNORE INTO adopted_origin(origin) VALUES (?)", [(o,) for o in known]
        )

    def leave_out(self, pks: Sequence[int]) -> None:
        """Mark origins of deleted events that have no event left, so that they stay out."""
        self._db.rows(
            "UPDATE adopted_origin SET is_left_out = 1 WHERE is_left_out = 0 AND origin IN"
            " (SELECT origin FROM event WHERE pk IN (SELECT value FROM json_each(?)))"
            " AND NOT EXISTS (SELECT 1 FROM event"
            " WHERE event.origin = adopted_origin.origin AND event.is_deleted = 0)",
            (json.dumps(list(pks)),),
        )
