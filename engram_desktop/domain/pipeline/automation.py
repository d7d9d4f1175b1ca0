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

# What automation would do now, and what it did. Values only; `decide` is the rule.


# mode: memory is off for the chat; off: automation is; capped: today's tokens are spent; review:
# drafts wait for the user; consent: a backlog, which needs the user's consent; due: there is
# something to do; idle: there is nothing.
Standing = Literal["mode", "off", "capped", "review", "consent", "due", "idle"]


@dataclass(frozen=True, slots=True)
class AutoPlan:
    """What is due for one branch of a chat. ``blocks`` are ranges of floors to summarise.

    ``reflect`` are blocks to look back on. ``is_over``: the session that was open when the program
    closed has ended. A session ends after ``idle_minutes`` of silence. ``floors_left`` counts the
    floors until the next summary. ``estimate`` is only made for a backlog, where it is shown.
    """

    chat_id: str
    branch_id: str
    standing: Standing
    extractor: Literal["llm", "extractive"] = "extractive"
    model: str = ""
    blocks: tuple[tuple[int, int], ...] = ()
    consolidate: bool = False
    trim: bool = False
    mend: bool = False  # outlines that are no longer true are to be dissolved
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
    """The result of one run of automation, and the state after it.

    ``notes`` are problems, such as an embedder that did not answer.
    """

    plan: AutoPlan
    events_added: int = 0
    waiting: int = 0
    archived: int = 0
    outlines: int = 0
    logs: int = 0  # private logs written by a look back
    failed: tuple[FailedRange, ...] = ()
    notes: tuple[str, ...] = ()
    changes: Changes = field(default_factory=Changes)
    entities_failed: bool = False  # not to be tried again until the user asks
    stopped: str = ""  # why the rest was not begun; empty: it was
    steps: tuple[int, ...] = ()  # of the undo journal, newest first: the run's steps


# When the pipeline acts by itself: a decision table over counters (design note 000 §3).


@dataclass(frozen=True, slots=True)
class Counters:
    """The state of a chat. Floors are numbers of messages."""

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
    """Limits of the settings; 0 switches a trigger off."""

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

    ``mend``: outlines that are no longer true are dissolved.
    """

    summarise: tuple[int, int] | None = None
    consolidate: bool = False
    trim: bool = False
    entities: tuple[int, int] | None = None
    mend: bool = False


def decide(counters: Counters, limits: Limits) -> Decision:
    """Decide each trigger separately; the newest floors are never processed.

    Entities are learned from consolidated events, so at most those are due. The newest events stay
    in the buffer, so a consolidation is due only with further ones.
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
    """Split floors ``first``..``last`` into blocks of about ``size``, as equal as possible."""
    if last < first:
        return []
    count = last - first + 1
    parts = max(1, round(count / size))
    edges = [first + count * n // parts for n in range(parts + 1)]
    return [(a, b - 1) for a, b in itertools.pairwise(edges)]
