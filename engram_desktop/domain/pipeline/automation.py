"""What automation would do now, and what it did. Values only; `triggers.decide` is the rule."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.drafts.draft import DraftCounts
from engram_desktop.domain.pipeline.usage import Estimate
from engram_desktop.domain.reports import FailedRange
from engram_desktop.domain.values import dataclass

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
    seconds: int = 0  # about how long a backlog takes without a model
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
