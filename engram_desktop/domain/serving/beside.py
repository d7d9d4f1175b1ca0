"""Notes of a request: what a front end inserts between and into messages, such as lore and orders.

A note is recognised by its position: a message moves away from the end as the story goes on, a note
does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace

from engram_desktop.domain.serving.alignment import (
    GAP,
    SHORTEST_IN_TEXT,
    Aligned,
    align_messages,
    lost_in,
)
from engram_desktop.domain.serving.line_and_request import (
    LEAST_ADDED,
    LineTail,
    RequestMessage,
    RequestPieces,
)
from engram_desktop.domain.serving.request import ListedMessage, original_end, plain
from engram_desktop.domain.values import dataclass

JUST_BEGUN = 6  # floors of a new line: notes, a greeting, and two exchanges


@dataclass(frozen=True)
class Beside:
    """What the last request of a line showed besides messages.

    ``texts`` are in the places of messages and are none. ``shown`` are all texts of the request.
    ``behind``: for each text with that of the message before it, how many messages followed.
    ``depths``: for each of the newest texts, how many followed it, and the text before it.
    ``notes`` are texts that are certainly notes, ``added`` are texts joined to one message and, in
    the next request, to another. ``told`` are texts of the system that were no messages. ``extras``
    are texts joined to the message of a floor that are not part of it: floor, whether before its
    text, and the newest floor when it first appeared. ``opening`` is the beginning of the reply,
    plain.
    """

    texts: frozenset[str] = frozenset()
    behind: Mapping[tuple[str, str], int] = field(default_factory=dict)
    shown: frozenset[str] = frozenset()
    depths: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    notes: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    extras: Mapping[str, tuple[int, bool, int]] = field(default_factory=dict)
    opening: str = ""

    @classmethod
    def begun(cls, pieces: RequestPieces) -> Beside:
        """Return the notes of the request that a line began with."""
        said = pieces.pieces
        held = [n for n in range(pieces.first_said, len(said)) if said[n].is_story]
        while held and said[held[-1]].said.role == "assistant":
            held.pop()
        behind = dict(places_beside(said, held).values())
        shown = frozenset(piece.keys[0] for piece in said)
        opening = plain(pieces.opening)
        return cls(frozenset(), behind, shown, _depths(said), told=_told(said), opening=opening)

    def notes_in(self, pieces: Sequence[RequestMessage]) -> frozenset[str]:
        """Return texts as far from the end as before, while the messages before them moved.

        A front end inserts these; messages move away from the end as the story goes on.
        """
        left: set[str] = set()
        now = _depths(pieces, self.notes | self.added)
        known = {t for t in self.notes if t in now and now[t][0] == self.depths.get(t, (-1, ""))[0]}
        behind = {before: text for text, (_depth, before) in self.depths.items()}
        answer = _answer(pieces, known)
        for text, (depth, before) in sorted(now.items(), key=lambda row: -row[1][0]):
            if len(text) < LEAST_ADDED or text == answer:  # a user who goes back may repeat “Yes.”
                continue
            depth_then, before_then = self.depths.get(text, (-1, ""))
            is_left = now.get(before_then, (-1, ""))[0] > depth + 1 and before_then not in known
            is_left |= now.get(behind.get(text, ""), (-1, ""))[0] > depth  # before the text now
            is_beside_one = before == before_then and before in left
            if depth_then == depth and (is_left or is_beside_one):
                left.add(text)
        return frozenset(left | known)

    def stayed(self, places: Mapping[int, tuple[tuple[str, str], int]]) -> list[int]:
        """Return the positions of texts that stayed behind one message while others followed.

        Only messages do so: a note keeps its distance from the newest message, and moves along.
        """
        return [
            at for at, (place, behind) in places.items() if behind > self.behind.get(place, behind)
        ]

    def may_be_told(self, pieces: Iterable[RequestMessage]) -> bool:
        """Return whether a system message may be the narrator's; on a line just met, any may."""
        said = {p.keys[0] for p in pieces if p.said.role == "system" and p.keys[0]}
        return not said.isdisjoint(self._waiting if self.shown else said)

    @property
    def _waiting(self) -> frozenset[str]:
        return frozenset(text for text, _before in self.behind)

    def next(
        self,
        texts: frozenset[str],
        notes: frozenset[str],
        pieces: Sequence[RequestMessage],
        held: Collection[int],
        added: frozenset[str] = frozenset(),
    ) -> Beside:
        """Return the notes of this request; ``held`` are positions of messages.

        A text that was a message in the last request was deleted here: it is not looked for.
        """
        behind, waiting = {}, self._waiting
        for at, (place, count) in places_beside(pieces, held).items():
            is_new = place[0] not in self.shown if self.shown else pieces[at].said.role == "system"
            first_count = self.behind.get(place, count)
            if (is_new or place[0] in waiting) and count <= first_count + GAP:
                behind[place] = first_count
        shown = frozenset(piece.keys[0] for piece in pieces)
        left = self.notes - shown if len(self.notes) <= GAP else frozenset[str]()
        depths = {text: self.depths[text] for text in left if text in self.depths}
        depths |= _depths(pieces, notes | left | added)
        return Beside(texts | notes, behind, shown, depths, notes | left, added, _told(pieces))


UNKNOWN = Beside()  # of a line without a request so far


def _told(pieces: Sequence[RequestMessage]) -> frozenset[str]:
    return frozenset(piece.keys[0] for piece in pieces if not piece.is_story)


def _answer(pieces: Sequence[RequestMessage], notes: Collection[str]) -> str:
    """Return the player's answer to a reply; "" if it may be a note.

    It is the only message behind the reply, which follows a message of the player.
    """
    said = [p for p in pieces if p.is_story and p.keys[0] not in notes][-3:]
    is_answer = [p.said.role for p in said] == ["user", "assistant", "user"]
    return said[-1].keys[0] if is_answer else ""


def _depths(
    pieces: Sequence[RequestMessage], notes: Collection[str] = ()
) -> dict[str, tuple[int, str]]:
    """Return for each unique newest text how many messages follow it, and the text before it.

    Notes are not counted as messages.
    """
    story = [piece.keys[0] for piece in pieces if piece.is_story][-GAP:]
    once = {text for text, count in Counter(story).items() if count == 1}
    depths: dict[str, tuple[int, str]] = {}
    depth = 0
    befores = [*reversed(story[:-1]), ""]  # without messages one element too many: not read
    for text, before in zip(reversed(story), befores, strict=False):
        if text in once:
            depths[text] = depth, before
        depth += text not in notes
    return depths


def places_beside(
    pieces: Sequence[RequestMessage], held: Collection[int]
) -> dict[int, tuple[tuple[str, str], int]]:
    """Return for each position its text, the message before it, and how many messages follow.

    ``held`` are positions of messages. Texts before all of them have no place, nor have those
    behind a message whose text occurs twice: in the next request they may be behind either.
    """
    places: dict[int, tuple[tuple[str, str], int]] = {}
    before, follow = "", len(held)
    said = Counter(pieces[at].keys[0] for at in held)
    for at, piece in enumerate(pieces):
        text = piece.keys[0]
        if at in held:
            before, follow = text if said[text] == 1 else "", follow - 1
        elif before and text and piece.said.role in ("system", "user", "assistant"):
            places[at] = (text, before), follow
    return places


@dataclass(frozen=True)
class BareRequest:
    """A request without what a front end inserted, aligned with the end of a line.

    ``all_said`` includes separate ``notes``, ``pieces`` does not; neither has the texts ``added``
    to messages, nor the ``opening``. ``begins`` is the beginning of the reply, "" if the opening is
    a note, None without one. ``tail`` knows replies with and without the opening.
    """

    tail: LineTail
    pieces: RequestPieces
    all_said: RequestPieces
    aligned: Aligned
    notes: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()
    opening: str = ""
    begins: str | None = None

    @classmethod
    def of(
        cls, tail: LineTail, request: RequestPieces, before: Beside, least: float
    ) -> BareRequest:
        """Align the request without the beginning of the reply."""
        request = request.with_order_behind(before.opening)
        opening = plain(request.opening)
        tail = tail.beginning_with({before.opening, opening} - {""})
        whole = cls._laid(tail, request, before, least)
        last = len(request.pieces) - 1
        if not opening:
            return whole
        if any(at == last for at, _seq in whole.aligned.exact):
            return whole.cut_behind(last)
        bare = cls._laid(tail, request.without_last, before, least)
        is_begun = opening not in bare.added and _is_begun(bare, opening, before)
        begins = request.opening if is_begun else ""
        return replace(bare, opening=opening, begins=begins)

    def cut_behind(self, at: int) -> BareRequest:
        """Return the request without what follows the last message, a reply, in the same piece.

        It is the beginning of the next reply, or an order if the whole chat is one message.
        """
        said = self.pieces.pieces[at].said
        ends = self.aligned.ends or {}
        end = original_end(said.text, ends[at]) if at in ends else len(said.text)
        rest = said.text[end:].removeprefix(said.joint)
        if not rest.strip() or len(rest) == len(said.text) - end:
            return self
        own = RequestMessage(replace(said, text=said.text[:end]))
        order = RequestMessage(ListedMessage(said.index + 1, "system", rest))
        is_order = self.pieces.is_unfolded
        rows = (*self.pieces.pieces[:at], own, *([order] if is_order else []))
        return replace(
            self,
            pieces=replace(self.pieces, pieces=rows),
            aligned=replace(self.aligned, ends={k: v for k, v in ends.items() if k != at}),
            opening="" if is_order else plain(rest),
            begins=None if is_order else rest,
        )

    @classmethod
    def _laid(
        cls, tail: LineTail, request: RequestPieces, before: Beside, least: float
    ) -> BareRequest:
        """Align with the line; again if the first alignment shows texts added to messages."""
        added = before.added | _moved(tail, request, before) | _gone_behind(tail, request)
        left = _left_floor(tail, request)
        added |= left.union(*map(request.joined_paragraphs, added | left))
        tail = tail.without(left)
        while True:
            all_said = request.without_added(added, tail.floors)
            notes = before.notes_in(all_said.pieces) | (added - tail.visible_texts)
            notes |= _opening_behind_reply(tail, all_said, before)
            pieces = all_said.without(notes)
            aligned = align_messages(tail.floors, pieces.pieces, least, added)
            learned = _added(tail, pieces, aligned, before) - added
            if not learned:
                return cls(tail, pieces, all_said, aligned, notes, added)
            added |= learned


def _is_begun(bare: BareRequest, opening: str, before: Beside) -> bool:
    """Return whether a reply begins with an opening; one shown in the last request may be a note.

    The reply is one that is shown, or the one that is to be made again.
    """
    if opening != before.opening:
        return True
    shown = [p.keys for p in bare.pieces.pieces if p.said.role == "assistant"]
    behind = bare.tail.floor(bare.aligned.until + 1)
    keys = [*shown, behind.keys[:1] if behind is not None else ()]
    return any(key.startswith(opening) for texts in keys for key in texts)


def _moved(tail: LineTail, pieces: RequestPieces, before: Beside) -> frozenset[str]:
    """Return texts that were joined to one floor in the last request and to another message now.

    So are texts behind all messages, by the assistant, that are joined to a reply now, and separate
    texts that were no messages.
    """
    moved = set[str]()
    alone = {piece.keys[0] for piece in pieces.pieces}
    for text in before.notes - alone:  # a user who quotes a note sends a message
        at, rest = pieces.joined_at(text)
        if at >= 0 and rest.strip() and not _is_message(tail, pieces.pieces[at], text, rest):
            moved.add(text)
    at, rest = pieces.joined_at(before.opening)
    is_behind = at >= 0 and pieces.pieces[at].keys[0].endswith(before.opening)
    if is_behind and rest.strip() and pieces.pieces[at].said.role == "assistant":
        moved.add(before.opening)
    for text, (seq, was_before, _since) in before.extras.items():
        at, rest = pieces.joined_at(text)
        floor = tail.floor(seq)
        if at < 0 or _is_message(tail, pieces.pieces[at], text, rest):
            continue
        piece = pieces.pieces[at]
        left = RequestMessage(replace(piece.said, text=rest)).keys  # also without a name before it
        is_elsewhere = floor is not None and set(left).isdisjoint(floor.keys)
        if is_elsewhere or piece.keys[0].startswith(text) != was_before:
            moved.add(text)
    return frozenset(moved)


def _opening_behind_reply(tail: LineTail, pieces: RequestPieces, before: Beside) -> frozenset[str]:
    """Return the opening of the last request if it is a message behind a reply now."""
    said = [p for p in pieces.pieces if p.is_story][-2:] if before.opening else []
    is_note = len(said) == 2 and {p.said.role for p in said} == {"assistant"}
    is_note = is_note and said[1].keys[0] == before.opening not in tail.visible_texts
    return frozenset({before.opening}) if is_note else frozenset()


def _is_message(tail: LineTail, piece: RequestMessage, text: str, rest: str) -> bool:
    """Return whether a text joined to others of its role in a message is a message itself.

    It was edited, or sent without getting a reply. It has a name before it if the text it is joined
    to has one.
    """
    if text in tail.visible_texts:
        return True
    names = (tail.player,) if piece.said.role == "user" else tail.names
    marks = tuple(f"{plain(name)}{colon}" for name in names for colon in ":：")
    return text.startswith(marks) and plain(rest).startswith(marks)


def _left_floor(tail: LineTail, pieces: RequestPieces) -> frozenset[str]:
    """Return texts that a floor is stored with and a later message has now.

    Only of a new chat: later it is known which text was joined to which message.
    """
    if tail.count > JUST_BEGUN:
        return frozenset()
    shown = {key for piece in pieces.pieces for key in piece.keys}
    floors = [f.keys[0] for f in tail.floors if f.role != "system" and f.keys[0] not in shown]
    found = set[str]()
    for text in filter(None, pieces.joined_texts):
        rests = {"".join(key.split(text, 1)) for key in floors if text in key}
        at = pieces.joined_at(text)[0] if rests - {""} else -1
        if any(rest and _is_said_before(pieces, at, rest) for rest in rests):
            found.add(text)
    return frozenset(found)


def _is_said_before(pieces: RequestPieces, at: int, text: str) -> bool:
    said = (piece.keys[0] for piece in pieces.pieces[: max(0, at)] if piece.is_story)
    is_long = len(text) >= SHORTEST_IN_TEXT  # a short one begins many messages
    return any(
        own == text or (is_long and (own.startswith(text) or own.endswith(text))) for own in said
    )


def _gone_behind(tail: LineTail, pieces: RequestPieces) -> frozenset[str]:
    """Return texts that were stored before the first message of a line and are behind it now.

    A note four messages before the end precedes all of a shorter chat.
    """
    first = tail.floor(0)
    piece = next((p for p in pieces.pieces[pieces.first_said :] if p.is_story), None)
    if first is None or piece is None or piece.said.role != first.role:
        return frozenset()
    then, now = first.keys[0], piece.keys[0]
    if then == now or len(then) != len(now) or then not in now + now:
        return frozenset()
    joint = piece.said.joint
    rows = piece.said.text.split(joint)
    return frozenset(
        plain(joint.join(rows[n:]))
        for n in range(1, len(rows))
        if plain(joint.join(rows[n:] + rows[:n])) == then
    )


def _added(
    tail: LineTail, pieces: RequestPieces, aligned: Aligned, before: Beside
) -> frozenset[str]:
    """Return texts stored with a floor that its message lacks, if another message has them.

    Also the system's notes that are joined to a message now.
    """
    found = set[str]()
    for at, seq in aligned.pairs:
        floor, piece = tail.floor(seq), pieces.pieces[at]
        if floor is None or floor.keys[0] == piece.keys[0] or not pieces.may_have_more(piece):
            continue
        found |= lost_in(piece, floor)
        if at in (aligned.ends or {}):
            found |= before.told.intersection(map(plain, piece.apart(floor.keys[0])))
    return frozenset(text for text in found if pieces.joined_at(text)[0] >= 0)
