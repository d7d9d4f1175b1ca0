"""Choose among lines that a request was laid beside; where two chats fit alike, choose none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.finding.alignment import (
    STRAY,
    Aligned,
    Floor,
    align_messages,
    align_prompt,
)
from engram_desktop.domain.serving.finding.instructions import (
    is_aside,
    is_bare_question,
    shows_story,
)
from engram_desktop.domain.serving.finding.line_tail import LineTail
from engram_desktop.domain.serving.finding.tasks import has_material, is_task
from engram_desktop.domain.serving.finding.turn_wanted import (
    Cast,
    Turn,
    turn_of_messages,
    turn_of_prompt,
    unseen_of,
)
from engram_desktop.domain.serving.identity import Edited, Missing
from engram_desktop.domain.serving.texts.plain_text import original_end, plain
from engram_desktop.domain.serving.texts.prompt_tail import MOST_GONE, PromptTail, read_prompt_tail
from engram_desktop.domain.serving.texts.request_pieces import RequestPieces
from engram_desktop.domain.values import dataclass

# What equal messages must prove (see `plain_text.worth`): at the end of a line, and further back,
# where a copy of its beginning is as likely.
ENOUGH = 1.5  # a short sentence: found on the chats that `tests.bench.identification` reads
ENOUGH_FURTHER_BACK = 3.0  # two of them
APART = 0.3  # what one line must prove that another does not, to be told from it: four characters
NEAR_END = 2  # floors behind what the request shows: a reply to be made anew, or one exchange
NEAR = 24  # floors before the newest in which what is not shown is taken for gone
_DENSE = 0.5  # of the messages between the first and the last match that must match
_MOST_APART = 4.0  # proof that another chat lacks which makes it as sure as it can be


@dataclass(frozen=True)
class Placed:
    """A request laid beside one line. ``is_one_text``: the story stands in a single message."""

    tail: LineTail
    pieces: RequestPieces
    aligned: Aligned
    turn: Turn
    injected: frozenset[str] = frozenset()
    injected_before: frozenset[str] = frozenset()  # with the request before this one
    is_one_text: bool = False
    read: PromptTail | None = None  # of one text

    @property
    def gone(self) -> tuple[int, ...]:
        """Floors that are surely not shown between others that are.

        Only short gaps near the end count, and only where nothing that somebody says stands in
        between: that may be the message, edited.
        """
        if self.read is not None:
            return self.read.gone
        story = [at for at, piece in enumerate(self.pieces.pieces) if piece.is_story]
        place = {at: n for n, at in enumerate(story)}
        visible = {floor.seq for floor in self.tail.floors if not floor.is_hidden}
        gone: list[int] = []
        for (at, floor), (next_at, next_floor) in pairwise(sorted(self.aligned.exact)):
            gap = [seq for seq in range(floor + 1, next_floor) if seq in visible]
            is_next = place.get(next_at, -1) - place.get(at, -1) == 1
            if 0 < len(gap) <= MOST_GONE and floor >= self.until - NEAR and is_next:
                gone += gap
        return tuple(gone)

    @property
    def missing(self) -> tuple[Missing, ...]:
        """Messages before or between floors that the line does not have there.

        They may be lore or a note as well: whoever writes knows where the line has a gap.
        """
        if self.is_one_text:
            return ()
        cast = _cast(self.tail, self.pieces, self.aligned)
        visible = [floor.seq for floor in self.tail.floors if not floor.is_hidden]
        before = dict(pairwise(visible))
        found: list[Missing] = []
        for (at, floor), (next_at, next_floor) in pairwise([(-1, -1), *self.aligned.pairs]):
            if floor >= 0 and before.get(floor) != next_floor:
                continue
            between = [piece for piece in self.pieces.pieces[at + 1 : next_at] if piece.is_story]
            said = [piece for piece in between if piece.keys[0] not in self.injected_before]
            if said:
                unseen = tuple(unseen_of(piece, cast) for piece in said)
                found.append(Missing(next_floor, unseen, floor < 0))
        return tuple(found)

    @property
    def shows_more(self) -> bool:
        """Whether it shows more than the end of the line holds: more of the line is to be read."""
        first_known = self.tail.floors[0].seq if self.tail.floors else 0
        pairs = self.aligned.pairs
        if not first_known or self.is_one_text:
            return False
        if not pairs:
            return self.pieces.story_count > 1
        shown = sum(piece.is_story for piece in self.pieces.pieces[: pairs[0][0]])
        return self.tail.has_gaps and shown > pairs[0][1]

    @property
    def until(self) -> int:
        """The newest floor that the request stands on."""
        if not self.aligned.pairs:  # named, and nothing of it is shown
            return self.tail.count - 1
        return self.aligned.until

    @property
    def edited(self) -> tuple[Edited, ...]:
        """Messages that were edited, as far as that is sure.

        Not the first that is shown, which may be cut, and none that is changed on its way: what it
        says there is not what it says here.
        """
        if self.read is not None:
            return tuple(
                Edited(0, seq, text)
                for seq, text in self.read.edited
                if (floor := self.tail.floor(seq)) is not None and floor.is_as_stored
            )
        first = min((seq for _at, seq in self.aligned.exact), default=-1)
        cast = _cast(self.tail, self.pieces, self.aligned)
        edited = []
        for at, seq in self.aligned.edited:
            floor, piece = self.tail.floor(seq), self.pieces.pieces[at]
            if seq > first and floor is not None and floor.is_as_stored:
                edited.append(Edited(piece.said.index, seq, unseen_of(piece, cast).text))
        return tuple(edited)

    @property
    def beyond(self) -> int:
        """How many floors the line has behind what the request shows."""
        return self.tail.count - 1 - self.until

    @cached_property
    def proof(self) -> float:
        return self.aligned.proof()

    @property
    def usual_speakers(self) -> tuple[str, ...]:
        """Who may speak next where nothing says so, the likeliest first.

        Of a reroll that is the same, at the end of the line who spoke last. Where a request goes on
        from the middle of a line it is either, and nobody can tell which.
        """
        behind = self.tail.floor(self.until + 1)
        is_next = behind is not None and behind.role == "assistant"
        until = self.until if self.beyond else self.tail.count
        names = [
            floor.name
            for floor in self.tail.floors
            if floor.role == "assistant" and floor.seq <= until
        ]
        last = names[-1:]
        if behind is None or not is_next:
            return tuple(last)
        if self.beyond == 1:
            return (behind.name,)
        return tuple(dict.fromkeys([behind.name, *last]))

    @property
    def is_whole(self) -> bool:
        """Whether it shows the line from its first floor on, and more of it than a greeting.

        A line that is nothing but its greeting is whole too.
        """
        shown = {seq for _at, seq in self.aligned.pairs}
        is_all = bool(shown) and len(shown) == self.until + 1
        return is_all and (self.proof > 0 or self.beyond == 0)

    @property
    def left_out(self) -> int:
        """How many floors are not shown between the first and the last that are."""
        shown = {seq for _at, seq in self.aligned.pairs}
        first, last = min(shown, default=0), max(shown, default=-1)
        return sum(
            first < floor.seq < last and floor.seq not in shown and not floor.is_hidden
            for floor in self.tail.floors
        )

    @property
    def is_dense(self) -> bool:
        """Whether most messages between the first and the last match are the line's."""
        if self.is_one_text:
            return True
        at = {at for at, _seq in self.aligned.pairs}
        if not at:
            return False
        said = self.pieces.pieces[min(at) : max(at) + 1]
        story = sum(piece.is_story for piece in said)
        if self.tail.has_gaps:  # what is missing there may be much
            seqs = [seq for _at, seq in self.aligned.pairs]
            story = min(story, max(seqs) - min(seqs) + 1)
        return len(at) >= _DENSE * story


@dataclass(frozen=True)
class Choice:
    """``rivals`` are lines that fit as well; ``best`` is None then."""

    best: Placed | None
    certainty: float = 0.0
    rivals: tuple[Line, ...] = ()


def place(
    tail: LineTail,
    pieces: RequestPieces,
    injected: frozenset[str] = frozenset(),
    least: float = STRAY,
) -> Placed:
    """Lay a request beside the end of a line, and read what it wants there."""
    is_chat = pieces.request.kind == "chat"
    aligned = align_messages(tail.floors, pieces.pieces, least) if is_chat else Aligned()
    cast = _cast(tail, pieces, aligned)
    if not is_chat or len({at for at, _seq in aligned.exact}) < 2:
        texts = pieces.long_pieces if is_chat else [0]
        for at in texts:
            placed = _placed_in_text(tail, pieces, at, cast)
            if placed is not None and placed.proof >= aligned.proof():
                return placed
    is_lone = pieces.story_count <= 1 and is_task(pieces.pieces)
    if is_lone or pieces.request.asks_json or has_material(pieces.pieces, aligned, tail.floors):
        return Placed(tail, pieces, aligned, Turn("quiet"))
    following = _following(tail, aligned)
    turn = turn_of_messages(pieces.pieces, aligned, following, cast, injected)
    held = {at for at, _seq in aligned.pairs}
    unseen = {message.index for message in turn.unseen}
    beside = frozenset(
        piece.keys[0]
        for at, piece in enumerate(pieces.pieces)
        if piece.is_story and at not in held and piece.said.index not in unseen
    )
    return Placed(tail, pieces, aligned, turn, beside | turn.orders, injected)


def _placed_in_text(tail: LineTail, pieces: RequestPieces, at: int, cast: Cast) -> Placed | None:
    """Lay the floors beside one message that holds them all; None where it holds none."""
    piece = pieces.pieces[at]
    text = piece.said.text
    aligned, ranges = align_prompt(tail.floors, at, piece.keys[0])
    if len(aligned.exact) < 2:
        return None
    floors = [tail.floor(seq) for _at, seq in aligned.exact]
    known = [floor for floor in floors if floor is not None]
    end = read_prompt_tail(
        text, known, ranges, piece.said.index, (cast.player, piece.said.role), tail.floors
    )
    plain_text = piece.keys[0]
    swiped = tuple(
        (floor.seq, plain_text[place.start : place.stop])
        for floor, place in zip(known, ranges, strict=True)
        if floor.is_as_stored and plain_text[place.start : place.stop] != floor.keys[0]
    )  # another reading of the floor, which is then chosen
    end = replace(end, edited=(*end.edited, *swiped))
    aligned, end = _with_short_ones(tail, aligned, end, at)
    others = [p.said.text for k, p in enumerate(pieces.pieces) if k != at]
    before = text[: original_end(text, ranges[0].start)] if ranges[0].start else ""
    is_task = shows_story(text) or is_aside(before) or any(map(is_bare_question, others))
    if is_task or pieces.request.asks_json:
        turn = Turn("quiet")
    else:
        turn = turn_of_prompt(end, _following(tail, aligned), cast)
    return Placed(tail, pieces, aligned, turn, is_one_text=True, read=end)


def _with_short_ones(
    tail: LineTail, aligned: Aligned, end: PromptTail, at: int
) -> tuple[Aligned, PromptTail]:
    """Add floors that are too short to be looked for, and were read behind the last long one."""
    unseen, exact = list(end.unseen), list(aligned.exact)
    while unseen:
        floor = tail.floor(exact[-1][1] + 1)
        is_next = floor is not None and plain(unseen[0].text) in floor.keys
        if floor is None or not is_next or floor.role != unseen[0].role:
            break
        exact.append((at, floor.seq))
        del unseen[0]
    return replace(aligned, exact=tuple(exact)), replace(end, unseen=tuple(unseen))


def _following(tail: LineTail, aligned: Aligned) -> list[Floor]:
    """Return the newest floor the request holds, and those behind it."""
    if not aligned.pairs:
        return []
    first = tail.floors[0].seq
    return list(tail.floors[max(0, aligned.until - first) :])


def _cast(tail: LineTail, pieces: RequestPieces, aligned: Aligned) -> Cast:
    """Return who speaks, and in which roles the request has no names before its texts."""
    is_bare: dict[str, bool] = {}
    for at, seq in aligned.exact:
        floor, piece = tail.floor(seq), pieces.pieces[at]
        if floor is not None:
            has_name = len(piece.keys) > 1 and piece.keys[0] not in floor.keys
            is_bare[floor.role] = is_bare.get(floor.role, True) and not has_name
    bare = frozenset(role for role, whether in is_bare.items() if whether)
    return Cast(tail.player, tail.names, bare)


def place_named(
    tail: LineTail, pieces: RequestPieces, injected: frozenset[str] = frozenset()
) -> Placed:
    """Lay a request beside a line it is said to be of; what equals by chance places it nowhere."""
    placed = place(tail, pieces, injected, least=0.0)
    aligned = placed.aligned
    if aligned.goes_on or placed.proof >= ENOUGH or is_enough(placed) or not aligned.pairs:
        return placed
    cast = Cast(tail.player, tail.names)
    if pieces.request.kind == "completion":
        return replace(placed, aligned=Aligned(), turn=Turn(placed.turn.wanted))
    turn = turn_of_messages(pieces.pieces, Aligned(), [], cast, injected)
    return replace(placed, aligned=Aligned(), turn=turn)


def is_enough(placed: Placed) -> bool:
    """Whether what is equal proves that a request is of a line at all."""
    if not placed.aligned.exact or not placed.is_dense:
        return False
    if placed.beyond <= NEAR_END:
        return placed.proof >= ENOUGH or (placed.is_whole and not placed.aligned.edited)
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
        if _fits_better(other, best):
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


def _fits_better(one: Placed, other: Placed) -> bool:
    """Whether a branch fits better than another: by its own messages, else by its end."""
    own, theirs = one.aligned.proof(other.aligned), other.aligned.proof(one.aligned)
    if own or theirs:
        return own > theirs
    return (one.left_out, one.beyond) < (other.left_out, other.beyond)
