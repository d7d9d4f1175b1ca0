"""Which of the lines a request was laid beside it is of, and what proves that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.alignment import STRAY, Aligned
from engram_desktop.domain.serving.beside import UNKNOWN, Beside
from engram_desktop.domain.serving.line_tail import LineTail
from engram_desktop.domain.serving.matching import Placed, place
from engram_desktop.domain.serving.request_pieces import RequestPieces
from engram_desktop.domain.serving.wanted_turn import LineSpeakers, WantedTurn, turn_of_messages
from engram_desktop.domain.values import dataclass

# What equal messages must prove (see `request.worth`): at the end of a line `ENOUGH`, and more
# further back, where a copy of its beginning is as likely.
ENOUGH = 1.5  # a short sentence: found on the chats that `benchmarks.identification` reads
ENOUGH_FURTHER_BACK = 3.0  # two of them
EDITED_ENOUGH = 1.0  # of one that is edited where all others stand: 40 bytes that stayed
IN_ORDER = 5  # messages from the first one on: however short, no other chat begins with them all
APART = 0.3  # what one line must prove that another does not, to be told from it: four characters
NEAR_END = 2  # floors behind what the request shows: a reply to be made again, or one exchange
_MOST_APART = 4.0  # proof that another chat lacks which makes it as sure as it can be


@dataclass(frozen=True)
class Choice:
    """``rivals`` are lines that fit as well; ``best`` is None then."""

    best: Placed | None
    certainty: float = 0.0
    rivals: tuple[Line, ...] = ()


def place_named(tail: LineTail, pieces: RequestPieces, before: Beside = UNKNOWN) -> Placed:
    """Lay a request beside a line it is said to be of; what equals by chance places it nowhere."""
    placed = place(tail, pieces, before, least=0.0)
    aligned = placed.aligned
    if aligned.goes_on or placed.proof >= ENOUGH or is_enough(placed) or not aligned.pairs:
        return placed
    is_from_end_to_end = {0, tail.count - 1} <= {seq for _at, seq in aligned.pairs}
    if (placed.is_whole or is_from_end_to_end) and placed.proof >= STRAY:  # some of it is edited
        return placed
    cast = LineSpeakers(tail.player, tail.names)
    if not pieces.are_messages:
        return replace(placed, aligned=Aligned(), turn=WantedTurn(placed.turn.wanted))
    said = (pieces.without_last if placed.beside.opening else pieces).pieces[pieces.first_said :]
    turn = turn_of_messages(said, Aligned(), [], cast, before.texts, placed.turn.begins)
    return replace(placed, aligned=Aligned(), turn=turn)


def is_enough(placed: Placed) -> bool:
    """Whether what is equal proves that a request is of a line at all."""
    if not placed.aligned.exact or not placed.is_dense:
        return False
    if placed.beyond <= NEAR_END:
        if placed.proof >= ENOUGH or (placed.is_whole and not placed.are_others_edited):
            return True
        by_edit = placed.edit_proof
        return by_edit >= EDITED_ENOUGH or placed.proof + by_edit >= ENOUGH
    if placed.proof >= STRAY and not placed.aligned.edited and placed.is_whole:
        # somebody went back, or copied it
        return placed.proof >= ENOUGH or len(placed.aligned.exact) > IN_ORDER
    return placed.proof >= ENOUGH_FURTHER_BACK and len(placed.aligned.exact) > 2


def choose(placed: Sequence[Placed]) -> Choice:
    """Choose the line a request is of. The lines come the likeliest first."""
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
    """Whether another chat holds only what a request shows behind all that this one holds.

    So it is where a chat was begun a second time, as nothing of the first was shown then.
    """
    if one.tail.line.chat_id == other.tail.line.chat_id or other.is_one_text:
        return False
    return one.aligned.last_at < min((at for at, _seq in other.aligned.pairs), default=-1)


def fits_better(one: Placed, other: Placed) -> bool:
    """Whether a branch fits better than another: by its own messages, else by its end."""
    own, theirs = one.aligned.proof(other.aligned), other.aligned.proof(one.aligned)
    if own or theirs:
        return own > theirs
    return (one.left_out, one.beyond) < (other.left_out, other.beyond)
