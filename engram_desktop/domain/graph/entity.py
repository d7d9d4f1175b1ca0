"""EntityNode and its relations: the graph's nodes and edges."""

from __future__ import annotations

import functools
import unicodedata
from dataclasses import field
from typing import Any, Literal, get_args

from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.values import dataclass

EntityType = Literal["char", "loc", "item", "concept", "unknown"]
ENTITY_TYPES: tuple[EntityType, ...] = get_args(EntityType)

_TYPE_WORDS: dict[str, EntityType] = {
    **dict.fromkeys(("char", "character", "person", "people", "人物", "角色", "人"), "char"),
    **dict.fromkeys(("loc", "location", "place", "地点", "场所", "位置"), "loc"),
    **dict.fromkeys(("item", "object", "thing", "物品", "道具"), "item"),
    **dict.fromkeys(("concept", "idea", "event", "org", "organization", "概念", "组织"), "concept"),
}


def entity_type(word: str) -> EntityType:
    """Map a model's word for a type to one of ours; anything else is ``unknown``."""
    return _TYPE_WORDS.get(word.strip().lower(), "unknown")


@functools.lru_cache(maxsize=4_096)
def norm_name(name: str) -> str:
    """Key under which an alias is looked up: NFKC, case-folded, blanks collapsed."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(frozen=True, slots=True)
class EntityNode:
    """One entity. ``profile`` is for machines, ``description`` its YAML for models."""

    id: str
    name: str
    type: EntityType
    aliases: tuple[str, ...] = ()
    description: str = ""
    profile: dict[str, Any] = field(default_factory=dict)
    last_updated_at: int = 0
    layout_x: float | None = None
    layout_y: float | None = None
    is_locked: bool = False
    is_hidden: bool = False
    merged_into: str | None = None
    event_count: int = 0
    degree: int = 0


@dataclass(frozen=True, slots=True)
class Relation:
    """One edge: who, what, whom, with the ids and floors of the events that say so.

    It holds from floor ``valid_from`` (None: always) up to ``valid_to``, not included (None: now).
    ``superseded_by`` is the relation that ended it, where one did. ``is_by_hand``: a user made it.
    """

    id: str
    src: str
    predicate: str
    dst: str
    event_ids: tuple[str, ...] = ()
    floors: tuple[tuple[int, int], ...] = ()
    valid_from: int | None = None
    valid_to: int | None = None
    is_current: bool = True
    superseded_by: str | None = None
    is_by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two entities that may be one, ``one`` the better known, and why (translatable)."""

    id: str
    one: EntityNode
    other: EntityNode
    score: float
    reasons: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class GraphView:
    """A neighbourhood to draw. ``is_truncated``: nodes were left out to stay under the limit."""

    center_id: str | None
    entities: tuple[EntityNode, ...]
    relations: tuple[Relation, ...]
    is_truncated: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """What a picture is of: so many entities at most, around one or the best known.

    ``also`` are drawn in addition; ``at`` is the floor up to which the story is told (None: all).
    """

    center_id: str | None = None
    hops: int = 1
    limit: int = 150
    at: int | None = None
    also: tuple[str, ...] = ()
