"""PrivateLog: what one character felt or thought and told nobody (design note 003 §2.1)."""

from __future__ import annotations

from engram_desktop.domain.memory.confidence import Confidence
from engram_desktop.domain.memory.event import Extractor, SourceRange
from engram_desktop.domain.memory.scope import Actor, ScopeName
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class PrivateLog:
    """One entry of a character's diary. ``pk`` is its row key, ``id`` its UUID.

    ``owner`` is a name as the story writes it; ``linked_event_id`` the event it is about, if any.
    """

    pk: int
    id: str
    branch_id: str
    owner: str
    content: str
    source_range: SourceRange
    emotion_tags: tuple[str, ...] = ()
    linked_event_id: str | None = None
    scope: ScopeName = "private"
    condition: str | None = None
    timestamp: int = 0
    is_stale: bool = False
    extractor: Extractor = "manual"
    confidence: Confidence = "confirmed"


@dataclass(frozen=True, slots=True)
class LogPatch:
    """Fields to change; None leaves a field as it is. An empty text clears the last two."""

    owner: str | None = None
    content: str | None = None
    emotion_tags: tuple[str, ...] | None = None
    scope: ScopeName | None = None
    source_range: SourceRange | None = None
    condition: str | None = None
    linked_event_id: str | None = None


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Which entries a list shows, in story order."""

    text: str = ""
    owner: str | None = None
    branch_id: str | None = None
    actors: tuple[Actor, ...] = ()  # what all of these know; none: the curator
