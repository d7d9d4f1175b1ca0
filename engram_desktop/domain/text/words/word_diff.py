"""What of a text went and what came, word by word: a Chinese character is a word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal

from engram_desktop.domain.values import dataclass

_WORD = re.compile(r"[A-Za-z0-9_'’]+|\s+|.", re.DOTALL)
_MOST_WORDS = 4_000  # of both texts: difflib takes some 50 ms for them; longer ones differ whole

Kind = Literal["same", "gone", "new"]


@dataclass(frozen=True, slots=True)
class Piece:
    kind: Kind
    text: str


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """Return the pieces of both texts in reading order; what is empty is left out."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if before == after:
        return (Piece("same", after),) if after else ()
    if len(old) + len(new) > _MOST_WORDS:
        pieces = [Piece("gone", before), Piece("new", after)]
    else:
        pieces = []
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        for tag, a, b, c, d in matcher.get_opcodes():
            if tag == "equal":
                pieces.append(Piece("same", "".join(new[c:d])))
            else:
                pieces += [Piece("gone", "".join(old[a:b])), Piece("new", "".join(new[c:d]))]
    return tuple(piece for piece in pieces if piece.text)
