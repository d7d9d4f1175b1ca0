"""Texts as they are compared: without blanks, and how much one says.

A front end trims messages, joins them, indents them and changes line ends; none of that makes
another text. Blanks are taken out everywhere, so that the text of a message stands in the text of a
whole prompt as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

SEEN = re.compile("[^\\s\u200b-\u200f\u2060\ufeff]")  # a letter that stays in a plain text
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff]")
# What ends a piece of a text: sentences, line ends, brackets and what stands around names.
_ENDS = re.compile(r"[\n\r。！？!?.:：;；…<>\[\]|“”\"「」*]+")
_SCRIPT = re.compile(r"\n[ \t*]*[^\n:：]{1,40}[:：][ \t*]*\S")  # a second line of who says what
# Bytes of UTF-8 that are worth one: some seven words, or thirteen Chinese characters. Two strangers
# seldom say as much alike.
UNIT = 40
MOST = 2.5  # what one message can be worth: however long, it may be copied
SHORTEST_PIECE = 18  # bytes of a piece that is looked up: three words, six Chinese characters
# Messages whose pieces are kept: two long lines. Each new message has all of its line read again.
_TEXTS_KEPT = 512
PIECES_KEPT = 3  # of a message: the longest, so that an edit leaves one of them


def plain(text: str) -> str:
    """Return ``text`` without blanks and what cannot be seen."""
    return _INVISIBLE.sub("", "".join(text.split()))


def original_end(text: str, plain_end: int) -> int:
    """Return where in ``text`` the first ``plain_end`` letters of its plain text end."""
    last = next(islice(SEEN.finditer(text), max(0, plain_end - 1), None), None)
    return last.end() if last else len(text)


def is_script(text: str) -> bool:
    """Whether names stand before several lines of a text: then they are part of it."""
    return bool(_SCRIPT.search(text))


def worth(plain_text: str) -> float:
    """Say how much a text proves: 0 for nothing, at most `MOST`."""
    return min(MOST, len(plain_text.encode("utf-8", "surrogatepass")) / UNIT)


def pieces(text: str) -> Iterator[str]:
    """Yield the pieces of a text that are long enough to be looked up, plain."""
    for part in _ENDS.split(text):
        if len(part) * 3 >= SHORTEST_PIECE:
            piece = plain(part)
            if len(piece.encode("utf-8", "surrogatepass")) >= SHORTEST_PIECE:
                yield piece


@lru_cache(maxsize=_TEXTS_KEPT)
def longest_pieces(text: str) -> tuple[str, ...]:
    """Return the pieces a message is known by."""
    longest_first = sorted(set(pieces(text)), key=lambda piece: (-len(piece), piece))
    return tuple(longest_first[:PIECES_KEPT])
