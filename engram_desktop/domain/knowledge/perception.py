"""What is perceived of a message, and by whom: values that rules, models and users all answer in.

A message is not one piece. Its open text is perceived by those who are there; a thought or a
whisper inside it is a private part, perceived by those who think or hear it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from engram_desktop.domain.values import dataclass

# How somebody came to perceive something.
How = Literal["spoke", "there", "addressed", "overheard", "thought", "read", "confirmed"]
PartKind = Literal["thought", "whisper"]


@dataclass(frozen=True, slots=True, order=True)
class Perceiver:
    """One who perceives a message: ``name`` as the story writes it, ``confidence`` from 0 to 1."""

    name: str
    how: How = "there"
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class PrivatePart:
    """A piece of a message, characters ``start``..``end`` (not included) of its text.

    ``audience`` are all who perceive it, the one who thinks or whispers among them.
    """

    kind: PartKind
    start: int
    end: int
    audience: tuple[Perceiver, ...] = ()


@dataclass(frozen=True, slots=True)
class Perception:
    """Who perceives the open text of a message, and its private parts in the order of the text.

    ``is_known``: whether it could be told who is there; else ``audience`` are only those who speak.
    """

    audience: tuple[Perceiver, ...] = ()
    parts: tuple[PrivatePart, ...] = ()
    is_known: bool = True


def heard_text(text: str, parts: Sequence[PrivatePart], heard: Collection[int] = ()) -> str:
    """Return a message without the private parts whose numbers are not in ``heard``.

    What a part leaves behind is closed up, and words stay apart. Of a message that is private but
    for its quotes and stars nothing is left.
    """
    hidden = [part for number, part in enumerate(parts) if number not in heard]
    if not hidden:
        return text
    pieces: list[str] = []
    at, last = 0, ""
    for start, end in [*((part.start, part.end) for part in hidden), (len(text), len(text))]:
        piece = text[at : max(at, start)]
        at = max(at, end)
        if pieces:
            bare = piece.lstrip()
            blanks = piece[: len(piece) - len(bare)]
            piece = _gap(last, blanks, bare) + bare
        bare = piece.rstrip()
        if bare:
            pieces.append(bare)
            last = piece
        elif piece and pieces and "\n" in piece:
            last = piece
    kept = "".join(pieces).strip()
    return kept if any(letter.isalnum() for letter in kept) else ""


def _gap(before: str, blanks: str, after: str) -> str:
    """Return what stands between two texts of which what was between is left out."""
    trailing = before[len(before.rstrip()) :]
    if not after:
        return ""
    if "\n" in trailing or "\n" in blanks:
        return max(trailing, blanks, key=lambda space: space.count("\n")).strip(" \t")
    left = before.rstrip()[-1:]
    if _is_latin(left) and _is_latin(after[0]):
        return " "
    if (trailing or blanks) and after[0].isascii() and left.isascii():
        return " " if after[0].isalnum() or after[0] in "\"'*(<[" else ""
    return ""


def _is_latin(letter: str) -> bool:
    return letter.isalnum() and letter < "\u2e80"  # where the Chinese blocks begin
