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

    Blanks that a part leaves behind are closed up; nothing else changes.
    """
    pieces, at = [], 0
    for number, part in enumerate(parts):
        if number in heard:
            continue
        pieces.append(text[at : part.start].rstrip(" \t"))
        at = part.end
    pieces.append(text[at:])
    kept = [pieces[0], *(piece.lstrip(" \t") for piece in pieces[1:])]
    return "".join(kept).strip() if len(kept) > 1 else text
