"""Private notes: the user's own words on a chat or a part of it, which no model ever sees."""

from __future__ import annotations

from typing import Any, Literal

from engram_desktop.domain.values import dataclass

NoteKind = Literal["chat", "event", "entity", "message"]
MAX_NOTE = 20_000  # characters: bounds the journal, which holds a note twice for each edit


@dataclass(frozen=True, slots=True)
class PrivateNote:
    """A note and its subject.

    ``ref`` is the id of the subject, ``key`` the row key of an event, ``what`` its name or first
    words. ``floors`` and ``branch_id`` are those of an event or a message. ``is_gone``: the subject
    was deleted, and the note is kept in case it is restored.
    """

    kind: NoteKind
    ref: str
    text: str
    updated_at: int = 0
    what: str = ""
    branch_id: str = ""
    floors: tuple[int, int] | None = None
    key: int = 0
    is_gone: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the JSON for the command line and an export; ``private`` is always true."""
        return {
            "kind": self.kind,
            "id": self.ref,
            "text": self.text,
            "of": self.what,
            "floors": self.floors,
            "updated_at": self.updated_at,
            "is_gone": self.is_gone,
            "private": True,
        }


@dataclass(frozen=True, slots=True)
class NotedParts:
    """The parts of a line with a private note: ids of events and entities, floors of messages.

    ``of_messages`` counts the notes on messages, including other lines and deleted ones.
    """

    events: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    floors: frozenset[int] = frozenset()
    of_messages: int = 0


def joined_notes(*texts: str) -> str:
    """Join the notes of things that were merged."""
    return "\n\n".join(dict.fromkeys(text for text in texts if text))
