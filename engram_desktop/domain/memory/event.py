"""Events and private logs: their fields, who sees them, and their confidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, get_args

from engram_desktop.domain.memory.facets import OUTLINE, YES, Facet, FacetCube, Facets
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.memory.extraction import EventKind, PlotExtraction, StructuredKv
    from engram_desktop.domain.memory.scope import Actor, ScopeName


# How far a memory can be trusted: by what made or last confirmed it.


Confidence = Literal["imported", "extracted", "model", "confirmed"]
CONFIDENCES: tuple[Confidence, ...] = get_args(Confidence)  # lowest first

OF_EXTRACTOR: Mapping[str, Confidence] = {
    "manual": "confirmed",
    "llm": "model",
    "extractive": "extracted",
    "imported": "imported",
}


def is_at_least(confidence: Confidence, level: Confidence) -> bool:
    """Return whether a memory of this confidence may be used where ``level`` is required."""
    return CONFIDENCES.index(confidence) >= CONFIDENCES.index(level)


# EventNode: one memory of something that happened, with the fields of both design notes.


Status = Literal["buffer", "archived"]
EventSort = Literal[
    "story", "newest", "significance", "created", "updated", "summary", "status", "tokens"
]
Extractor = Literal["llm", "extractive", "manual", "imported"]


@dataclass(frozen=True, slots=True, order=True)
class SourceRange:
    """Floors of an event: 0-based positions, both ends included."""

    start_index: int
    end_index: int


class EventText(NamedTuple):
    """The text of an event and its floors, ``first`` to ``last``: used to read many of them."""

    pk: int
    id: str
    first: int
    last: int
    summary: str


class NamingEvent(NamedTuple):
    """What the graph is linked by: ``raw_data`` holds the entities and relations, nothing else."""

    id: str
    branch_id: str
    source_range: SourceRange
    significance_score: float
    raw_data: PlotExtraction


@dataclass(frozen=True, slots=True)
class EventNode:
    """One event. ``pk`` is its row key, ``id`` its UUID.

    ``status`` and ``is_archived`` always agree: buffer is the blue lamp (always visible), archived
    the green one (visible when recalled). ``is_embedded``: whether its vector exists.
    ``timestamp`` is when it was made, in milliseconds; the story's own time is
    ``raw_data.timestamp``. ``kind`` separates what happened from what simply holds (a fact).
    ``origin`` names the tool and the place an event was imported from.
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

    @property
    def excerpt(self) -> EventText:
        span = self.source_range
        return EventText(self.pk, self.id, span.start_index, span.end_index, self.summary)


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
    owner: str | None = None  # empty: none
    condition: str | None = None
    witnesses: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class EventQuery:
    """The filters and the order of a list of events."""

    text: str = ""
    status: Status | None = None
    level: int | None = None
    entity_id: str | None = None
    branch_id: str = MAIN_BRANCH
    only_stale: bool = False
    only_locked: bool = False
    kind: EventKind | None = None
    confidence: Confidence | None = None
    actors: tuple[Actor, ...] = ()  # only events all of these know; none: the curator
    until: int | None = None  # as known by this floor
    facets: Facets = Facets()
    only: str | None = None  # a JSON list of keys: only these
    sort: EventSort = "story"
    is_reversed: bool = False

    def with_facets(self, facets: Facets) -> EventQuery:
        return replace(self, facets=facets)


@dataclass(frozen=True, slots=True)
class AlwaysVisible:
    """Tokens of the always visible text, and the events in it that wait to be archived.

    ``untold`` archived events are in no outline.
    """

    tokens: int = 0
    waiting: int = 0
    waiting_tokens: int = 0
    untold: int = 0


@dataclass(frozen=True, slots=True)
class EventCounts:
    """The number of events, by kind."""

    total: int = 0
    buffer: int = 0
    archived: int = 0
    outlines: int = 0
    stale: int = 0


def counts_of(cube: FacetCube) -> EventCounts:
    """Return the counts of a cube, equal to the curator's counts."""
    every = Facets()
    asked = (
        Facet("status", "buffer"),
        Facet("status", "archived"),
        Facet("level", OUTLINE),
        Facet("stale", YES),
    )
    return EventCounts(cube.every, *(cube.total(every.combined(facet, "alone")) for facet in asked))


# An event as plain values, for JSON.


def event_fields(event: EventNode) -> dict[str, Any]:
    """Return every field of an event, for the command line and JSON exports."""
    return {
        "pk": event.pk,
        "id": event.id,
        "branch_id": event.branch_id,
        "summary": event.summary,
        "structured_kv": event.structured_kv.to_json(),
        "raw_data": event.raw_data.to_json(),
        "display_text": event.display_text,
        "status": event.status,
        "is_archived": event.is_archived,
        "is_embedded": event.is_embedded,
        "level": event.level,
        "start_index": event.source_range.start_index,
        "end_index": event.source_range.end_index,
        "significance_score": event.significance_score,
        "timestamp": event.timestamp,
        "order_key": event.order_key,
        "parent_id": event.parent_id,
        "kind": event.kind,
        "source_hash": event.source_hash,
        "extractor": event.extractor,
        "confidence": event.confidence,
        "origin": event.origin,
        "scope": event.scope,
        "owner": event.owner,
        "condition": event.condition,
        "participants": list(event.participants),
        "is_locked": event.is_locked,
        "is_stale": event.is_stale,
        "is_deleted": event.is_deleted,
    }


# Which events `{{engramSummaries}}` shows, and in which order (design note 001 §4).


class Visible(Protocol):
    """The fields of an event that the rule needs."""

    @property
    def id(self) -> str: ...
    @property
    def level(self) -> int: ...
    @property
    def is_archived(self) -> bool: ...
    @property
    def parent_id(self) -> str | None: ...
    @property
    def source_range(self) -> SourceRange: ...
    @property
    def timestamp(self) -> int: ...


def is_visible(event: Visible) -> bool:
    """Return whether an event is always in context: outlines and blue lamps are.

    An outline merged into a higher one is replaced by it, and counts as archived.
    """
    is_outline = event.level >= 1 and event.parent_id is None
    return is_outline or not event.is_archived


def story_key(event: Visible) -> tuple[int, int, int, str]:
    """Order by start, end and time of making; the id makes the order total."""
    source = event.source_range
    return (source.start_index, source.end_index, event.timestamp, event.id)


# PrivateLog: what one character felt or thought without telling anybody (design note 003 §2.1).


@dataclass(frozen=True, slots=True)
class PrivateLog:
    """One entry of a character's diary. ``pk`` is its row key, ``id`` its UUID.

    ``owner`` is a name as in the story; ``linked_event_id`` is the event it is about, if any.
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
    """Fields to change; None leaves a field unchanged. An empty text clears the last two."""

    owner: str | None = None
    content: str | None = None
    emotion_tags: tuple[str, ...] | None = None
    scope: ScopeName | None = None
    source_range: SourceRange | None = None
    condition: str | None = None
    linked_event_id: str | None = None


@dataclass(frozen=True, slots=True)
class LogQuery:
    """The filters of a list of entries, which is in story order."""

    text: str = ""
    owner: str | None = None
    branch_id: str = MAIN_BRANCH
    actors: tuple[Actor, ...] = ()  # only entries all of these know; none: the curator
    until: int | None = None  # as known by this floor
