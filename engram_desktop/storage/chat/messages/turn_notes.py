"""Notes of turns of play, one for each swipe of a message, and what was said of state values.

Writing happens inside the caller's step.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from engram_desktop.domain.recall.triage import Level
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import Database


@dataclass(frozen=True, slots=True)
class NoteRow:
    """One row of `turn_note`. ``event_id`` is the event recorded by the turn, empty for none."""

    message_id: str
    swipe: int
    level: Level
    event_id: str = ""
    note: str = "{}"


class TurnNotes:
    """Rows of `turn_note` and `state_rule`."""

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
        """Write the note of one swipe, which is chosen from now on."""
        self._db.run_many(
            "INSERT INTO turn_note(message_id, swipe, level, event_id, note)"
            " VALUES (?, ?, ?, ?, ?) ON CONFLICT(message_id, swipe) DO UPDATE SET"
            " level = excluded.level, event_id = excluded.event_id, note = excluded.note",
            [(row.message_id, row.swipe, row.level, row.event_id, row.note)],
        )
        self.choose(row.message_id, row.swipe)

    def choose(self, message_id: str, swipe: int) -> None:
        """Note which swipe of a message is its text now."""
        self._db.run_many(
            "UPDATE turn_note SET is_chosen = (swipe = ?2) WHERE message_id = ?1"
            " AND is_chosen <> (swipe = ?2)",
            [(message_id, swipe)],
        )

    def rules(self) -> list[tuple[str, str]]:
        """(pointer, rule as JSON) of what was said by hand of state values."""
        return self._db.rows("SELECT path, rule FROM state_rule ORDER BY pk")

    def put_rule(self, path: str, rule: str) -> None:
        self._db.run_many(
            "INSERT INTO state_rule(path, rule) VALUES (?, ?)"
            " ON CONFLICT(path) DO UPDATE SET rule = excluded.rule",
            [(path, rule)],
        )

    def remove_rules(self, paths: Iterable[str]) -> None:
        self._db.run_many("DELETE FROM state_rule WHERE path = ?", [(path,) for path in paths])
