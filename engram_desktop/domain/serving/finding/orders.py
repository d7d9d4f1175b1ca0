"""What a front end tells the model behind the newest message, and how much of it is new.

A note, lore or a line of the preset that stands there in every request orders nothing. What stands
there for once does, and where it follows a reply nobody has answered yet, it asks for something
that is no message of the story.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property

from engram_desktop.domain.serving.finding.alignment import Piece
from engram_desktop.domain.serving.finding.instructions import (
    goes_on,
    is_aside,
    is_for_player,
    next_alone,
)
from engram_desktop.domain.serving.placing import has_memory
from engram_desktop.domain.serving.texts.plain_text import plain
from engram_desktop.domain.values import dataclass

_MOST = 8  # orders behind the newest message that are read, the last: a preset has one or two
_MOST_LINES = 200  # lines of one that are compared, the last: a preset has some ten
_NAME = "\x00"  # in the place of any name: a group's nudge is one line, whoever is to speak
# Marks that templates of text prompts put around what is said.
_MARKS = re.compile(
    r"<\|[^|>\n]{1,40}\|>(?:system|user|assistant)?|\[/?[A-Z_]{2,20}\]|^#{2,4} .*$", re.MULTILINE
)
_LEAST = 12  # plain letters behind the newest message of a prompt that are more than a mark


@dataclass(frozen=True)
class Orders:
    """``pieces`` are the system messages behind the newest message; ``names`` who speaks.

    ``before`` are the lines that stood there in the request before this one.
    """

    pieces: tuple[Piece, ...]
    names: tuple[str, ...]
    before: Collection[str] = ()

    @property
    def texts(self) -> list[str]:
        return [piece.said.text for piece in self.pieces]

    @cached_property
    def lines(self) -> frozenset[str]:
        """What is to be remembered of them."""
        rows = (_line(row, self.names) for text in self.texts for row in _rows(text))
        return frozenset(filter(None, rows))

    @cached_property
    def fresh(self) -> list[str]:
        """What of them is new."""
        return [text for piece in self.pieces if (text := self._fresh(piece))]

    def _fresh(self, piece: Piece) -> str:
        """Return what of one is new; memory of ours is nobody's order."""
        if has_memory([piece.said]):
            return ""
        rows = _rows(piece.said.text)
        return "\n".join(row for row in rows if _line(row, self.names) not in self.before).strip()

    @property
    def is_aside(self) -> bool:
        """Whether one of them says that it asks about the story."""
        return any(is_aside(text) for text in (*self.texts[-2:], *self.fresh[-2:]))

    def asks_to_go_on(self) -> bool:
        """Whether the newest reply is to be continued."""
        return any(map(goes_on, (*self.fresh, *self.texts[-1:])))

    def asks_aside(self, player: str) -> bool:
        """Whether the last of them, behind a reply, can be no part of playing on."""
        if not self.pieces or not self._fresh(self.pieces[-1]):
            return False
        return not (
            self.asks_to_go_on()
            or any(next_alone(row) for text in self.texts for row in _rows(text))
            or any(is_for_player(text, player) for text in self.texts)
        )


def is_more_than_marks(rest: str) -> bool:
    """Whether something is said behind the newest message of a prompt that is one text."""
    return len(plain(_MARKS.sub("", rest))) >= _LEAST


def orders_of(pieces: Sequence[Piece], names: Sequence[str], before: Collection[str]) -> Orders:
    """Return the orders among the ``pieces`` behind the newest known message."""
    orders = tuple(piece for piece in pieces if piece.said.role == "system" and piece.keys[0])
    return Orders(orders[-_MOST:], tuple(names), before)


def _rows(text: str) -> list[str]:
    return text.splitlines()[-_MOST_LINES:]


def _line(row: str, names: Sequence[str]) -> str:
    text = plain(row)
    for name in sorted(filter(None, map(plain, names)), key=len, reverse=True):
        text = text.replace(name, _NAME)
    return text
