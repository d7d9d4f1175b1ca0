"""What the summary of a model tells of other scenes: words that its own floors do not hold.

A model reads the whole story and writes down what one scene is: “she did not mention the two
millions”. Who was there then may never have heard of them. So each word of a summary that stands
on other floors alone is known to those who perceived one of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import reduce

import numpy as np

from engram_desktop.domain.claims.wording import stem_of
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.storage.chat.chat_store import ChatStore

_LOOKED_AT = 64  # messages that hold a word, the newest: of a word in more, most have heard
_LATIN = re.compile(r"[^\W\d_]{4,}|\d{2,}")  # shorter words tell nothing; numbers do
_HAN = re.compile(r"[\u3400-\u9fff]{2,}")


def other_scenes(
    store: ChatStore, event: EventNode, own_texts: Iterable[str], names: Iterable[str]
) -> Iterator[tuple[str, list[int]]]:
    """Yield words of an event that its floors do not hold, and floors that may hold them.

    ``names`` are those of people, whom everybody may know. The floors are of any branch.
    """
    own = "\n".join(own_texts).casefold()
    known = {stem_of(word) for word in _LATIN.findall(own)}
    people = "\n".join(names).casefold()
    for word in _words(f"{event.summary}\n{event.raw_data.details}".casefold()):
        is_own = word in own or (word.isascii() and stem_of(word) in known)
        if not is_own and word not in people:
            floors = _floors_with(store, word)
            if floors:
                yield word, floors


def holds(text: str) -> Callable[[str], bool]:
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


def _floors_with(store: ChatStore, word: str) -> list[int]:
    tokens = [token for token in index_tokens(word) if len(token) > 1]
    if not tokens:
        return []
    ids = reduce(np.intersect1d, store.items.postings(tokens))
    items = store.items.fetch([int(item_id) for item_id in ids[-_LOOKED_AT:]])
    return sorted({item.start_index for item in items.values() if item.kind == "turn"})
