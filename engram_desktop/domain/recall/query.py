"""A question to the memory, its filter, and its results."""

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
