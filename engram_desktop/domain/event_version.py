"""An event as it stood after a step: its history, one version for each."""

from __future__ import annotations

from engram_desktop.domain.changes import StepLabel
from engram_desktop.domain.memory.event import EventNode, EventPatch
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class EventVersion:
    """``label`` says what made it so, and ``at`` when; None and 0 for what was before all that."""

    event: EventNode
    label: StepLabel | None = None
    at: int = 0

    def differs_from(self, other: EventVersion) -> bool:
        """Whether a reader would see a difference: bookkeeping is none."""
        return _read(self.event) != _read(other.event)

    @property
    def patch(self) -> EventPatch:
        """Return what makes an event read again as it did; its place in the story stays."""
        event = self.event
        return EventPatch(
            summary=event.summary,
            raw_data=event.raw_data,
            structured_kv=event.structured_kv,
            significance_score=event.significance_score,
            kind=event.kind,
            confidence=event.confidence,
            scope=event.scope,
            owner=event.owner or "",
            condition=event.condition or "",
        )


def _read(event: EventNode) -> tuple[object, ...]:
    return (
        event.summary,
        event.raw_data,
        event.structured_kv,
        event.significance_score,
        event.kind,
        event.confidence,
        event.scope,
        event.owner,
        event.condition,
        event.is_archived,
        event.is_locked,
        event.is_stale,
        event.is_deleted,
        event.source_range,
    )
