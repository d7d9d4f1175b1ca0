"""Tell what is said from what is done, in any of the ways role-players mark them.

`*action*`, （action）, “speech”, 「speech」, "speech" and plain text are found in one pass; a mark
that is never closed ends with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from engram_desktop.domain.text.sentences import split_sentences
from engram_desktop.domain.values import dataclass

Kind = Literal["speech", "action", "plain"]

_MARK = re.compile(r"[*（）()\[\]【】“”「」『』\"]|\n+")
_CLOSING = {"“": "”", "「": "」", "『": "』", '"': '"'}
_QUOTES = '“”「」『』"'
_FIRST_OR_SECOND = re.compile(r"[我你]|\b(?:I|you|me|my|your|we)\b", re.IGNORECASE)
MAX_UNIT_ZH = 48  # characters of what is quoted as one; not measured
MAX_UNIT_EN = 130  # the same in letters
_LONG_PROSE = 90  # characters: shorter texts without “I” or “you” may as well be said; not measured
_TELLING = re.compile(r"(?:[我她他它]|(?:I|She|He|The|An?)\b)(?=.{15})", re.DOTALL)
# A name in quotation marks inside of a sentence: of those who do not mark what they say with them.
_TITLE = re.compile('(?<=[\\w ,，])["“]([^"“”\\n]{1,40})["”](?=[,.]? +[a-z]|[ \\w，。])')


@dataclass(frozen=True, slots=True)
class Unit:
    """One or a few sentences of a message that belong together, short enough to quote."""

    text: str
    is_speech: bool
    is_aside: bool  # a bracketed gesture such as （微笑）


def units(
    text: str,
    *,
    is_narrator: bool,
    language: str,
    name: str = "",
    is_prose: bool = True,
    marks_speech: bool = False,
) -> list[Unit]:
    """Cut a cleaned message of ``name`` into units, in order.

    ``is_prose``: what carries no mark may be a narrator's words; else it is said, as in a chat.
    ``marks_speech``: who wrote it puts what is said in quotation marks, so that the rest is told.
    """
    limit = MAX_UNIT_ZH if language == "zh" else MAX_UNIT_EN
    if is_narrator:
        return [Unit(part, is_speech=False, is_aside=False) for part in _packed(text, limit)]
    if not is_prose:
        text = _TITLE.sub(r"‘\1’", text)
    pieces = list(_pieces(text))
    kinds = {kind for kind, _, _ in pieces}
    plain: Kind = "speech"
    is_told = marks_speech and "action" not in kinds and bool(_TELLING.match(text))
    if "speech" in kinds or is_told or (is_prose and _is_prose(text)) or _tells_of(text, name):
        plain = "action"
    cut: list[Unit] = []
    for kind, is_aside, piece in pieces:
        is_speech = (plain if kind == "plain" else kind) == "speech"
        cut += [Unit(part, is_speech, is_aside) for part in _packed(piece, limit)]
    return cut


def _is_prose(text: str) -> bool:
    """Whether unmarked text is a narrator's: long and of nobody's person."""
    return len(text) > _LONG_PROSE and not _FIRST_OR_SECOND.search(text[:400])


def _tells_of(text: str, name: str) -> bool:
    """Whether a text begins with what its own speaker does: Mira shares a photo."""
    return len(name) > 1 and bool(
        re.match(rf"{re.escape(name)}(?=[ \u3400-\u9fff])(?! ?[,，!！])", text)
    )


def _pieces(text: str) -> Iterator[tuple[Kind, bool, str]]:
    """Yield (kind, in brackets, text) runs."""
    state = _State()
    start = 0
    for mark in _MARK.finditer(text):
        if state.is_text(mark[0]):
            continue
        if piece := text[start : mark.start()].strip():
            yield state.kind, state.depth > 0, piece
        start = mark.end()
        state.take(mark[0])
    if piece := text[start:].strip():
        yield state.kind, state.depth > 0, piece


class _State:
    """Where a scan stands: in an action, in brackets so deep, in a quotation that ends so."""

    def __init__(self) -> None:
        self.in_star = False
        self.depth = 0
        self.closing = ""

    @property
    def kind(self) -> Kind:
        if self.closing:
            return "speech"
        return "action" if self.in_star or self.depth else "plain"

    def is_text(self, mark: str) -> bool:
        """Whether ``mark`` means nothing here: only its own end closes a quotation."""
        if self.closing:
            return mark != self.closing and "\n" not in mark
        return bool(self.in_star or self.depth) and mark in _QUOTES

    def take(self, mark: str) -> None:
        if "\n" in mark:
            self.depth, self.closing = 0, ""
            self.in_star = self.in_star and len(mark) == 1
        elif mark == "*":
            self.in_star = not self.in_star
        elif mark in "（([【":
            self.depth += 1
        elif mark in "）)]】":
            self.depth = max(0, self.depth - 1)
        elif mark == self.closing:
            self.closing = ""
        else:
            self.closing = _CLOSING.get(mark, "")


def sentences(text: str) -> list[str]:
    """Split at the ends of sentences, keeping them."""
    return split_sentences(text)


def _packed(text: str, limit: int) -> Iterator[str]:
    """Join neighbouring sentences while they stay quotable."""
    part = ""
    for sentence in sentences(text):
        glue = " " if part and part[-1].isascii() and sentence[0].isascii() else ""
        if part and len(part) + len(sentence) > limit:
            yield part
            part = sentence
        else:
            part = f"{part}{glue}{sentence}"
    if part:
        yield part
