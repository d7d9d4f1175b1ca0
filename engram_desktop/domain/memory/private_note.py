"""Private notes: the user's own words on a chat or a part of it, which no model ever sees."""

from __future__ import annotations

from typing import Any, Literal

from engram_desktop.domain.values import dataclass

NoteKind = Literal["chat", "event", "entity", "message"]
MAX_NOTE = 20_000  # characters: bounds the journal, which holds a note twice for each edit


@dataclass(frozen=True, slots=True)
class PrivateNote:
    """A note and what it is on.

    ``ref`` is the id of that, ``key`` the row key of an event, ``what`` its name or first words.
    ``floors`` and ``branch_id`` are those of an event or a message. ``is_gone``: it was deleted,
    and its note waits for it to come back.
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
        """Return what the command line and an export print; ``private`` is always true."""
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
    """What of a line has a private note: ids of events and entities, floors of messages.

    ``of_messages`` counts the notes on messages, those of other lines and deleted ones too.
    """

    events: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    floors: frozenset[int] = frozenset()
    of_messages: int = 0


def joined_notes(*texts: str) -> str:
    """Return the notes of things that became one as one note."""
    return "\n\n".join(dict.fromkeys(text for text in texts if text))
