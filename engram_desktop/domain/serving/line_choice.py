"""Choose the line of a request among the lines it was aligned with, and what proves the choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.alignment import STRAY, Aligned
from engram_desktop.domain.serving.beside import UNKNOWN, Beside
from engram_desktop.domain.serving.line_and_request import LineTail, RequestPieces
from engram_desktop.domain.serving.matching import Placed, place
from engram_desktop.domain.serving.wanted_turn import LineSpeakers, WantedTurn, turn_of_messages
from engram_desktop.domain.values import dataclass

# Worth that equal messages must prove (see `request.worth`): `ENOUGH` at the end of a line, and
# more further back, where a copy of its beginning is as likely.
ENOUGH = 1.5  # a short sentence: measured with the chats of `benchmarks.identification`
ENOUGH_FURTHER_BACK = 3.0  # two short sentences
EDITED_ENOUGH = 1.0  # of an edited message if all others are unchanged: 40 equal bytes
IN_ORDER = 5  # messages from the first one on: however short, no other chat begins with them all
APART = 0.3  # worth that one line must have in addition to another, to be chosen: four characters
NEAR_END = 2  # floors behind what the request shows: a reroll, or one exchange
_MOST_APART = 4.0  # worth that another chat lacks for full certainty


@dataclass(frozen=True)
class Choice:
    """The chosen line. ``rivals`` are lines that fit as well; ``best`` is None then."""

    best: Placed | None
    certainty: float = 0.0
    rivals: tuple[Line, ...] = ()


def place_named(tail: LineTail, pieces: RequestPieces, before: Beside = UNKNOWN) -> Placed:
    """Align a request with the line it names; equality by chance gives no position."""
    placed = place(tail, pieces, before, least=0.0)
    aligned = placed.aligned
    if aligned.goes_on or placed.proof >= ENOUGH or is_enough(placed) or not aligned.pairs:
        return placed
    is_from_end_to_end = {0, tail.count - 1} <= {seq for _at, seq in aligned.pairs}
    if (placed.is_whole or is_from_end_to_end) and placed.proof >= STRAY:  # some are edited
        return placed
    cast = LineSpeakers(tail.player, tail.names)
    if not pieces.are_messages:
        return replace(placed, aligned=Aligned(), turn=WantedTurn(placed.turn.wanted))
    said = (pieces.without_last if placed.beside.opening else pieces).pieces[pieces.first_said :]
    turn = turn_of_messages(said, Aligned(), [], cast, before.texts, placed.turn.begins)
    return replace(placed, aligned=Aligned(), turn=turn)


def is_enough(placed: Placed) -> bool:
    """Return whether the equal messages prove that a request belongs to the line."""
    if not placed.aligned.exact or not placed.is_dense:
        return False
    if placed.beyond <= NEAR_END:
        if placed.proof >= ENOUGH or (placed.is_whole and not placed.are_others_edited):
            return True
        by_edit = placed.edit_proof
        return by_edit >= EDITED_ENOUGH or placed.proof + by_edit >= ENOUGH
    if placed.proof >= STRAY and not placed.aligned.edited and placed.is_whole:
        # the user went back, or copied the chat
        return placed.proof >= ENOUGH or len(placed.aligned.exact) > IN_ORDER
    return placed.proof >= ENOUGH_FURTHER_BACK and len(placed.aligned.exact) > 2


def choose(placed: Sequence[Placed]) -> Choice:
    """Choose the line of a request. The lines are sorted, the likeliest first."""
    able = [p for p in placed if is_enough(p)]
    able = [p for p in able if not any(_goes_on_in(p, other) for other in able)]
    if not able:
        return Choice(None)
    first = max(able, key=lambda p: p.proof)
    apart = _MOST_APART
    for other in able:
        if other.tail.line.chat_id == first.tail.line.chat_id:
            continue
        own, theirs = first.aligned.proof(other.aligned), other.aligned.proof(first.aligned)
        if own < APART or own < 2 * theirs:
            rivals = (first.tail.line, other.tail.line)
            return Choice(None, 0.0, rivals)
        apart = min(apart, own - theirs)
    branches = [p for p in able if p.tail.line.chat_id == first.tail.line.chat_id]
    best = branches[0]
    for other in branches[1:]:
        if fits_better(other, best):
            best = other
    certainty = 0.5 + 0.5 * min(1.0, apart / _MOST_APART) * min(1.0, best.proof / _MOST_APART)
    return Choice(best, round(certainty, 2))


def _goes_on_in(one: Placed, other: Placed) -> bool:
    """Return whether another chat holds only messages behind all those of this one.

    This happens if a chat was begun a second time because a request showed nothing of the first.
    """
    if one.tail.line.chat_id == other.tail.line.chat_id or other.is_one_text:
        return False
    return one.aligned.last_at < min((at for at, _seq in other.aligned.pairs), default=-1)


def fits_better(one: Placed, other: Placed) -> bool:
    """Return whether a branch fits better than another: by its own messages, else by its end."""
    own, theirs = one.aligned.proof(other.aligned), other.aligned.proof(one.aligned)
    if own or theirs:
        return own > theirs
    return (one.left_out, one.beyond) < (other.left_out, other.beyond)
