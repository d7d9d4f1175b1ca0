"""How a role-play message is set: what is spoken, what is told, what stands in brackets.

One pass over the text, whatever is nested in it or left open.
"""

from __future__ import annotations

import re
from typing import Literal

from engram_desktop.domain.values import dataclass

PieceKind = Literal["told", "speech", "bracket", "tag"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence told, a speech in its quotes, or a bracket, on the text's line ``line``."""

    kind: PieceKind
    start: int
    end: int
    line: int
    is_starred: bool = False


_TAG = re.compile(
    r"<(/?)(thoughts?|think|thinking|inner|内心|心声|心理)\b[^<>\n]{0,80}>", re.IGNORECASE
)
_MARK = re.compile(
    r"[“”\"「」『』（）()*\n。！？!?…]|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)"
    r"|\.(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)"
    r"(?=[\s\"*”)]|$)"
)
_STOPS = "。！？!?…."
_WITHIN_TEXT = frozenset("”」』")  # what may close on a later line than it opens
_QUOTES = {"“": "”", '"': '"', "「": "」", "『": "』"}


def pieces_of(text: str) -> list[Piece]:
    """Cut a message into its pieces, in order; white space between them is in none."""
    pieces: list[Piece] = []
    at = line = 0
    for start, end in _tagged(text) if "<" in text else ():
        line = _cut(text, at, start, line, pieces)
        pieces.append(Piece("tag", start, end, line))
        line += text.count("\n", start, end)
        at = end
    _cut(text, at, len(text), line, pieces)
    return pieces


def _tagged(text: str) -> list[tuple[int, int]]:
    """Thoughts in tags; one that is left open goes on to the end of the text."""
    spans: list[tuple[int, int]] = []
    start = None
    for match in _TAG.finditer(text):
        if not match[1] and start is None:
            start = match.start()
        elif match[1] and start is not None:
            spans.append((start, match.end()))
            start = None
    if start is not None:
        spans.append((start, len(text)))
    return spans


def _cut(text: str, start: int, stop: int, line: int, pieces: list[Piece]) -> int:
    """Append the pieces of a stretch without tags, and return the line it ends on."""
    cutter = _Cutter(text, start, line, pieces)
    for match in _MARK.finditer(text, start, stop):
        cutter.meet(match[0], match.start(), stop)
    cutter.end(stop)
    return cutter.line


class _Cutter:
    """Goes from mark to mark. ``_closer`` ends the quotes or bracket it is in, "" outside."""

    def __init__(self, text: str, start: int, line: int, pieces: list[Piece]) -> None:
        self._text = text
        self._start = start
        self._pieces = pieces
        self._begins = self.line = line
        self._closer = ""
        self._depth = 0
        self._is_starred = False

    def meet(self, mark: str, at: int, stop: int) -> None:
        if mark == "\n":
            self._meet_line(at)
        elif self._closer:
            self._meet_inside(mark, at)
        elif mark in _QUOTES or mark in "（(":
            self._close("told", at, at)
            self._closer, self._depth = _QUOTES.get(mark, "）"), 1
        elif mark in "*_":
            self._close("told", at, at + 1)
            self._is_starred = not self._is_starred
        elif mark in _STOPS and not (at + 1 < stop and self._text[at + 1] in _STOPS):
            self._close("told", at + 1, at + 1)

    def end(self, stop: int) -> None:
        self._close(_kind(self._closer), stop, stop)

    def _meet_line(self, at: int) -> None:
        if self._closer not in _WITHIN_TEXT:  # else a speech of several lines
            self.end(at)
            self._closer, self._is_starred = "", False
        self.line += 1
        if not self._closer:
            self._begins = self.line

    def _meet_inside(self, mark: str, at: int) -> None:
        if self._closer == "）":
            self._depth += 1 if mark in "（(" else -1 if mark in "）)" else 0
            if not self._depth:
                self._leave("bracket", at + 1)
        elif mark == self._closer:
            self._leave("speech", at + 1)
        elif _QUOTES.get(mark) == self._closer:
            self._close("speech", at, at)  # the one before was never closed
            self._begins = self.line

    def _leave(self, kind: PieceKind, end: int) -> None:
        self._close(kind, end, end)
        self._closer, self._begins = "", self.line

    def _close(self, kind: PieceKind, end: int, after: int) -> None:
        if self._start < end:
            words = self._text[self._start : end]
            bare = words.strip()
            if bare:
                left = self._start + (0 if bare[0] == words[0] else words.index(bare[0]))
                is_starred = self._is_starred and kind == "told"
                piece = Piece(kind, left, left + len(bare), self._begins, is_starred)
                self._pieces.append(piece)
        self._start = after


def _kind(closer: str) -> PieceKind:
    if not closer:
        return "told"
    return "bracket" if closer == "）" else "speech"
