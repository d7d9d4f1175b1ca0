"""When the pipeline acts on its own: a decision table over counters (design note 000 §3)."""

from __future__ import annotations

import itertools

from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class Counters:
    """Where a chat stands. Floors are counts of messages."""

    floors: int
    last_summarized_floor: int
    last_extracted_floor: int
    buffer_events: int
    buffer_tokens: int
    visible_tokens: int
    consolidated_floor: int = 0
    stale_outlines: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """From settings; 0 switches a trigger off."""

    interval: int
    newest_left_alone: int
    buffer_events: int
    buffer_tokens: int
    visible_tokens: int
    entity_interval: int
    newest_kept: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do now. ``summarise`` is a range of floors, both ends included.

    ``mend``: outlines that tell what is no longer true are taken apart.
    """

    summarise: tuple[int, int] | None = None
    consolidate: bool = False
    trim: bool = False
    entities: tuple[int, int] | None = None
    mend: bool = False


def decide(counters: Counters, limits: Limits) -> Decision:
    """Each trigger by itself; the newest floors are never touched.

    Entities are learned from what is consolidated, so no more is due than that. The newest events
    stay in the buffer: there must be others for a consolidation to be due.
    """
    settled = counters.floors - limits.newest_left_alone
    learnable = min(settled, counters.consolidated_floor)
    return Decision(
        summarise=_due(counters.last_summarized_floor, settled, limits.interval),
        consolidate=counters.buffer_events > limits.newest_kept
        and (
            _is_reached(counters.buffer_events, limits.buffer_events)
            or _is_reached(counters.buffer_tokens, limits.buffer_tokens)
        ),
        trim=_is_reached(counters.visible_tokens, limits.visible_tokens),
        entities=_due(counters.last_extracted_floor, learnable, limits.entity_interval),
        mend=counters.stale_outlines,
    )


def _due(first: int, settled: int, interval: int) -> tuple[int, int] | None:
    return (first, settled - 1) if interval > 0 and settled - first >= interval else None


def _is_reached(value: int, limit: int) -> bool:
    return 0 < limit <= value


def blocks(first: int, last: int, size: int) -> list[tuple[int, int]]:
    """Cut floors ``first``..``last`` into blocks of about ``size``, as even as can be."""
    if last < first:
        return []
    count = last - first + 1
    parts = max(1, round(count / size))
    edges = [first + count * n // parts for n in range(parts + 1)]
    return [(a, b - 1) for a, b in itertools.pairwise(edges)]
