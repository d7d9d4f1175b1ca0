"""EventNode: one memory of something that happened, with the fields of both design notes."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Literal

from engram_desktop.domain.memory.confidence import Confidence
from engram_desktop.domain.memory.extraction import EventKind, PlotExtraction, StructuredKv
from engram_desktop.domain.memory.facets import Facets
from engram_desktop.domain.memory.scope import Actor, ScopeName
from engram_desktop.domain.values import dataclass

Status = Literal["buffer", "archived"]
EventSort = Literal[
    "story", "newest", "significance", "created", "updated", "summary", "status", "tokens"
]
Extractor = Literal["llm", "extractive", "manual", "imported"]


@dataclass(frozen=True, slots=True, order=True)
class SourceRange:
    """Floors an event tells of: 0-based positions, both ends included."""

    start_index: int
    end_index: int


@dataclass(frozen=True, slots=True)
class EventNode:
    """One event. ``pk`` is its row key, ``id`` its UUID.

    ``status`` and ``is_archived`` always agree: buffer is the blue lamp (always visible), archived
    the green one (visible when recalled). ``is_embedded`` says whether its vector exists.
    ``timestamp`` is when it was made, in milliseconds; the story's own time is
    ``raw_data.timestamp``. ``kind`` tells what happened from what simply holds (a fact). ``origin``
    names the other tool an imported event was taken over from, and where it stood.
    """

    pk: int
    id: str
    branch_id: str
    summary: str
    structured_kv: StructuredKv
    raw_data: PlotExtraction
    display_text: str
    status: Status
    is_archived: bool
    is_embedded: bool
    level: int
    source_range: SourceRange
    significance_score: float
    timestamp: int
    order_key: float = 0.0
    parent_id: str | None = None
    kind: EventKind = "event"
    source_hash: str = ""
    extractor: Extractor = "manual"
    confidence: Confidence = "model"
    scope: ScopeName = "shared"
    owner: str | None = None
    condition: str | None = None
    participants: tuple[str, ...] = ()
    is_locked: bool = False
    is_stale: bool = False
    is_deleted: bool = False
    keywords: tuple[str, ...] = field(default=())
    updated_at: int = 0
    origin: str = ""


@dataclass(frozen=True, slots=True)
class EventPatch:
    """Fields to change; None leaves a field as it is."""

    summary: str | None = None
    keywords: tuple[str, ...] | None = None
    time_anchor: str | None = None  # story time: `raw_data.timestamp` and structured_kv.time_anchor
    location: str | None = None
    details: str | None = None
    structured_kv: StructuredKv | None = None
    raw_data: PlotExtraction | None = None
    significance_score: float | None = None
    is_archived: bool | None = None
    is_locked: bool | None = None
    is_stale: bool | None = None
    level: int | None = None
    kind: EventKind | None = None
    confidence: Confidence | None = None
    scope: ScopeName | None = None
    owner: str | None = None  # empty: nobody
    condition: str | None = None
    witnesses: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class EventQuery:
    """Which events a list shows, and in what order."""

    text: str = ""
    status: Status | None = None
    level: int | None = None
    entity_id: str | None = None
    branch_id: str | None = None
    only_stale: bool = False
    only_locked: bool = False
    kind: EventKind | None = None
    confidence: Confidence | None = None
    actors: tuple[Actor, ...] = ()  # what all of these know; none: the curator
    facets: Facets = Facets()
    sort: EventSort = "story"
    is_reversed: bool = False

    def with_facets(self, facets: Facets) -> EventQuery:
        return replace(self, facets=facets)


@dataclass(frozen=True, slots=True)
class AlwaysVisible:
    """What the text that is always in context costs, and what of it waits to be archived.

    ``untold`` archived events are told by no outline.
    """

    tokens: int = 0
    waiting: int = 0
    waiting_tokens: int = 0
    untold: int = 0


@dataclass(frozen=True, slots=True)
class EventCounts:
    """How many events there are, by what they are."""

    total: int = 0
    buffer: int = 0
    archived: int = 0
    outlines: int = 0
    stale: int = 0
