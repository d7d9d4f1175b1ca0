"""What is embedded of an item, and of a question to compare with it. Pure text.

In a chat everybody's name is everywhere: with names, a small embedder sees little else (LoCoMo
recall@10 .28, and .47 without names on both sides). A turn is often the answer to the one before
it, so the two are embedded together: one vector per turn, which never changes when something is
appended.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import NamedTuple

_PREVIOUS = 240  # characters kept of the turn before: its end, where a question would be
# Characters from which on a turn is a page, whose end has little to do with what follows: recall@10
# in chats of pages (BEAM) is .793 with this limit and .771 without.
_PAGE = 1_000
_BLANKS = re.compile(r"[ \t]+")
_CLAUSES = re.compile(r"(?<=[。！？!?.;；：:\n])\s*")
_SHORTEST_CLAUSE = 4  # characters: shorter ones (“Yes.”, 好的。) mean nothing by themselves


class EmbeddedText(NamedTuple):
    """The embedded text of an item: its own, and the end of the turn before it."""

    text: str
    before: str = ""

    @property
    def joined(self) -> str:
        """Both as one text; empty if nothing is left."""
        return f"{self.before} {self.text}".strip()


@functools.lru_cache(maxsize=64)
def _name_pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    parts = []
    for name in sorted(set(names), key=lambda n: (-len(n), n)):
        if len(name) < 2:  # "我" is a speaker in some chats, and a word in all of them
            continue
        quoted = re.escape(name)
        # not \b: next to a Chinese character there is none
        is_latin = name.isascii()
        parts.append(rf"(?<![A-Za-z0-9]){quoted}(?:['’]s)?(?![A-Za-z0-9])" if is_latin else quoted)
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def without_names(text: str, names: Iterable[str]) -> str:
    """Remove the speakers' names from ``text``, and the rest of a leading ``name:``."""
    pattern = _name_pattern(tuple(names))
    bare = pattern.sub(" ", text) if pattern else text
    return _BLANKS.sub(" ", bare).strip(" :：，,")


def passage(content: str, names: Iterable[str], previous: str = "") -> EmbeddedText:
    """Return the embedded text of an item.

    ``content`` is the item's own; ``previous`` the content of the turn before on the same line of
    the story (turns only). ``names`` are all speakers of the chat.
    """
    known = tuple(names)
    return EmbeddedText(without_names(content, known), end_of(without_names(previous, known)))


def end_of(text: str) -> str:
    """Return the part of a turn that is embedded with the next one: its end, or none of a page."""
    return text[-_PREVIOUS:] if len(text) <= _PAGE else ""


def query_texts(text: str, names: Iterable[str], *, limit: int = 4) -> list[str]:
    """Return the texts to embed for a question: its clauses, each compared by itself.

    A long message asks in one sentence and chats in the others; embedded whole, the chatting
    dominates. At most ``limit``, the longest ones; never empty for visible text.
    """
    bare = without_names(text, names) or text.strip()
    clauses = [c.strip() for c in _CLAUSES.split(bare) if len(c.strip()) >= _SHORTEST_CLAUSE]
    if len(clauses) <= 1:
        return [bare] if bare else []
    longest = set(sorted(clauses, key=len, reverse=True)[:limit])
    return [c for c in dict.fromkeys(clauses) if c in longest]
