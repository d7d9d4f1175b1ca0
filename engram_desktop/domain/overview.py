"""The values of a chat's page, put together by `services.overview`."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from engram_desktop.domain.memory.event import EventCounts, EventNode
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.automation import Standing
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class CastMember:
    """A person of the story. ``about`` is a line of description, or empty.

    ``entity_id`` is empty for one who only speaks; ``card_id`` is set if there is a card with a
    picture.
    """

    name: str
    entity_id: str = ""
    about: str = ""
    events: int = 0
    messages: int = 0
    card_id: str = ""
    is_user: bool = False


@dataclass(frozen=True, slots=True)
class Spent:
    """Use of models. ``cost`` is None if no price is known."""

    calls: int = 0
    tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class MemoryProgress:
    """The progress of a line's memory.

    ``runs`` are (first floor, last floor, state), covering all floors; ``untold`` is the number of
    floors without memory, ``fresh`` of those at the end of the line, too few yet for a block.
    ``waiting`` and ``failed`` count blocks.
    """

    floors: int = 0
    runs: tuple[tuple[int, int, str], ...] = ()
    untold: int = 0
    fresh: int = 0
    waiting: int = 0
    failed: int = 0
    events: EventCounts = field(default_factory=EventCounts)
    is_buffer_full: bool = False

    @property
    def remembered(self) -> int:
        """The number of floors with memory."""
        told = ("archived", "buffer", "done", "stale")
        return sum(last - first + 1 for first, last, state in self.runs if state in told)


@dataclass(frozen=True, slots=True)
class Overview:
    """A line as a whole. ``story`` and ``moments`` are in story order.

    ``model_tokens`` is about what a model would read and write to summarise it, 0 if a model is set
    up. If not ``is_whole``, this is the view of a character, or as of a floor; waiting and failed
    blocks and costs are always current.
    """

    line: Line
    progress: MemoryProgress = field(default_factory=MemoryProgress)
    story: tuple[EventNode, ...] = ()
    moments: tuple[EventNode, ...] = ()
    cast: tuple[CastMember, ...] = ()
    here: Spent = field(default_factory=Spent)
    library: Spent = field(default_factory=Spent)
    currency: str = ""
    has_model: bool = False
    model_tokens: int = 0
    is_whole: bool = True


# The next step for a chat: what waits for the user comes first.


# agree: a backlog that automation asks about; none: nothing to do.
NextStep = Literal["review", "retry", "agree", "summarise", "consolidate", "connect", "none"]


def next_step(overview: Overview, standing: Standing | None, *, is_running: bool) -> NextStep:
    """Choose the next step. ``standing`` is that of automation, None if unknown.

    While automation ``is_running`` it summarises and consolidates itself, so neither is offered.
    """
    progress = overview.progress
    if progress.waiting:
        return "review"
    if progress.failed:
        return "retry"
    if not is_running:
        if standing == "consent":
            return "agree"
        if standing != "mode" and progress.untold > progress.fresh:
            return "summarise"
        if progress.is_buffer_full:
            return "consolidate"
    return "none" if overview.has_model else "connect"
