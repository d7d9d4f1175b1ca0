"""A question to the memory, its filter, its results, and why they were recalled or not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.event import CONFIDENCES, Confidence
from engram_desktop.domain.memory.extraction import clean_text
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.scope import Actor, MemberOf
from engram_desktop.domain.recall.relevance import FLOOR
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# How much memory a message needs (design note 003 §3.1): hardly any, the usual, or everything.
# Values and a tolerant parser, which never raises and invents nothing: an answer without a level
# gives none.


Level = Literal["ROUTINE", "CHAT", "EVENT"]
LEVELS: tuple[Level, ...] = ("ROUTINE", "CHAT", "EVENT")
MAX_DIRECTIVES = 12  # of one answer: bounds what goes into a prompt; not measured
_MAX_TEXT = 400  # characters of one directive: bounds the same
_WORDS: dict[str, Level] = {
    "l1": "ROUTINE",
    "l2": "CHAT",
    "l3": "EVENT",
    "1": "ROUTINE",
    "2": "CHAT",
    "3": "EVENT",
    "日常": "ROUTINE",
    "闲聊": "CHAT",
    "聊天": "CHAT",
    "对话": "CHAT",
    "事件": "EVENT",
    "剧情": "EVENT",
}


@dataclass(frozen=True, slots=True)
class Triage:
    """How much memory a message needs, why, and hints for the model that replies."""

    level: Level
    intent: str = ""
    reasoning: str = ""
    directives: dict[str, str] = field(default_factory=dict)


def parse_triage(value: object) -> Triage | None:
    """Read an answer; None if it has no level."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        value = {"level": value}
    if not isinstance(value, Mapping):
        return None
    level = _level(value.get("level", value.get("等级")))
    if level is None:
        return None
    return Triage(
        level,
        _text(value.get("intent")),
        _text(value.get("reasoning", value.get("reason"))),
        _directives(value.get("directives")),
    )


def _level(value: object) -> Level | None:
    """Read a level, also with further text: “L3 EVENT”."""
    words = str(value).strip().casefold() if isinstance(value, str | int) else ""
    levels = [level for level in LEVELS if level.casefold() in words]
    if len(levels) == 1:
        return levels[0]
    return _WORDS.get(words) if not levels else None


def _directives(value: object) -> dict[str, str]:
    if isinstance(value, list):
        value = {str(n): text for n, text in enumerate(value, start=1)}
    if isinstance(value, str) and value.strip():
        value = {"1": value}
    if not isinstance(value, Mapping):
        return {}
    directives = {clean_text(str(name), 60): _text(part) for name, part in value.items()}
    some = list(directives.items())[:MAX_DIRECTIVES]
    return {name: text for name, text in some if name and text}


def _text(value: object) -> str:
    match value:
        case str():
            return clean_text(value, _MAX_TEXT)
        case bool() | int() | float():
            return str(value)
        case list():
            return clean_text(", ".join(_text(part) for part in value), _MAX_TEXT)
    return ""


# Values of a recall: the question, ranked hits with their reasons, and the injection.


ItemKind = Literal["turn", "event", "entity", "log"]
ITEM_KINDS: tuple[ItemKind, ...] = get_args(ItemKind)
# Why a candidate was not returned: ranked too low, covered by another one, muted, always visible
# anyway, still in the chat window, beyond the limit, no room, deleted meanwhile, stale since
# messages changed, below the relevance floor. `weak`: too little evidence, so it is left out
# although there is room. `rested`: it was in the prompts of the last replies, so others go first
# this time. `rerank`: the reranker put others before it.
Dropped = Literal[
    "below",
    "rerank",
    "duplicate",
    "muted",
    "visible",
    "window",
    "limit",
    "budget",
    "gone",
    "stale",
    "unrelated",
    "weak",
    "rested",
]
QUOTED = "quoted"  # the `why` of a memory with the question word for word
ANSWERS = "answer"  # the `why` of a memory in a prompt because it answers a quoted question


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """What to search for, and for whom.

    ``at`` is a floor: only what happened up to it is searched. ``actor`` None is the curator.
    ``context`` are further texts to search by, each with less weight than the question; messages
    from floor ``told_from`` on are that context and cannot be hits. What begins at floor
    ``held_from`` or later is in the prompt itself: it is not a hit, and does not count for
    relevance. ``said`` are the player's own words if ``text`` is an interpretation of them.
    ``confidence`` is the least one for events and private logs, and for an event that names an
    entity. ``known_as`` are all the names of the actor, in the form of `norm_name`. ``groups`` are
    those it is or was a member of; ``fulfilled`` are references of memories with a condition that
    holds for ``actor``; ``visible`` those of events that are always in context, ``stale`` those of
    memories that are no longer true: neither can be a hit. ``is_deep`` is for filling a prompt: all
    ``top_k`` (several hundred) in order, including near repetitions; matched words are given for
    the first hits only, and explanations for the first candidates only.
    """

    text: str
    top_k: int = 10
    kinds: tuple[ItemKind, ...] = ITEM_KINDS
    actor: str | None = None
    branch_id: str = MAIN_BRANCH
    at: int | None = None
    context: tuple[str, ...] = ()
    told_from: int | None = None
    held_from: int | None = None
    said: str = ""
    confidence: Confidence = CONFIDENCES[0]
    fulfilled: frozenset[str] = frozenset()
    visible: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    known_as: frozenset[str] = frozenset()
    groups: tuple[MemberOf, ...] = ()
    is_deep: bool = False

    @property
    def own_words(self) -> str:
        """The player's words."""
        return self.said or self.text


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which items may be seen; applied before ranking.

    ``branches`` are (branch id, highest ``end_index`` visible there or None for all of it): the
    branch itself and its ancestors up to their fork points. For the others see RecallQuery.
    """

    kinds: tuple[ItemKind, ...]
    branches: tuple[tuple[str, int | None], ...]
    at: int | None = None
    actor: str | None = None
    known_as: frozenset[str] = frozenset()
    confidence: Confidence = CONFIDENCES[0]
    fulfilled: frozenset[str] = frozenset()
    groups: tuple[MemberOf, ...] = ()

    @property
    def asker(self) -> Actor:
        """The actor with all its names; the name is empty without an actor."""
        names = self.known_as or {norm_name(self.actor or "")}
        return Actor(frozenset(names), self.at, self.fulfilled, self.groups)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The visible items of one chat as columns, in story order (``starts``, then ``ids``).

    ``kinds`` index ITEM_KINDS. ``speakers`` index ``names`` and are -1 without a speaker (events,
    entities). ``is_user`` marks turns of the user. ``sent_at`` is in milliseconds, 0 if unknown.
    ``is_muted`` marks items that must not be returned, except as dropped.
    """

    ids: NDArray[np.int64]
    kinds: NDArray[np.int8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    speakers: NDArray[np.int32]
    is_user: NDArray[np.bool_]
    sent_at: NDArray[np.int64]
    is_muted: NDArray[np.bool_]
    names: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        return (
            self.ids,
            self.kinds,
            self.starts,
            self.ends,
            self.speakers,
            self.is_user,
            self.sent_at,
            self.is_muted,
        )

    def rows(self, mask: NDArray[np.bool_]) -> Layout:
        """Return the rows of a mask; ``names`` stays complete."""
        columns: list[Any] = [column[mask] for column in self.columns]
        return replace(Layout(*columns), names=self.names)


@dataclass(frozen=True, slots=True)
class StoryLinks:
    """The entity graph of a chat, as far as recall needs it.

    ``mentions``: (entity id, item id) for every event or log that names the entity, and for the
    entity's own item. ``relations``: (entity id, predicate, entity id), one for each edge.
    """

    mentions: tuple[tuple[str, int], ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()


@dataclass(slots=True, unsafe_hash=True)  # not frozen: see RecallHit
class MemoryItem:
    """An item that can be recalled. ``ref`` is the id of the message, event or entity.

    ``volume`` is the title of its volume; "" for the chat's own. Items of a volume have a negative
    ``id``, and floors of another chat.
    """

    id: int
    kind: ItemKind
    ref: str
    branch_id: str
    content: str
    start_index: int
    end_index: int
    volume: str = ""

    def as_witnessed(self) -> MemoryItem:
        """Return an event with only the first line of its summary, for a witness.

        The lines after it hold keywords and entities, with names that a witness may not know.
        """
        if self.kind != "event":
            return self
        return replace(self, content=self.content.partition("\n")[0])


# Not frozen: a prompt makes 1,000 of these three, and freezing took 2 ms of its 40.
@dataclass(slots=True)
class RecallHit:
    """One ranked memory. ``why`` maps a leg's name (lexical, vector, graph) to its share.

    A memory that no leg found is in a prompt because it `ANSWERS` another; its share is 0.
    """

    rank: int
    item: MemoryItem
    score: float
    why: dict[str, float] = field(default_factory=dict)
    matched: tuple[str, ...] = ()  # words and entity names found


@dataclass(slots=True)  # not frozen: see RecallHit
class Candidate:
    """One ranked memory, returned or not. ``ranks``: its place by each leg alone, from 1.

    ``dropped`` is why it was not returned; None if it was, as number ``rank``.
    """

    item: MemoryItem
    score: float
    why: dict[str, float] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)
    rank: int = 0
    dropped: Dropped | None = None


@dataclass(frozen=True, slots=True)
class RecallResult:
    """Hits, best first.

    ``degraded`` names what could not take part ("index", "embedding", "rerank", "expand",
    "volume"). ``candidates`` are all that were ranked to the end, best first; ``steps``
    milliseconds by name. ``searched`` are further texts of the search; ``output`` is the question
    rewritten by a model. ``relevance`` is the log-odds that something here answers the question.
    ``earlier`` are results of the volumes that the chat reads, one each.
    """

    query: str
    hits: tuple[RecallHit, ...]
    elapsed_ms: float
    degraded: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    steps: dict[str, float] = field(default_factory=dict)
    searched: tuple[str, ...] = ()
    output: str = ""
    relevance: float = -math.inf
    earlier: tuple[RecallResult, ...] = ()

    @property
    def is_related(self) -> bool:
        """Whether the hits are relevant enough for a prompt; those of a conversation always are."""
        return bool(self.searched) or self.relevance >= FLOOR


@dataclass(frozen=True, slots=True)
class InjectedLine:
    """One line of an injection.

    ``part`` is its section; ``kind`` and ``ref`` identify its memory, both empty for a relation.
    ``floors`` is None if it has none. ``why`` is the share of each leg in the score of its best
    memory; empty for the story so far and for facts.
    """

    part: str
    text: str
    tokens: int
    kind: ItemKind | Literal[""] = ""
    ref: str = ""
    floors: tuple[int, int] | None = None
    why: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Injection:
    """The text for a prompt; ``sections`` are its parts by name, ``tokens`` its estimate.

    ``dropped`` is by item id why a hit is not in it. ``frozen_until`` is the floor up to which this
    same text is used again; then it has no ``lines``. ``unfitted`` are the hits for a larger
    budget, best first. ``triage`` is a model's judgement of the message, if requested. ``degraded``
    names what could not take part, as in `RecallResult`.
    """

    text: str
    sections: dict[str, str]
    tokens: int
    hits: tuple[RecallHit, ...]
    dropped: tuple[tuple[int, Dropped], ...] = ()
    frozen_until: int | None = None
    triage: Triage | None = None
    triage_fault: str = ""  # why there is no triage: then the usual amount is used
    degraded: tuple[str, ...] = ()
    lines: tuple[InjectedLine, ...] = ()
    unfitted: tuple[RecallHit, ...] = ()


@dataclass(frozen=True, slots=True)
class NextPrompt:
    """The memory for the next reply: for which message, within how many tokens.

    ``floor`` is that of the message, -1 in a chat without one.
    """

    injection: Injection
    budget: int
    floor: int = -1
    text: str = ""


# Why memories were recalled or not: what is kept of a recall, and its JSON. The number of
# candidates and the length of their texts are limited. It has the refs of memories and never
# influences a result.

# What the log keeps of each of the last 100 recalls, so that it stays small (recall.md):
# candidates, characters of an injection, characters of each candidate.
TRACES_KEPT = 40
NOT_TOLD_KEPT = 40  # candidates that are not in an injection, besides those in it
TEXT_KEPT = 12_000  # characters
EXCERPT = 160  # characters


@dataclass(frozen=True, slots=True)
class Trace:
    """One candidate: ``rank`` is its place among the hits, 0 for none, ``ranks`` those by leg."""

    item_id: int
    kind: ItemKind
    ref: str
    first: int
    last: int
    text: str
    score: float
    why: dict[str, float]
    ranks: dict[str, int]
    rank: int = 0
    dropped: Dropped | None = None

    @classmethod
    def of(cls, candidate: Candidate) -> Self:
        item = candidate.item
        return cls(
            item.id,
            item.kind,
            item.ref,
            item.start_index,
            item.end_index,
            " ".join(item.content.split())[:EXCERPT],
            candidate.score,
            candidate.why,
            candidate.ranks,
            candidate.rank,
            candidate.dropped,
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """The candidates of a recall, the time of each step, what could not take part, and the result.

    ``text`` is the injected text, empty for a recall alone; ``searched`` are further texts of the
    search; ``output`` is the question rewritten by a model. For an injection, ``told`` are the ids
    of the items in it, ``asker`` the branch and the character, ``floor`` the present floor.
    """

    purpose: Literal["recall", "inject"]
    traces: tuple[Trace, ...] = ()
    steps: dict[str, float] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()
    text: str = ""
    searched: tuple[str, ...] = ()
    output: str = ""
    told: tuple[int, ...] = ()
    asker: str = ""
    floor: int = -1

    def to_json(self) -> dict[str, Any]:
        return _values(self) | {"traces": [_values(trace) for trace in self.traces]}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        known = {f.name: value[f.name] for f in fields(cls) if f.name in value}
        known["traces"] = tuple(Trace(**row) for row in value.get("traces", ()))
        for name in ("degraded", "searched", "told"):
            known[name] = tuple(value.get(name, ()))
        return cls(**known)


def _values(row: Trace | Explanation) -> dict[str, Any]:
    """Return the fields without copying: `dataclasses.asdict` copies each, for 4 ms of a prompt."""
    return {f.name: getattr(row, f.name) for f in fields(row)}


@dataclass(frozen=True, slots=True)
class PastRecall:
    """One row of the log. ``at`` is in milliseconds."""

    id: int
    at: int
    query: str
    elapsed_ms: float
    hits: int


def explain(results: Iterable[RecallResult]) -> Explanation:
    """Explain a recall of one or more searches: hits first, then other candidates."""
    results = list(results)
    candidates = [c for result in results for c in result.candidates]
    candidates.sort(key=lambda c: (c.rank == 0, c.rank, -c.score))
    return _explained(results, [Trace.of(c) for c in candidates[:TRACES_KEPT]])


def explain_injection(
    results: Iterable[RecallResult],
    ranks: Mapping[int, int],
    dropped: Mapping[int, Dropped],
    text: str,
    answers: Iterable[RecallHit],
) -> Explanation:
    """Explain an injection: the candidates in the prompt, and the best ones left out.

    ``ranks`` are places in it, ``dropped`` reasons, both by item id. ``answers`` are in it but were
    no candidates.
    """
    results = list(results)
    candidates = [c for result in results for c in result.candidates]
    candidates += [Candidate(hit.item, hit.score, hit.why) for hit in answers]
    told = [c for c in candidates if c.item.id in ranks]
    others = [c for c in candidates if c.item.id not in ranks]
    told.sort(key=lambda c: ranks[c.item.id])
    others.sort(key=lambda c: -c.score)
    traces = [replace(Trace.of(c), rank=ranks[c.item.id], dropped=None) for c in told[:TRACES_KEPT]]
    traces += [
        replace(Trace.of(c), rank=0, dropped=dropped.get(c.item.id, c.dropped or "below"))
        for c in others[:NOT_TOLD_KEPT]
    ]
    return replace(_explained(results, traces), purpose="inject", text=text[:TEXT_KEPT])


def _explained(results: Sequence[RecallResult], traces: Sequence[Trace]) -> Explanation:
    steps: dict[str, float] = {}
    for result in results:
        for name, took in result.steps.items():
            steps[name] = round(steps.get(name, 0.0) + took, 3)
    return Explanation(
        "recall",
        tuple(traces),
        steps,
        tuple(dict.fromkeys(part for result in results for part in result.degraded)),
        searched=tuple(dict.fromkeys(query for result in results for query in result.searched)),
        output=next((result.output for result in results if result.output), ""),
    )
