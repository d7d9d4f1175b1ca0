"""What several events have in common, and changing it in all of them."""

from __future__ import annotations

from engram_desktop.domain.memory.event import EventNode, EventPatch
from engram_desktop.domain.memory.extraction import EventKind
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class SharedFields:
    """Of ``count`` events. A field holds the one value they share, or two where they differ.

    ``keywords`` are the most used ones, each with how many of the events have it.
    """

    count: int = 0
    outlines: int = 0
    locked: int = 0
    confirmed: int = 0
    archived: int = 0
    times: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    kinds: tuple[EventKind, ...] = ()
    scores: tuple[float, ...] = ()
    keywords: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SharedPatch:
    """What to change in several events; None and empty leave a field as it is."""

    time_anchor: str | None = None
    location: str | None = None
    kind: EventKind | None = None
    significance_score: float | None = None
    add_keywords: tuple[str, ...] = ()
    remove_keywords: tuple[str, ...] = ()

    def of(self, event: EventNode) -> EventPatch:
        """Return what changes in one of them. Who vouches for it stays as it is."""
        removed = set(self.remove_keywords)
        kept = [word for word in event.raw_data.keywords if word not in removed]
        keywords = tuple(dict.fromkeys((*kept, *self.add_keywords)))
        return EventPatch(
            time_anchor=self.time_anchor,
            location=self.location,
            kind=self.kind,
            significance_score=self.significance_score,
            keywords=keywords,
            confidence=event.confidence,
        )
