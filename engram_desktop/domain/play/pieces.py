"""What a reply is made of while it streams: text for the reader, and what is said beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from engram_desktop.domain.values import dataclass

# reply: text for the transcript; thought: never in it; the others are marked blocks as written.
PieceKind = Literal["reply", "thought", "state", "event", "flag"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a reply that has arrived. Pieces of one kind in a row belong together."""

    kind: PieceKind
    text: str


# Called on the thread that runs the turn, often: a window gathers pieces and draws now and then.
OnPiece = Callable[[Piece], object]


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event as a reply records it; ``kind`` is the story's own word for it, such as date."""

    summary: str
    kind: str = ""
    participants: tuple[str, ...] = ()
    location: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TagResult:
    """A reply read to its end.

    ``reply`` is its text without tag blocks, ``thought`` what was only thought, ``updates`` the
    blocks that change the state, as written and with their tags. ``is_whole`` is False where a
    block never ended: its text is then part of the reply, or of the thought.
    """

    reply: str
    thought: str = ""
    updates: tuple[str, ...] = ()
    events: tuple[RecordedEvent, ...] = ()
    flags: tuple[str, ...] = ()
    is_whole: bool = True
