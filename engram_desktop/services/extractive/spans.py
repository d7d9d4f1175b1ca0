"""Tell what is said from what is done, in any of the ways role-players mark them.

`*action*`, （action）, “speech”, 「speech」, "speech" and plain text are found in one pass; a mark
that is never closed ends with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["speech", "action", "plain"]

_MARK = re.compile(r"[*（）()\[\]【】“”「」『』\"]|\n+")
_OPEN = {"“": "”", "「": "」", "『": "』"}
_QUOTES = '“”「」『』"'
_SENTENCE = re.compile(r"(?:[^。！？!?…\n.]|\.(?![\s”\"]|$))*(?:[。！？!?…]+|[.\n]|$)[”’」』\"]*")
_LETTERS = re.compile(r"[\w]")
_FIRST_OR_SECOND = re.compile(r"[我你]|\b(?:I|you|me|my|your|we)\b", re.IGNORECASE)
MAX_UNIT_ZH = 72
MAX_UNIT_EN = 190
_LONG_PROSE = 90


@dataclass(frozen=True, slots=True)
class Unit:
    """One or a few sentences of a message that belong together, short enough to quote."""

    text: str
    is_speech: bool
    is_aside: bool  # a bracketed gesture such as （微笑）


def units(text: str, *, is_narrator: bool, language: str) -> list[Unit]:
    """Cut a cleaned message into units, in order."""
    limit = MAX_UNIT_ZH if language == "zh" else MAX_UNIT_EN
    if is_narrator:
        return [Unit(part, is_speech=False, is_aside=False) for part in _packed(text, limit)]
    pieces = list(_pieces(text))
    kinds = {kind for kind, _, _ in pieces}
    plain: Kind = "speech"
    if "speech" in kinds or _is_prose(text):
        plain = "action"
    found: list[Unit] = []
    for kind, is_aside, piece in pieces:
        is_speech = (plain if kind == "plain" else kind) == "speech"
        found += [Unit(part, is_speech, is_aside) for part in _packed(piece, limit)]
    return found


def _is_prose(text: str) -> bool:
    """Whether unmarked text is a narrator's: long and of nobody's person."""
    return len(text) > _LONG_PROSE and not _FIRST_OR_SECOND.search(text[:400])


def _pieces(text: str) -> Iterator[tuple[Kind, bool, str]]:
    """Yield (kind, in brackets, text) runs."""
    start = 0
    in_star = False
    depth = 0
    closing = ""
    for mark in _MARK.finditer(text):
        char = mark[0]
        if closing and char != closing and "\n" not in char:
            continue  # inside a quotation only its own end counts
        if (in_star or depth) and char in _QUOTES:
            continue  # what is quoted in an action belongs to it
        if piece := text[start : mark.start()].strip():
            yield _kind(in_star, depth, closing), depth > 0, piece
        start = mark.end()
        if "\n" in char:
            depth, closing = 0, ""
            in_star = in_star and len(char) < 2
        elif char == "*":
            in_star = not in_star
        elif char in "（([【":
            depth += 1
        elif char in "）)]】":
            depth = max(0, depth - 1)
        elif char == closing:
            closing = ""
        else:
            closing = _OPEN.get(char, '"' if char == '"' else "")
    if piece := text[start:].strip():
        yield _kind(in_star, depth, closing), depth > 0, piece


def _kind(in_star: bool, depth: int, closing: str) -> Kind:  # noqa: FBT001 - states of one scan
    if closing:
        return "speech"
    return "action" if in_star or depth else "plain"


def sentences(text: str) -> list[str]:
    """Split at the ends of sentences, keeping them."""
    return [s for m in _SENTENCE.finditer(text) if _LETTERS.search(s := m[0].strip())]


def _packed(text: str, limit: int) -> Iterator[str]:
    """Join neighbouring sentences while they stay quotable."""
    held = ""
    for sentence in sentences(text):
        glue = " " if held and held[-1].isascii() and sentence[0].isascii() else ""
        if held and len(held) + len(sentence) > limit:
            yield held
            held = sentence
        else:
            held = f"{held}{glue}{sentence}"
    if held:
        yield held
