"""What an entity lacks: relations, links to texts that name it, facts about a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.text.words import Mentions, SearchedWord, is_mentioned
from engram_desktop.domain.values import dataclass

# alone: no relation · unlinked: named where it is not linked · the others: of a person
Gap = Literal["alone", "unlinked", "described", "home", "birthday"]
GAPS: tuple[Gap, ...] = get_args(Gap)
SHOWN_FLOORS = 20  # floors where an entity is named without a link; further ones are only counted
MOST_MESSAGES = 20_000  # the newest are searched: some 3 s of a background job
_SHORTEST = 2  # characters of a name that is searched for: a single one is part of too many words

_HOME = re.compile(
    r"(?<![抓记停握按拉拦忍捂抱扶挡接勾叫撑稳顶保遮守关锁围怔定捉揪攥卡夹缠困盯留愣])住|居所|居住|家在|定居|老家|故乡|^家$"
    r"|自宅|\bhome|\bresid|\baddress\b|\blives? (?:in|at|with|near)\b|\bliving (?:in|at|with)\b"
    r"|\bdwells?\b",
    re.IGNORECASE,
)
_BIRTHDAY = re.compile(r"生日|生辰|诞生|誕生|出生|生年|生于|生まれ|\bbirth|\bborn\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EntityGaps:
    """What is missing of one entity.

    ``floors`` are the first ones where it is named but not linked, and ``count`` is their number;
    ``events`` are keys of events that name it without a link.
    """

    entity_id: str
    gaps: tuple[Gap, ...]
    floors: tuple[int, ...] = ()
    count: int = 0
    events: tuple[int, ...] = ()


def missing_of(entity: EntityNode, predicates: Iterable[str]) -> tuple[Gap, ...]:
    """Return what an entity itself lacks; ``predicates`` are those of its relations."""
    said = list(predicates)
    found: list[Gap] = [] if said or entity.degree else ["alone"]
    if entity.type != "char":
        return tuple(found)
    if not entity.profile and not entity.description.strip():
        found.append("described")
    texts = [*_keys(entity.profile), *said]
    if not entity.profile:
        texts.append(entity.description)
    if not any(_HOME.search(text) for text in texts):
        found.append("home")
    if not any(_BIRTHDAY.search(text) for text in texts):
        found.append("birthday")
    return tuple(found)


def _keys(profile: Mapping[str, Any]) -> Iterable[str]:
    """Yield the keys of a profile with a value, including those of nested parts."""
    for key, value in profile.items():
        if value not in (None, "", [], {}):
            yield key
        if isinstance(value, dict):
            yield from _keys(value)


class NamedEntities:
    """Finds the entities that a text names.

    A name inside a longer one counts as the longer only.
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """Build the search; ``names`` are pairs of a name and the id of its entity."""
        self._owner: dict[str, str] = {}
        for name, entity_id in names:
            text = " ".join(name.split()).lower()
            if len(text) >= _SHORTEST:
                self._owner.setdefault(text, entity_id)
        self._mentions = Mentions(SearchedWord(text, is_word=True) for text in self._owner)

    def of(self, text: str) -> set[str]:
        """Return the ids of the entities that a text names."""
        found, rest = set[str](), text.lower()
        for word in sorted(self._mentions.find(text), key=lambda w: -len(w.text)):
            if is_mentioned(word, rest):
                found.add(self._owner[word.text])
                rest = rest.replace(word.text, "\0")
        return found
