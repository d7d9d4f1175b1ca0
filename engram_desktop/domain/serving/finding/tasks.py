"""Whether a request that is of no known line is a task about some text, and no story at all."""

from __future__ import annotations

from collections.abc import Sequence

from engram_desktop.domain.serving.finding.alignment import STRAY, Aligned, Floor, Piece
from engram_desktop.domain.serving.finding.instructions import (
    chooses,
    is_aside,
    is_bare_question,
)
from engram_desktop.domain.serving.texts.plain_text import worth

_WITH_EXAMPLE = 3  # messages of a task that shows by one exchange how it is to be answered
_ENDS = 2  # messages at either end of a request that may be its task: behind or before its material


def is_task(pieces: Sequence[Piece]) -> bool:
    """Whether what is asked is a title, a summary, a translation or the like.

    A task has one message of material. Where more is said, a story is: what stands before it tells
    of a character, who may well be a translator, and only its end may ask for something else.
    """
    said = [piece for piece in pieces if piece.keys[0]]
    count = sum(piece.is_story for piece in said)
    if count <= 1:
        return any(is_bare_question(p.said.text) for p in (*said[:_ENDS], *said[-_ENDS:]))
    if count <= _WITH_EXAMPLE and any(chooses(p.said.text) for p in said[:1] if not p.is_story):
        return True
    return any(is_aside(piece.said.text) for piece in said[-_ENDS:])


def has_material(pieces: Sequence[Piece], aligned: Aligned, floors: Sequence[Floor]) -> bool:
    """Whether the last that is said is a reply of the line, said by the player.

    So a reply is handed on to be translated, or to be given a mood.
    """
    story = [at for at, piece in enumerate(pieces) if piece.is_story]
    if not story or not aligned.exact or aligned.last_at != story[-1]:
        return False
    at, seq = max(aligned.exact)
    piece = pieces[at]
    role = next((floor.role for floor in floors if floor.seq == seq), "")
    is_other = (piece.said.role, role) == ("user", "assistant")
    return is_other and at not in (aligned.ends or {}) and worth(piece.keys[0]) >= STRAY
