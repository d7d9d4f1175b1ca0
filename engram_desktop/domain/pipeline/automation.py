"""When the pipeline runs by itself."""

from __future__ import annotations

import itertools
from dataclasses import field
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.draft import DraftCounts
from engram_desktop.domain.pipeline.usage import Estimate
from engram_desktop.domain.reports import FailedRange
from engram_desktop.domain.values import dataclass

# What automation would do now, and what it did. Values only; `triggers.decide` is the rule.


# mode: memory is off for the chat; off: automation is; capped: today's tokens are spent;
# review: what waits for the user's eyes comes first; consent: a backlog, never begun unasked;
# due: something is to be done; idle: nothing is.
Standing = Literal["mode", "off", "capped", "review", "consent", "due", "idle"]


@dataclass(frozen=True, slots=True)
class AutoPlan:
    """What is due for one branch of a chat. ``blocks`` are ranges of floors to summarise.

    ``reflect`` are blocks to look back on. ``is_over``: the session that was open when the program
    was closed has ended. ``idle_minutes`` of silence end one.
    ``floors_left`` counts the floors until the next summary. ``estimate`` is made only where it
    is shown: for a backlog.
    """

    chat_id: str
    branch_id: str
    standing: Standing
    extractor: Literal["llm", "extractive"] = "extractive"
    model: str = ""
    blocks: tuple[tuple[int, int], ...] = ()
    consolidate: bool = False
    trim: bool = False
    mend: bool = False  # outlines that tell what is no longer true are to be taken apart
    entities: tuple[int, int] | None = None
    reflect: tuple[tuple[int, int], ...] = ()
    is_over: bool = False
    idle_minutes: int = 0
    floors_left: int = 0
    estimate: Estimate = field(default_factory=Estimate)
    drafts: DraftCounts = field(default_factory=DraftCounts)

    @property
    def line(self) -> Line:
        return Line(self.chat_id, self.branch_id)

    @property
    def floors(self) -> int:
        return sum(last - first + 1 for first, last in self.blocks)

    @property
    def is_due(self) -> bool:
        parts = (self.blocks, self.consolidate, self.trim, self.entities, self.mend, self.reflect)
        return any(parts)


@dataclass(frozen=True, slots=True)
class AutoReport:
    """What one run of automation did, and how things stand after it.

    ``notes`` say what went worse than it should have, such as an embedder that did not answer.
    """

    plan: AutoPlan
    events_added: int = 0
    waiting: int = 0
    archived: int = 0
    outlines: int = 0
    logs: int = 0  # private logs that a look back wrote
    failed: tuple[FailedRange, ...] = ()
    notes: tuple[str, ...] = ()
    changes: Changes = field(default_factory=Changes)
    entities_failed: bool = False  # not to be asked again before the user says so
    stopped: str = ""  # why the rest of what was due was not begun; empty: it was
    steps: tuple[int, ...] = ()  # of the undo journal, newest first: what the run did


# When the pipeline acts on its own: a decision table over counters (design note 000 §3).


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
