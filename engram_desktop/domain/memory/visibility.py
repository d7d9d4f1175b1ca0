"""Which events `{{engramSummaries}}` shows, and in which order (design note 001 §4)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from engram_desktop.domain.memory.event import SourceRange


class Visible(Protocol):
    """What the rule needs to know of an event."""

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


def is_visible(event: Visible, recalled: Collection[str] = ()) -> bool:
    """Outlines always, blue lamps always, green lamps only when recalled.

    An outline that was merged into a higher one has that one in its place: it counts as archived.
    """
    is_outline = event.level >= 1 and event.parent_id is None
    return is_outline or not event.is_archived or event.id in recalled


def story_key(event: Visible) -> tuple[int, int, int, str]:
    """Start of the range, end of the range, time of making; the id makes the order total."""
    source = event.source_range
    return (source.start_index, source.end_index, event.timestamp, event.id)
