"""Which words may bring back an entry of the exported worldbook: names and rare words.

SillyTavern looks for keys in the newest messages, the names of their speakers included. An entry
keyed by whoever always speaks, or by a word of every other message, would be in every prompt.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from engram_desktop.domain.graph.entity import EntityNode, norm_name
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.services.characters.cast import read_cast
from engram_desktop.storage.chat.chat_store import ChatStore

_SAMPLE = 400  # messages read, spread over the chat: 20 ms, and a share is known to 2 in 100
_ALWAYS = 0.25  # share of the messages from which on somebody always speaks
_FREQUENT = 0.1  # share of the messages from which on a word is no key; two are scanned by default
_FEWEST = 4  # messages: a word of a short chat is not frequent for being in three of twenty
_EVERYWHERE = 0.5  # even a name
_FALLBACK = 2  # keys of an entry that has no rare one
_PATTERN = re.compile(r"^/(?=.*/[a-z]*$)", re.DOTALL)


class WorldbookKeys:
    """Knows who always speaks in a chat and how often a word is said. Made once for a worldbook."""

    def __init__(self, store: ChatStore, branch_id: str) -> None:
        count = store.messages.count(branch_id)
        step = max(1, count // _SAMPLE)
        sample = [
            message
            for floor in range(0, count, step)
            for message in store.messages.slice(branch_id, floor, floor)
        ]
        self._texts = [norm_name(f"{m.name}: {m.text}") for m in sample]
        spoken = Counter(norm_name(m.name) for m in sample if m.role != "system")
        cast = read_cast(store)
        always = {norm_name(name) for name in (*cast.user, *cast.char)}
        always |= {name for name, n in spoken.items() if n >= _ALWAYS * len(sample)}
        self._always = frozenset(always - {""})
        self._shares: dict[str, float] = {}

    def of_event(self, event: EventNode) -> list[str]:
        """Words that bring an archived event back: its rare keywords, else whom it tells of."""
        words = plain_keys(event.keywords)
        rare_keywords = [word for word in words if self._is_rare(word)]
        if rare_keywords:
            return rare_keywords
        words += plain_keys([*(e.name for e in event.raw_data.entities), *event.participants])
        candidates = [word for word in dict.fromkeys(words) if not self._is_of_the_cast(word)]
        rare = [word for word in candidates if self._is_rare(word)]
        by_share = sorted(candidates, key=lambda word: (self._share(word), candidates.index(word)))
        return rare or [word for word in by_share if self._share(word) < _EVERYWHERE][:_FALLBACK]

    def of_entity(self, entity: EntityNode) -> list[str]:
        """Names that bring an entity's entry back; none for whoever always speaks."""
        names = plain_keys((entity.name, *entity.aliases))
        is_name = entity.type in {"char", "loc"}
        return [
            name
            for name in names
            if not self._is_of_the_cast(name)
            and (self._share(name) < _EVERYWHERE if is_name else self._is_rare(name))
        ]

    def _is_of_the_cast(self, word: str) -> bool:
        """Whether ``word`` stands in the name of somebody who always speaks."""
        norm = norm_name(word)
        return any(norm in name for name in self._always)

    def _is_rare(self, word: str) -> bool:
        if self._is_of_the_cast(word):
            return False
        share = self._share(word)
        return share < _FREQUENT or share * len(self._texts) < _FEWEST

    def _share(self, word: str) -> float:
        norm = norm_name(word)
        if norm not in self._shares:
            count = sum(norm in text for text in self._texts)
            self._shares[norm] = count / max(1, len(self._texts))
        return self._shares[norm]


def plain_keys(words: Iterable[str]) -> list[str]:
    """Words as plain keys: none of them a pattern, none empty, none twice."""
    cleaned: Sequence[str] = [
        _PATTERN.sub("", " ".join(word.replace(",", " ").split())) for word in words
    ]
    return list(dict.fromkeys(word for word in cleaned if word and "{{" not in word))
