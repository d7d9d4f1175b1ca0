"""What of an item is embedded, and how a question is made comparable to it. Pure text.

In a chat everybody's name is everywhere: left in, it is nearly all that a small embedder sees
(LoCoMo recall@10 .28, and .47 with the names taken out of both sides). And a turn is often the
answer to the one before it, so the two are embedded together: one vector a turn, which never
changes when something is appended.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import NamedTuple

_PREVIOUS = 240  # characters of the turn before that are kept: its end, where the question is
# Characters from which on a turn is a page, whose end says little of what follows: recall@10 in
# chats of pages (BEAM) is .793 without it and .771 with.
_PAGE = 1_000
_BLANKS = re.compile(r"[ \t]+")
_CLAUSES = re.compile(r"(?<=[。！？!?.;；：:\n])\s*")
_SHORTEST_CLAUSE = 4  # characters: shorter ones (“Yes.”, 好的。) mean nothing by themselves


class EmbeddedText(NamedTuple):
    """What stands for an item in the vector index: its text, and the end of the turn before it."""

    text: str
    before: str = ""

    @property
    def joined(self) -> str:
        """Both as one text. Empty when nothing is left of them."""
        return f"{self.before} {self.text}".strip()


@functools.lru_cache(maxsize=64)
def _name_pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    parts = []
    for name in sorted(set(names), key=lambda n: (-len(n), n)):
        if len(name) < 2:  # "我" is a speaker in some chats, and a word in all of them
            continue
        quoted = re.escape(name)
        # not \b: beside a Chinese character there is none
        is_latin = name.isascii()
        parts.append(rf"(?<![A-Za-z0-9]){quoted}(?:['’]s)?(?![A-Za-z0-9])" if is_latin else quoted)
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def without_names(text: str, names: Iterable[str]) -> str:
    """Take the speakers' names out of ``text``, and what a leading ``name:`` leaves behind."""
    pattern = _name_pattern(tuple(names))
    bare = pattern.sub(" ", text) if pattern else text
    return _BLANKS.sub(" ", bare).strip(" :：，,")


def passage(content: str, names: Iterable[str], previous: str = "") -> EmbeddedText:
    """Return what stands for an item in the vector index.

    ``content`` is the item's own; ``previous`` the content of the turn before on the same line of
    the story (turns only). ``names`` are all speakers of the chat.
    """
    known = tuple(names)
    return EmbeddedText(without_names(content, known), end_of(without_names(previous, known)))


def end_of(text: str) -> str:
    """Return what of a turn is embedded with the next one: its end, of a page nothing."""
    return text[-_PREVIOUS:] if len(text) <= _PAGE else ""


def query_texts(text: str, names: Iterable[str], *, limit: int = 4) -> list[str]:
    """Return the texts to embed for a question: its clauses, each compared by itself.

    A long message asks in one sentence and chats in the others; embedded whole, the chatter wins.
    At most ``limit``, the longest ones; never empty for visible text.
    """
    bare = without_names(text, names) or text.strip()
    clauses = [c.strip() for c in _CLAUSES.split(bare) if len(c.strip()) >= _SHORTEST_CLAUSE]
    if len(clauses) <= 1:
        return [bare] if bare else []
    longest = set(sorted(clauses, key=len, reverse=True)[:limit])
    return [c for c in dict.fromkeys(clauses) if c in longest]
