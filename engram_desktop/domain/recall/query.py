"""A question to the memory, and how much work it is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

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


# What a message asks of memory (design note 003 §3.1): hardly anything, the usual, or everything.
#
# Values and a tolerant parser. It never raises and invents nothing: an answer without a level
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
    """Read an answer; None where it names no level."""
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
    """Read a level, also where more is said with it: “L3 EVENT”."""
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


# Values of a recall: the question, ranked hits with their reasons, and what would be injected.


ItemKind = Literal["turn", "event", "entity", "log"]
ITEM_KINDS: tuple[ItemKind, ...] = get_args(ItemKind)
# Why a candidate did not come back: ranked too low, told already by another, not to be used again,
# always visible anyway, still in the chat window, more than allowed, no room, gone meanwhile,
# no longer true since the messages changed, too far from the question to be worth telling.
# `weak`: too little to do with the question, so it stays out although there is room.
# `rested`: stood in the prompts of the last replies, so it yields to others this time.
# `rerank`: it would have come back, had the reranker not put others before it.
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
QUOTED = "quoted"  # the `why` of what holds the question word for word
ANSWERS = "answer"  # the `why` of what stands in a prompt since it answers a quoted question


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """What to look for and who asks.

    ``at`` is a floor: only what happened up to it is considered. ``actor`` None is the curator.
    ``context`` are further texts to search by, each worth less than the question itself; what was
    told from floor ``told_from`` on is that context, and is not found by it. What begins at floor
    ``held_from`` or later stands in the prompt as it was written: no hit, and no sign that anything
    fits. ``said`` are the player's own words where ``text`` is what they were taken for.
    ``confidence`` is the
    least that must vouch for events and private logs, and for an event that names an entity.
    ``known_as`` are all the names of the actor, as `norm_name` makes them.
    ``groups`` are those it is or was a member of;
    ``fulfilled`` are references of memories with a condition that holds for ``actor``;
    ``visible`` those of events that are always in context, ``stale`` those of memories that are no
    longer true: neither take a place among the hits.
    ``is_deep`` is for filling a prompt: all ``top_k`` (several hundred) in order, near repetitions
    kept; only the first hits say which words matched, and only the first candidates are explained.
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
        """What the player wrote."""
        return self.said or self.text


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which items may be seen at all. Applied before anything is ranked.

    ``branches`` are (branch id, highest ``end_index`` visible there or None for all of it): the
    branch itself and its ancestors up to their fork points. The rest is as in RecallQuery.
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
        """Return the actor with all its names; nobody's names where there is none."""
        names = self.known_as or {norm_name(self.actor or "")}
        return Actor(frozenset(names), self.at, self.fulfilled, self.groups)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The visible items of one chat as columns, in story order (``starts``, then ``ids``).

    ``kinds`` index ITEM_KINDS. ``speakers`` index ``names`` and are -1 where nobody speaks (events,
    entities). ``is_user`` marks turns of the user. ``sent_at`` is in milliseconds, 0 if unknown.
    ``is_muted`` marks what must not come back, though it may be told why it did not.
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
        """Return the rows of a mask; names are those of all."""
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
    """One thing that can be recalled. ``ref`` is the id of the message, event or entity.

    ``volume`` is the title of the volume it stands in; "" for the chat's own. What stands in a
    volume has a negative ``id``, and floors of another chat.
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
        """Return an event as the first line of its summary, as one who was there is told of it.

        Keywords and entities stand behind it, with names that this person may not know.
        """
        if self.kind != "event":
            return self
        return replace(self, content=self.content.partition("\n")[0])


# Not frozen: a prompt makes 1,000 of these three, which took 2 ms of its 40 longer.
@dataclass(slots=True)
class RecallHit:
    """One ranked memory. ``why`` maps a leg's name (lexical, vector, graph) to its share.

    What no leg found stands in a prompt because it `ANSWERS` another; its share is 0.
    """

    rank: int
    item: MemoryItem
    score: float
    why: dict[str, float] = field(default_factory=dict)
    matched: tuple[str, ...] = ()  # words and entity names that were found


@dataclass(slots=True)  # not frozen: see RecallHit
class Candidate:
    """One memory that was weighed, taken or not. ``ranks``: its place by each leg alone, from 1.

    ``dropped`` says why it did not come back; None where it did, as number ``rank``.
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
    "volume").
    ``candidates`` are all that were weighed to the end, best first; ``steps`` milliseconds by name.
    ``searched`` is what was looked for beside the question; ``output`` the question as a model
    put it. ``relevance`` are the log-odds that something here answers the question. ``earlier``
    are results of the volumes that the chat reads, one each.
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
        """Whether a prompt would be told of it; what was found for a conversation always is."""
        return bool(self.searched) or self.relevance >= FLOOR


@dataclass(frozen=True, slots=True)
class InjectedLine:
    """One line of an injection, as it is told.

    ``part`` is where it stands; ``kind`` and ``ref`` name the memory it tells, both empty for a
    relation. ``floors`` is None where it is of no floors. ``why`` is the share of each leg in the
    score of the memory that was found best; empty for the story so far and for facts.
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
    """The text a prompt would get; ``sections`` are its parts by name, ``tokens`` its estimate.

    ``dropped`` says by item id why a hit is not in it. ``frozen_until`` is the floor up to which
    this very text is given again; it has no ``lines``. ``unfitted`` are the hits that a larger
    budget would hold, best first. ``triage`` is what a model said the message needs, if it was
    asked. ``degraded`` names what could not take part, as in `RecallResult`.
    """

    text: str
    sections: dict[str, str]
    tokens: int
    hits: tuple[RecallHit, ...]
    dropped: tuple[tuple[int, Dropped], ...] = ()
    frozen_until: int | None = None
    triage: Triage | None = None
    triage_fault: str = ""  # why nobody could say how much is needed: then it is as usual
    degraded: tuple[str, ...] = ()
    lines: tuple[InjectedLine, ...] = ()
    unfitted: tuple[RecallHit, ...] = ()


@dataclass(frozen=True, slots=True)
class NextPrompt:
    """What the next reply would be given: for which message, within how many tokens.

    ``floor`` is that of the message, -1 in a chat without one.
    """

    injection: Injection
    budget: int
    floor: int = -1
    text: str = ""
