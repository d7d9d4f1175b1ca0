"""Drafts of memories, and the lines of the chat that support each."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import field
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventNode, EventPatch, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction, Span
from engram_desktop.domain.pipeline.patches import patched_event
from engram_desktop.domain.pipeline.prompt_template import renderer_like
from engram_desktop.domain.recall.relevance import QuestionWord
from engram_desktop.domain.values import dataclass

# A draft: a model's answer on one block of messages, before it is saved.


ExtractorChoice = Literal["auto", "llm", "extractive"]  # what makes the events
DraftState = Literal["answered", "waiting", "failed"]
DraftPurpose = Literal["new", "redo"]
DraftedEvent = tuple[PlotExtraction, SourceRange]


def placed(
    events: Sequence[PlotExtraction], floors: Sequence[Span | None], block: SourceRange
) -> tuple[DraftedEvent, ...]:
    """Assign events to the floors they give, as far as these are in their block."""
    rows = []
    for event, span in zip(events, floors, strict=True):
        first, last = span or (block.start_index, block.end_index)
        first, last = max(first, block.start_index), min(last, block.end_index)
        rows.append((event, SourceRange(first, last) if first <= last else block))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Draft:
    """One answer, kept until it is saved or discarded.

    ``source_hash`` identifies the messages it was made of, ``prompt_hash`` the exact request.
    ``answered`` drafts are about to be stored, ``waiting`` ones are for the user to review,
    ``failed`` ones could not be read, for ``reason``. ``is_outdated``: the messages have changed
    since, so it must never be saved.
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
    """The number of blocks waiting for review, of redone ones among them, and of failed ones."""

    waiting: int = 0
    redo: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """Another model's answer on the same messages: shown as events, but not stored."""

    model: str
    drafted: tuple[EventNode, ...]


@dataclass(frozen=True, slots=True)
class DraftComparison:
    """A draft beside the present events. ``drafted`` are shown as events, but not stored.

    ``kept`` are keys of present events that stay unless the user ticks them; ``others`` are the
    answers of other models.
    """

    draft: Draft
    drafted: tuple[EventNode, ...]
    present: tuple[EventNode, ...]
    kept: frozenset[int]
    others: tuple[OtherAnswer, ...] = ()

    @property
    def offered(self) -> tuple[EventNode, ...]:
        """All events that may be saved: the draft's own, then those of other models."""
        return self.drafted + tuple(node for other in self.others for node in other.drafted)


@dataclass(frozen=True, slots=True)
class DraftReport:
    """The result of saving drafts.

    ``outdated`` ones were not saved: their messages have changed.
    """

    saved: int = 0
    events_added: int = 0
    outdated: tuple[Draft, ...] = ()
    changes: Changes = field(default_factory=Changes)


def edited(node: EventNode, patch: EventPatch) -> EventNode:
    """Return a drafted event with ``patch`` applied; its card is rendered on saving.

    Raises InputError.
    """
    return patched_event(node, patch, renderer_like(node.display_text))


def drafted(node: EventNode) -> DraftedEvent:
    """Convert a shown event back to a draft's event."""
    source = node.source_range
    return node.raw_data, SourceRange(source.start_index, source.end_index)


LINES = 3  # shown for a sentence: more are seldom read
# Below this share of its words a sentence is unsupported: 3 of 100 true ones are below it, and 70
# to 92 of 100 about other floors (`benchmarks.evidence`).
BORNE_OUT = 0.35
_COMMON = 0.3  # share of the lines from which on a word proves nothing; .5 finds fewer wrong
_ADDS = 0.12  # of a sentence's words: a shown line must add at least this
# Rarity from which a missing word is named, and from which a sentence can be judged.
_TELLING = 2.0


@dataclass(frozen=True, slots=True)
class SentenceEvidence:
    """The sources of one sentence: ``lines`` are positions, the best first.

    ``share`` is how much of it they support, from 0 to 1; ``missing`` are rare words that are in no
    line.
    """

    sentence: str
    lines: tuple[int, ...] = ()
    share: float = 0.0
    missing: tuple[str, ...] = ()

    @property
    def is_borne_out(self) -> bool:
        return self.share >= BORNE_OUT


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A source line of a sentence: its words that support the sentence best."""

    floor: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SentenceSource:
    """A sentence and its source lines, in the order of the floors."""

    evidence: SentenceEvidence
    lines: tuple[SourceLine, ...]


def evidence(
    sentence: str, words: Sequence[QuestionWord], lines: Sequence[Set[str]]
) -> SentenceEvidence:
    """Find the lines a sentence of ``words`` comes from; ``lines`` are the tokens of each.

    A sentence is judged by its words, weighted by their rarity in the language
    (`domain.recall.question_words`). Words in many lines of the block, such as the names of the
    speakers, prove nothing. Lines are chosen greedily for words that earlier ones lack, so that a
    sentence from two lines has both (maximum coverage: Nemhauser, Wolsey and Fisher, 1978).
    Figures: `python -m benchmarks.evidence`.
    """
    said = [[word.rarity * word.said_in(tokens) for word in words] for tokens in lines]
    telling = [
        at
        for at, word in enumerate(words)
        if sum(line[at] >= word.rarity for line in said) <= max(1.0, _COMMON * len(lines))
    ] or list(range(len(words)))
    whole = sum(words[at].rarity for at in telling)
    if whole < _TELLING and lines:  # "他笑了。" has nothing that could be checked
        return SentenceEvidence(sentence, share=1.0)
    worth = {at: _scarcity(at, said) for at in telling}
    have = dict.fromkeys(telling, 0.0)
    chosen: list[int] = []

    def gain(line: int) -> float:
        return sum(max(0.0, said[line][at] - have[at]) * worth[at] for at in telling)

    while lines and len(chosen) < LINES:
        best = max(range(len(lines)), key=gain)
        added = sum(max(0.0, said[best][at] - have[at]) for at in telling)
        if added < _ADDS * whole:
            break
        chosen.append(best)
        have = {at: max(have[at], said[best][at]) for at in telling}
    missing = [
        words[at].text
        for at in telling
        if words[at].rarity >= _TELLING and not any(line[at] for line in said)
    ]
    share = sum(have.values()) / whole if whole else 0.0
    return SentenceEvidence(sentence, tuple(chosen), share, tuple(missing))


def _scarcity(at: int, said: Sequence[Sequence[float]]) -> float:
    """Return the weight of a word for choosing lines: lower, the more lines have it."""
    count = sum(line[at] > 0 for line in said)
    return math.log1p(len(said) / (count + 0.5))
