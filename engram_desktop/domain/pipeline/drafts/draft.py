"""A draft: what a model answered about one block of messages, before it is saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventNode, EventPatch, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction, Span
from engram_desktop.domain.pipeline.event_patch import patched
from engram_desktop.domain.pipeline.render import renderer_like
from engram_desktop.domain.values import dataclass

ExtractorChoice = Literal["auto", "llm", "extractive"]  # who is to make events
DraftState = Literal["answered", "waiting", "failed"]
DraftPurpose = Literal["new", "redo"]
DraftedEvent = tuple[PlotExtraction, SourceRange]


def placed(
    events: Sequence[PlotExtraction], floors: Sequence[Span | None], block: SourceRange
) -> tuple[DraftedEvent, ...]:
    """Put events on the floors that they name, as far as these lie in their block."""
    rows = []
    for event, span in zip(events, floors, strict=True):
        first, last = span or (block.start_index, block.end_index)
        first, last = max(first, block.start_index), min(last, block.end_index)
        rows.append((event, SourceRange(first, last) if first <= last else block))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Draft:
    """One answer, kept until it is saved or discarded.

    ``source_hash`` names the messages it was made of, ``prompt_hash`` the exact request.
    ``answered`` drafts are about to be stored, ``waiting`` ones are for the user to review,
    ``failed`` ones could not be read: ``reason`` says why. ``is_outdated``: the messages have
    changed since, so that it must never be saved.
    """

    id: str
    branch_id: str
    source_range: SourceRange
    source_hash: str
    prompt_hash: str
    purpose: DraftPurpose
    state: DraftState
    extractor: Literal["llm", "extractive"]
    model: str
    answer: str
    events: tuple[DraftedEvent, ...] = ()
    reason: str = ""
    created_at: int = 0
    is_outdated: bool = False

    @property
    def floors(self) -> tuple[int, int]:
        return self.source_range.start_index, self.source_range.end_index


@dataclass(frozen=True, slots=True)
class DraftCounts:
    """How many blocks wait for review, how many redone ones do, and how many failed."""

    waiting: int = 0
    redo: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """What another model made of the same messages: shown as events, but not stored."""

    model: str
    drafted: tuple[EventNode, ...]


@dataclass(frozen=True, slots=True)
class DraftComparison:
    """A draft beside what is there now. ``drafted`` are shown as events, but not stored.

    ``kept`` are keys of present events that stay unless the user ticks them; ``others`` are what
    other models answered.
    """

    draft: Draft
    drafted: tuple[EventNode, ...]
    present: tuple[EventNode, ...]
    kept: frozenset[int]
    others: tuple[OtherAnswer, ...] = ()

    @property
    def offered(self) -> tuple[EventNode, ...]:
        """All that may be saved: the draft's own events, then those of other models."""
        return self.drafted + tuple(node for other in self.others for node in other.drafted)


@dataclass(frozen=True, slots=True)
class DraftReport:
    """What saving drafts did. ``outdated`` ones were left: their messages have changed."""

    saved: int = 0
    events_added: int = 0
    outdated: tuple[Draft, ...] = ()
    changes: Changes = field(default_factory=Changes)


def edited(node: EventNode, patch: EventPatch) -> EventNode:
    """Return a drafted event with ``patch`` applied; its card is made when it is saved.

    Raises InputError.
    """
    return patched(node, patch, renderer_like(node.display_text))


def drafted(node: EventNode) -> DraftedEvent:
    """Turn a shown event back into what a draft holds."""
    source = node.source_range
    return node.raw_data, SourceRange(source.start_index, source.end_index)
