"""What the summary of a model tells of other scenes: words that its own floors do not hold.

A model reads the whole story and writes down what one scene is: “she did not mention the two
millions”. Who was there then may never have heard of them. So each word of a summary that stands
on other floors alone is known to those who perceived one of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Protocol

import numpy as np

from engram_desktop.domain.claims.wording import stem_of
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import PrivatePart
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.chat_store import ChatStore

# Messages that hold a word, the newest of all branches. Who heard only an older one counts as not
# having heard the word; where all of them are on another branch, it counts as said nowhere.
_LOOKED_AT = 64
_LATIN = re.compile(r"[^\W\d_]{4,}|\d{2,}")  # shorter words tell nothing; numbers do
_HAN = re.compile(r"[\u3400-\u9fff]{2,}")


class HeardFloor(Protocol):
    """A floor, and who perceives its open text and its private parts."""

    @property
    def audience(self) -> Mapping[str, object]: ...
    @property
    def parts(self) -> Sequence[PrivatePart]: ...
    @property
    def text(self) -> str: ...


@dataclass
class Asides:
    """Who heard what events tell of other scenes. Worked out once for each wording of an event."""

    store: ChatStore
    floor_at: Callable[[str, int], HeardFloor | None]  # by branch and floor
    _known: dict[tuple[str, str], list[frozenset[str]]] = field(default_factory=dict)

    def hearers(
        self, event: EventNode, own_texts: Iterable[str], names: Iterable[str]
    ) -> list[frozenset[str]]:
        """Return for each word that only other floors hold who perceived it (`norm_name`).

        ``names`` are those of people, whom everybody may know.
        """
        told = f"{event.summary}\n{event.raw_data.details}".casefold()
        key = (event.id, told)
        if key not in self._known:
            self._known[key] = list(self._heard(event.branch_id, told, own_texts, names))
        return self._known[key]

    def _heard(
        self, branch_id: str, told: str, own_texts: Iterable[str], names: Iterable[str]
    ) -> Iterator[frozenset[str]]:
        is_own = _holds("\n".join(own_texts))
        people = "\n".join(names).casefold()
        for word in _words(told):
            if word in people or is_own(word):
                continue
            floors = (self.floor_at(branch_id, floor) for floor in self._floors_with(word))
            heard = [_who_heard(f, word) for f in floors if f is not None and _holds(f.text)(word)]
            if heard:
                yield frozenset[str]().union(*heard)

    def _floors_with(self, word: str) -> list[int]:
        """Return the floors of messages with all tokens of a word, on any branch."""
        tokens = [token for token in index_tokens(word) if len(token) > 1]
        counts = self.store.items.document_frequency(tokens)
        if not tokens or len(counts) < len(set(tokens)):
            return []
        rarest, *others = sorted(counts, key=lambda token: counts[token])
        (ids,) = self.store.items.postings([rarest])
        for token in others:
            if ids.size <= _LOOKED_AT:
                break
            (other,) = self.store.items.postings([token])
            ids = np.intersect1d(ids, other, assume_unique=True)
        items = self.store.items.fetch([int(item_id) for item_id in ids[-_LOOKED_AT:]])
        return sorted({item.start_index for item in items.values() if item.kind == "turn"})


def _who_heard(floor: HeardFloor, word: str) -> frozenset[str]:
    hidden = [p for p in floor.parts if _holds(floor.text[p.start : p.end])(word)]
    if not hidden:
        return frozenset(floor.audience)
    return frozenset(norm_name(person.name) for part in hidden for person in part.audience)


def _holds(text: str) -> Callable[[str], bool]:
    """Return what says whether a text holds a word, in any of its forms."""
    folded = text.casefold()
    stems = {stem_of(word) for word in _LATIN.findall(folded)}
    return lambda word: word in folded or (word.isascii() and stem_of(word) in stems)


def _words(text: str) -> list[str]:
    words = _LATIN.findall(text)
    if _HAN.search(text):
        import rjieba  # noqa: PLC0415  # a word list of 5 MB that an English story does not need

        words += [word for word in rjieba.cut(text) if _HAN.fullmatch(word)]
    return list(dict.fromkeys(words))
