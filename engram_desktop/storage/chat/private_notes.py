"""The private notes of a chat, read and written for the user alone, inside the caller's step.

Code that gives anything to a model must not read this table: a test checks every path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from engram_desktop.domain.memory.private_note import NoteKind, PrivateNote, joined_notes
from engram_desktop.storage.database import Database

_WHAT = 120  # characters of an event or a message that describe what a note is on
_NAMES: dict[NoteKind, str] = {
    "event": "SELECT summary FROM event WHERE id = ? AND is_deleted = 0",
    "entity": "SELECT name FROM entity WHERE id = ? AND merged_into IS NULL",
    "message": "SELECT text FROM message WHERE id = ? AND is_deleted = 0",
}
_CHAT = ""  # a chat has a single note of its own, and the database holds one chat


class PrivateNoteStore:
    """The table `private_note`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, kind: NoteKind, ref: str) -> str:
        """Return the text of a note; "" if there is none."""
        rows = self._db.rows(
            "SELECT text FROM private_note WHERE kind = ? AND ref = ?", (kind, _stored(kind, ref))
        )
        return str(rows[0][0]) if rows else ""

    def refs(self, kind: NoteKind) -> list[str]:
        """Return the ids of everything of a kind that has a note."""
        rows = self._db.rows("SELECT ref FROM private_note WHERE kind = ?", (kind,))
        return [str(ref) for (ref,) in rows]

    def put(self, kind: NoteKind, ref: str, text: str, now: int) -> None:
        """Write a note; an empty text deletes it."""
        where = (kind, _stored(kind, ref))
        if not text:
            self._db.run_many("DELETE FROM private_note WHERE kind = ? AND ref = ?", [where])
            return
        self._db.run_many(
            "INSERT INTO private_note(kind, ref, text, updated_at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT(kind, ref) DO UPDATE SET text = excluded.text,"
            " updated_at = excluded.updated_at",
            [(*where, text, now)],
        )

    def give(self, kind: NoteKind, sources: Sequence[str], target: str, now: int) -> None:
        """Append the notes of ``sources``, which are merged into ``target``, to its note."""
        theirs = [text for ref in sources if (text := self.get(kind, ref))]
        if theirs:
            self.put(kind, target, joined_notes(self.get(kind, target), *theirs), now)
            for ref in sources:
                self.put(kind, ref, "", now)

    def name_of(self, kind: NoteKind, ref: str) -> str | None:
        """Return the name or text of a part of the chat; None if there is no such part."""
        rows = self._db.rows(_NAMES[kind], (ref,)) if kind in _NAMES else []
        return str(rows[0][0]) if rows else None

    def all(self) -> list[PrivateNote]:
        """Return every note with its subject: the chat, its parts by floor, entities by name."""
        rows = self._db.rows(
            "SELECT n.kind, n.ref, n.text, n.updated_at,"
            " coalesce(e.summary, m.name || ': ' || substr(m.text, 1, ?1), t.name, ''),"
            " coalesce(e.branch_id, m.branch_id, ''),"
            " coalesce(e.start_index, m.seq), coalesce(e.end_index, m.seq), coalesce(e.pk, 0),"
            " n.kind <> 'chat' AND coalesce(e.is_deleted, m.is_deleted,"
            "   t.merged_into IS NOT NULL, 1)"
            " FROM private_note n"
            " LEFT JOIN event e ON n.kind = 'event' AND e.id = n.ref"
            " LEFT JOIN message m ON n.kind = 'message' AND m.id = n.ref"
            " LEFT JOIN entity t ON n.kind = 'entity' AND t.id = n.ref"
            " ORDER BY n.kind <> 'chat', n.kind = 'entity', 7, 8, 5, n.pk",
            (_WHAT,),
        )
        return [
            PrivateNote(
                cast("NoteKind", kind),
                ref,
                text,
                updated_at,
                what[:_WHAT],
                branch_id,
                None if first is None else (first, last),
                key,
                bool(is_gone),
            )
            for kind, ref, text, updated_at, what, branch_id, first, last, key, is_gone in rows
        ]


def _stored(kind: NoteKind, ref: str) -> str:
    return _CHAT if kind == "chat" else ref
