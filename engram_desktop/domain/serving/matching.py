"""Align a request with one line: which messages are new, edited, missing or gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import dropwhile, pairwise

from engram_desktop.domain.serving.alignment import (
    STRAY,
    Aligned,
    align_prompt,
    is_same,
    likeness,
    lost_in,
)
from engram_desktop.domain.serving.beside import (
    UNKNOWN,
    BareRequest,
    Beside,
    places_beside,
)
from engram_desktop.domain.serving.identity import Edited, Missing, Unseen
from engram_desktop.domain.serving.instructions import (
    has_material,
    is_aside,
    is_bare_question,
    is_task,
    shows_story,
)
from engram_desktop.domain.serving.line_and_request import (
    Floor,
    LineTail,
    RequestMessage,
    RequestPieces,
)
from engram_desktop.domain.serving.prompt_rows import (
    is_story_prompt,
)
from engram_desktop.domain.serving.request import ListedMessage, original_end, plain, worth
from engram_desktop.domain.serving.wanted_turn import (
    MOST_GONE,
    LineSpeakers,
    PromptTail,
    WantedTurn,
    read_prompt_end,
    turn_of_messages,
    turn_of_prompt,
    unseen_of,
)
from engram_desktop.domain.values import dataclass

NEAR = 24  # newest floors in which a floor that is not shown counts as gone
_DENSE = 0.5  # share of the messages between the first and the last match that must match
_MOST_MISSES = 4  # consecutive messages that may differ from their floors


@dataclass(frozen=True)
class Placed:
    """A request aligned with one line. ``is_one_text``: the story is in a single message."""

    tail: LineTail
    pieces: RequestPieces
    aligned: Aligned
    turn: WantedTurn
    beside: Beside = UNKNOWN
    beside_before: Beside = UNKNOWN  # notes of the last request
    is_one_text: bool = False
    read: PromptTail | None = None  # of a text prompt

    @cached_property
    def held(self) -> frozenset[int]:
        """Return the positions of the line's messages, and of those that are new to it."""
        unseen = {message.index for message in self.turn.unseen}
        new = {n for n, piece in enumerate(self.pieces.pieces) if piece.said.index in unseen}
        return frozenset(new.union(at for at, _seq in self.aligned.pairs))

    @property
    def gone(self) -> tuple[int, ...]:
        """Return the floors that are certainly not shown between shown ones.

        Only short gaps near the end count, and only without another message in between: that may be
        the floor, edited. Before the first shown floor these are notes that were taken for
        messages.
        """
        if self.read is not None:
            return self.read.gone
        story = [at for at, piece in enumerate(self.pieces.pieces) if piece.is_story]
        place = {at: n for n, at in enumerate(story)}
        visible = {floor.seq for floor in self.tail.floors if not floor.is_hidden}
        gone = self._notes_before
        more = {at for at, *_rest in self._with_more}
        for (at, floor), (next_at, next_floor) in pairwise(sorted(self.aligned.exact)):
            gap = [seq for seq in range(floor + 1, next_floor) if seq in visible]
            is_next = place.get(next_at, -1) - place.get(at, -1) == 1
            is_next = is_next and not {at, next_at} & more  # that may be the floor, edited
            is_next = is_next or (at == next_at and at in self._only_floors)
            if 0 < len(gap) <= MOST_GONE and floor >= self.until - NEAR and is_next:
                gone += gap
        return tuple(gone)

    @cached_property
    def _only_floors(self) -> frozenset[int]:
        """Return the positions of messages that are joined floors with only names in between."""
        joined: dict[int, str] = dict.fromkeys(self._joined, "")
        for at, seq in sorted(self.aligned.exact):
            floor = self.tail.floor(seq)
            if at in joined and floor is not None:
                joined[at] += floor.keys[0]
        return frozenset(at for at, text in joined.items() if self._nameless(at) == text)

    def _nameless(self, at: int) -> str:
        """Return the plain text of a message without the name before each of its paragraphs."""
        said = self.pieces.pieces[at].said
        parts = (replace(said, text=text) for text in said.text.split(said.joint))
        return "".join(plain(self._without_name(part)) for part in parts)

    @property
    def _notes_before(self) -> list[int]:
        """Return the first floors if they are notes and the request begins behind them.

        These are texts that the request has elsewhere: a message never moves behind others. A text
        that the request lacks may be a message that was cut off.
        """
        story = (at for at, piece in enumerate(self.pieces.pieces) if piece.is_story)
        first_at, first = min(self.aligned.exact, default=(-1, 0))
        before = [floor for floor in self.tail.floors if floor.seq < first and not floor.is_hidden]
        if next(story, -1) != first_at or len(before) > MOST_GONE:
            return []
        shown = {at for at, _seq in self.aligned.pairs}
        beside = {p.keys[0] for at, p in enumerate(self.pieces.pieces) if at not in shown}
        are_notes = all(
            floor.keys[0] in self.beside.notes | beside
            or self.pieces.joined_at(floor.keys[0])[0] >= 0
            for floor in before
        )
        return [floor.seq for floor in before] if are_notes else []

    @property
    def missing(self) -> tuple[Missing, ...]:
        """Return messages before or between floors that the line does not have there.

        They may be lore or notes as well: the writer knows where the line has a gap.
        """
        if self.is_one_text:
            return ()
        before = dict(pairwise(floor.seq for floor in self.tail.floors if not floor.is_hidden))
        all_said, known = self.pieces.pieces, self.beside_before
        is_moved = self.turn.wanted == "continue"  # the message may be behind all notes
        stayed = [] if is_moved else known.stayed(places_beside(all_said, self.held))
        found: list[Missing] = []
        for (at, floor), (next_at, next_floor) in pairwise([(-1, -1), *self.aligned.pairs]):
            if floor >= 0 and before.get(floor) != next_floor:
                continue
            start = at + 1 if at >= 0 else self.pieces.first_said
            between = range(start, next_at)
            here = {n: self._unseen(n) for n in between if all_said[n].is_story}
            said = [m for n, m in here.items() if all_said[n].keys[0] not in known.texts]
            stays = [self._unseen(n) for n in between if n in stayed]
            if said or stays:
                found.append(Missing(next_floor, tuple(said), floor < 0, tuple(stays)))
        return tuple(found)

    @cached_property
    def extras(self) -> dict[str, tuple[int, bool, int]]:
        """Return the texts joined to floors' messages, see `Beside.extras`."""
        found: dict[str, tuple[int, bool, int]] = {}
        for _at, seq, before, behind in self._with_more:
            *where, since = self.beside_before.extras.get(before + behind, (-1, False, -1))
            is_there_yet = where == [seq, bool(before)]
            found[before + behind] = (seq, bool(before), since if is_there_yet else self._newest)
        return found

    @property
    def _newest(self) -> int:
        """Return the floor that the newest message of the request is, or becomes."""
        return self.until + len(self.turn.unseen)

    @cached_property
    def _with_more(self) -> list[tuple[int, int, str, str]]:
        """Yield position, floor, and the plain text before or behind a floor in its message."""
        return [
            (
                at,
                max(known, after),
                plain(text if known < 0 else ""),
                plain(text if after < 0 else ""),
            )
            for at, known, after, text in self._parts_beside
            if known < 0 or after < 0
        ]

    @cached_property
    def _parts_beside(self) -> list[tuple[int, int, int, str]]:
        """Yield the texts next to floors in their messages: position, and see `parts_beside`.

        Without the text behind the newest floor: that is new.
        """
        parts: list[tuple[int, int, int, str]] = []
        for at, seq in dict(sorted(self.aligned.exact)).items():
            if at not in (self.aligned.ends or {}):
                continue
            floor = self.tail.floor(seq)
            if at in self._joined:
                held = sorted(n for k, n in self.aligned.exact if k == at)
                floors = filter(None, map(self.tail.floor, held))
                here = self.pieces.pieces[at].parts_beside(list(floors))
            elif floor is not None:
                before, behind = self.pieces.pieces[at].apart(floor.keys[0])
                here = [(-1, seq, before), (seq, -1, behind)]
            else:
                here = []
            is_newest = at == self.aligned.last_at
            parts += [
                (at, known, after, text)
                for known, after, text in here
                if plain(text) and not (after < 0 and is_newest)
            ]
        return parts

    @cached_property
    def _joined(self) -> frozenset[int]:
        """Return the positions of messages with several joined floors."""
        counts = Counter(at for at, _seq in self.aligned.exact)
        return frozenset(at for at, count in counts.items() if count > 1)

    @property
    def _longer(self) -> Iterator[Edited]:
        """Yield messages to which the player added a paragraph: a note moves on with the story."""
        first = min((seq for _at, seq in self.aligned.exact), default=-1)
        for at, seq, before, behind in self._with_more:
            floor, piece = self.tail.floor(seq), self.pieces.pieces[at]
            has_stayed = self.extras[before + behind][-1] < self._newest
            is_one = at not in self._joined and seq > first
            if floor is not None and floor.is_as_stored and is_one and has_stayed:
                yield Edited(piece.said.index, seq, self._without_name(piece.said))

    @property
    def _joined_edits(self) -> Iterator[Edited]:
        """Yield edited messages that are joined with a message of their role."""
        shown = {seq for _at, seq in self.aligned.pairs}
        for at, before, behind, text in self._parts_beside:
            of = self.tail.floor(before if before >= 0 else behind)
            sides = [(before, 1), (behind, -1)]
            next_to = [self._visible_next_to(seq, step) for seq, step in sides if seq >= 0]
            for floor in filter(None, next_to):
                is_other = floor.seq not in shown and of is not None and floor.role == of.role
                if is_other and floor.is_as_stored and is_same([plain(text)], floor.keys[:1]):
                    own = self._without_floor_behind(text, floor, at)
                    said = replace(self.pieces.pieces[at].said, text=own)
                    yield Edited(said.index, floor.seq, self._without_name(said))
                    break

    def _without_floor_behind(self, text: str, floor: Floor, at: int) -> str:
        """Return a floor's text without the next floor, too short to be found, in its message."""
        said, behind = self.pieces.pieces[at].said, self._visible_next_to(floor.seq, 1)
        own, joint, last = text.rpartition(said.joint)
        is_floor = behind is not None and behind.role == floor.role and bool(joint)
        last = plain(self._without_name(replace(said, text=last)))
        return own if is_floor and behind is not None and last in behind.keys else text

    def _visible_next_to(self, seq: int, step: int) -> Floor | None:
        """Return the visible floor before (-1) or behind (1) another."""
        floor = self.tail.floor(seq + step)
        while floor is not None and floor.is_hidden:
            floor = self.tail.floor(floor.seq + step)
        return floor

    def _without_name(self, said: ListedMessage) -> str:
        """Return a message's text without the name that this front end puts before it."""
        return unseen_of(RequestMessage(said), self._speakers).text

    def _unseen(self, at: int) -> Unseen:
        return unseen_of(self.pieces.pieces[at], self._speakers)

    @cached_property
    def _speakers(self) -> LineSpeakers:
        return LineSpeakers.of(self.tail, self.pieces.pieces, self.aligned)

    @property
    def _other_readings(self) -> Iterator[Edited]:
        """Yield messages with another swipe of their floor, which is then chosen."""
        for at, seq in self.aligned.exact:
            floor, said = self.tail.floor(seq), self.pieces.pieces[at].said
            is_alone = at not in (self.aligned.ends or {})
            text = self._without_name(said)
            is_other = floor is not None and plain(text) != floor.keys[0]
            if floor is not None and is_alone and is_other and floor.is_as_stored:
                yield Edited(said.index, seq, text)

    @property
    def shows_more(self) -> bool:
        """Return whether the request shows more than the known end of the line, which has gaps."""
        first_known = self.tail.floors[0].seq if self.tail.floors else 0
        pairs = self.aligned.pairs
        if not first_known or self.is_one_text:
            return False
        if not pairs:
            return self.pieces.story_count > 1
        shown = self.pieces.pieces[: pairs[0][0]]
        told = dropwhile(lambda piece: not piece.is_story, shown[self.pieces.first_said :])
        is_more = sum(piece.is_story for piece in shown) > pairs[0][1]
        return self.tail.has_gaps and (is_more or self.beside_before.may_be_told(told))

    @property
    def until(self) -> int:
        """Return the newest floor that the request stands on."""
        if not self.aligned.pairs:  # identified by name, without a known message
            return self.tail.count - 1
        return self.aligned.until

    @property
    def edited(self) -> tuple[Edited, ...]:
        """Yield edited messages, as far as that is certain.

        Not the first one shown, which may be cut, and none that is changed when it is sent: its
        stored text differs.
        """
        if self.read is not None:
            return tuple(
                Edited(0, seq, text)
                for seq, text in self.read.edited
                if (floor := self.tail.floor(seq)) is not None and floor.is_as_stored
            )
        first = min((seq for _at, seq in self.aligned.exact), default=-1)
        replies = (seq for at, seq in self.aligned.exact if self._is_reply(at))
        newest = max(replies, default=-1)
        edited = [*self._longer, *self._joined_edits]
        edited += self._other_readings if self.pieces.is_in_one else ()
        for at, seq in self.aligned.pairs:
            floor, piece = self.tail.floor(seq), self.pieces.pieces[at]
            if floor is not None and floor.is_noted and floor.is_as_stored:
                text = self._without_name(replace(piece.said, text=self._own_text(at, floor)))
                edited.append(Edited(piece.said.index, seq, text, is_sure=True))
                continue
            if floor is None or not floor.is_as_stored or floor.keys[0] == piece.keys[0]:
                continue
            is_note_lost = not self.beside.added.isdisjoint(lost_in(piece, floor))
            is_other = (at, seq) in self.aligned.edited and seq > first  # the first may be cut
            is_injected = piece.keys[0] in self.beside_before.texts  # in place of a gone floor
            is_sure = is_note_lost or (seq == newest and self._begins_otherwise(piece, floor))
            if is_sure or (is_other and not is_injected):
                text = self._unseen(at).text
                edited.append(Edited(piece.said.index, seq, text, is_sure))
        return tuple({edit.floor: edit for edit in edited}.values())

    def _own_text(self, at: int, floor: Floor) -> str:
        """Return a message's text without texts joined to its floor."""
        piece = self.pieces.pieces[at]
        before, behind = piece.apart(floor.keys[0])
        return piece.said.text.removeprefix(before).removesuffix(behind).strip()

    @property
    def replied(self) -> tuple[int, str]:
        """Return floor and text of the newest reply in a message of its own; -1 for none."""
        ends = self.aligned.ends or {}
        for at, seq in reversed(self.aligned.exact):
            if self._is_reply(at) and at not in ends:
                return seq, self._without_name(self.pieces.pieces[at].said)
        return -1, ""

    def _is_reply(self, at: int) -> bool:
        return self.pieces.pieces[at].said.role == "assistant"

    def _begins_otherwise(self, piece: RequestMessage, floor: Floor) -> bool:
        """Return whether a message is its floor with or without the beginning of the reply."""
        own = floor.keys[0]
        return any(
            opening and (opening + own in piece.keys or own.removeprefix(opening) in piece.keys)
            for opening in (self.beside_before.opening, plain(self.turn.begins))
        )

    @property
    def beyond(self) -> int:
        """Return how many floors the line has behind what the request shows."""
        return self.tail.count - 1 - self.until

    @cached_property
    def proof(self) -> float:
        return self.aligned.proof()

    @property
    def usual_speakers(self) -> tuple[str, ...]:
        """Return the possible next speakers if the request has no name, the likeliest first.

        Of a reroll the speaker of that reply, at the end of the line the last speaker. A request
        that goes on from the middle of a line may be either.
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
        """Return whether the line is shown from its first floor on, and more than a greeting.

        A line that consists of a greeting is whole too.
        """
        shown = {seq for _at, seq in self.aligned.pairs}
        until = self.until
        others = [f for f in self.tail.floors if f.seq < until and f.seq not in shown]
        # A note that was taken for a message moves on with the story.
        moved = (self.beside.added, self.pieces.texts, self.pieces.joined_texts)
        are_moved = all(any(floor.keys[0] in texts for texts in moved) for floor in others)
        is_all = bool(shown) and len(shown) + len(others) == until + 1 and are_moved
        return is_all and (self.proof > 0 or self.beyond == 0)

    @property
    def are_others_edited(self) -> bool:
        """Return whether a message has an edit other than the loss of an addition.

        Texts that a front end joins to the player's newest message are gone in the next request; if
        a reply proves the line, other paragraphs may be joined to it.
        """
        for at, seq in self.aligned.edited:
            floor, piece = self.tail.floor(seq), self.pieces.pieces[at]
            if floor is None or not self.pieces.may_have_more(piece):
                return True
            is_joined = self.proof >= STRAY and self._shares_paragraph(piece, floor)
            if not lost_in(piece, floor) and not is_joined:
                return True
        return False

    @property
    def edit_proof(self) -> float:
        """Return the worth of the one edited message; 0 for several, or for a different text.

        It counts only if all other messages are unchanged.
        """
        if len(self.aligned.edited) != 1 or not self.is_whole:
            return 0.0
        ((at, seq),) = self.aligned.edited
        floor, piece = self.tail.floor(seq), self.pieces.pieces[at]
        if floor is None or floor.is_opening:
            return 0.0
        return max(likeness(key, own) * worth(own) for key in piece.keys for own in floor.keys)

    def _shares_paragraph(self, piece: RequestMessage, floor: Floor) -> bool:
        """Return whether a paragraph of a message, and of no other message, occurs in a floor."""
        texts = piece.said.text.split(piece.said.joint)
        parts = [RequestMessage(replace(piece.said, text=text)) for text in texts]
        return len(parts) > 1 and any(
            self.pieces.joined_at(part.keys[0])[0] >= 0
            and any(key in floor.keys[0] for key in part.keys if key)
            for part in parts
        )

    @property
    def left_out(self) -> int:
        """Return how many floors are not shown between the first and the last shown."""
        shown = {seq for _at, seq in self.aligned.pairs}
        first, last = min(shown, default=0), max(shown, default=-1)
        return sum(
            first < floor.seq < last and floor.seq not in shown and not floor.is_hidden
            for floor in self.tail.floors
        )

    @property
    def is_dense(self) -> bool:
        """Return whether most messages between the first and the last match belong to the line."""
        if self.read is not None:
            return True
        at = {at for at, _seq in self.aligned.pairs}
        if not at:
            return False
        said = self.pieces.pieces[min(at) : max(at) + 1]
        story = sum(piece.is_story for piece in said)
        if self.tail.has_gaps:  # many messages may be missing in the line
            seqs = [seq for _at, seq in self.aligned.pairs]
            story = min(story, max(seqs) - min(seqs) + 1)
        return len(at) >= _DENSE * story


def place(
    tail: LineTail, pieces: RequestPieces, before: Beside = UNKNOWN, least: float = STRAY
) -> Placed:
    """Align a request with the end of a line, and read what it asks for there."""
    is_chat = pieces.are_messages
    bare = BareRequest(tail, pieces, pieces, Aligned())
    if is_chat:
        bare = BareRequest.of(tail, pieces, before, least)
    tail, pieces, aligned = bare.tail, bare.pieces, bare.aligned
    cast = LineSpeakers.of(tail, pieces.pieces, aligned)
    ending = pieces.ending
    is_doubtful = ending is not None and ending.is_by_names
    if not is_chat or is_doubtful or len({at for at, _seq in aligned.exact}) < 2:
        # without a name at its end, the text behind the last message may be an order
        is_told = ending is not None and is_doubtful and bool(ending.name)
        texts = pieces.folded.long_pieces if pieces.request.kind == "chat" else [0]
        for at in texts:
            placed = _placed_in_text(tail, pieces.folded, at, cast)
            proof = aligned.proof()
            if placed and (placed.proof > proof or (placed.proof == proof and not is_told)):
                return placed
    if not is_chat:
        is_aside = pieces.request.asks_json or is_task(pieces.pieces)
        return Placed(tail, pieces, Aligned(), WantedTurn("quiet" if is_aside else "reply"))
    is_lone = pieces.story_count <= 1 and is_task(pieces.pieces)
    if is_lone or pieces.request.asks_json or has_material(pieces.pieces, aligned, tail.floors):
        return Placed(tail, pieces, aligned, WantedTurn("quiet"))
    following = _following(tail, aligned)
    said = pieces.pieces if aligned.pairs else pieces.pieces[pieces.first_said :]
    placed = Placed(tail, pieces, aligned, WantedTurn("quiet"), beside_before=before)
    turn = turn_of_messages(said, aligned, following, cast, before.texts, bare.begins)
    turn = turn.ending(ending, cast) if ending is not None else turn
    placed = replace(placed, turn=turn)
    held = placed.held
    # Messages before all known ones are examples, or further back.
    first = min(held, default=0)
    is_ordered = turn.wanted in ("continue", "impersonate")  # by the last, and maybe one more
    others = frozenset(
        piece.keys[0]
        for at, piece in enumerate(pieces.pieces[first : -1 if is_ordered else None], first)
        if piece.is_story and at not in held
    )
    all_said = bare.all_said.pieces
    if is_ordered and len(all_said) - 1 not in held:  # an instruction to the model, not a message
        all_said = all_said[:-1]
    beside = replace(
        before.next(others | turn.orders, bare.notes, all_said, held, bare.added),
        extras=placed.extras,
        opening=bare.opening or (before.opening if is_ordered else ""),  # the order is behind it
    )
    return replace(placed, beside=beside)


def _placed_in_text(
    tail: LineTail, pieces: RequestPieces, at: int, cast: LineSpeakers
) -> Placed | None:
    """Align the floors with one message that holds them all; None if it holds none."""
    piece = pieces.pieces[at]
    text = piece.said.text
    aligned, ranges = align_prompt(tail.floors, at, piece.keys[0])
    if len(aligned.exact) < 2:
        return None
    floors = [tail.floor(seq) for _at, seq in aligned.exact]
    known = [floor for floor in floors if floor is not None]
    end = read_prompt_end(pieces.request, piece.said, known, ranges, cast.player, tail.floors)
    plain_text = piece.keys[0]
    swiped = tuple(
        (floor.seq, plain_text[place.start : place.stop])
        for floor, place in zip(known, ranges, strict=True)
        if floor.is_as_stored and plain_text[place.start : place.stop] != floor.keys[0]
    )  # another swipe of the floor, which is then chosen
    end = replace(end, edited=(*end.edited, *swiped))
    aligned, end = _with_short_ones(tail, aligned, end, at)
    others = [p.said.text for k, p in enumerate(pieces.pieces) if k != at]
    before = text[: original_end(text, ranges[0].start)] if ranges[0].start else ""
    is_task = shows_story(text) or is_aside(before) or any(map(is_bare_question, others))
    if (is_task and not is_story_prompt(pieces.request)) or pieces.request.asks_json:
        turn = WantedTurn("quiet")
    else:
        turn = turn_of_prompt(end, _following(tail, aligned), cast)
    return Placed(tail, pieces, aligned, turn, is_one_text=True, read=end)


def _with_short_ones(
    tail: LineTail, aligned: Aligned, end: PromptTail, at: int
) -> tuple[Aligned, PromptTail]:
    """Add floors that are too short to be searched and follow the last long one."""
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
    """Return the newest floor of the request, and the floors behind it."""
    if not aligned.pairs:
        return []
    first = tail.floors[0].seq
    return list(tail.floors[max(0, aligned.until - first) :])


def go_back(
    before: Iterable[tuple[int, Collection[str], bool]], pieces: Sequence[RequestMessage], at: int
) -> list[tuple[int, int]]:
    """Match earlier messages, from a matched one backwards: (position in the pieces, floor).

    ``before`` are floor, plain texts and whether it is hidden, of the floors before that of
    ``pieces[at]``, the nearest first. Hidden ones may be missing in a request; after several
    different messages in a row the request shows no more of the line.
    """
    found: list[tuple[int, int]] = []
    numbers = (number for number in range(at - 1, -1, -1) if pieces[number].is_story)
    number = next(numbers, -1)
    misses = 0
    for floor, keys, is_hidden in before:
        if number < 0 or misses > _MOST_MISSES:
            break
        if not set(pieces[number].keys).isdisjoint(keys):
            found.append((number, floor))
            misses = 0
        elif is_hidden:
            continue
        else:
            misses += 1
        number = next(numbers, -1)
    return found[::-1]
