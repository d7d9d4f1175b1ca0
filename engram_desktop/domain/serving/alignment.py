"""Align the messages of a request with the stored floors of a line.

Equal texts are matched first, wherever the history was cut. What is left between two matches may be
several floors joined in one message, or an edited floor. A text completion is one message with all
floors: they are found in its text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from rapidfuzz import fuzz

from engram_desktop.domain.chats import equal_pairs
from engram_desktop.domain.serving.line_and_request import (
    NAME_CHARS,
    STORY_ROLES,
    Floor,
    RequestMessage,
)
from engram_desktop.domain.serving.request import original_end, plain, worth
from engram_desktop.domain.values import dataclass

_LONG_BY_LETTERS = 12  # letters that always prove `STRAY`, each being a byte or more
_ROLE = "\x00role "  # separates a short text from the role it is matched with
SAME_SHARE = 60.0  # percent of a text that stays in an edit; two unrelated messages share 20 to 40
_COMPARED = 3_000  # characters of two texts that are compared: some 0.1 ms
STRAY = 0.3  # worth of a run of equal texts below which it may be equal by chance
_SHORTEST_EDITED = 6  # plain characters of a text that is recognised after an edit
_MOST_LEFT_OUT = 2  # floors that may be missing before a match at the end of a request
GAP = 40  # messages, and floors, compared between two matches
_COVERED = 0.5  # share of a message that must be floors for it to be these floors joined
_MORE = 2  # plain characters behind a floor that are more than a closing mark
_NEW_LINE = re.compile(r"[^\w\n]*\n")  # behind a floor that another message follows
SHORTEST_IN_TEXT = 10  # plain characters of a floor that is searched anywhere in a prompt


@dataclass(frozen=True)
class Aligned:
    """Result of an alignment.

    ``ends``: for pieces with more text than their last floor, the end of that floor in the plain
    text. ``evidence``: the worth of each equal text. ``goes_on``: the end of the line is shown
    message for message. ``exact`` and ``edited`` are (position in the pieces, floor), in order.
    """

    exact: tuple[tuple[int, int], ...] = ()
    edited: tuple[tuple[int, int], ...] = ()
    ends: Mapping[int, int] | None = None
    evidence: Mapping[str, float] | None = None
    goes_on: bool = False

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return sorted([*self.exact, *self.edited])

    @property
    def until(self) -> int:
        """Return the newest matched floor; -1 for none."""
        return max((seq for _at, seq in self.pairs), default=-1)

    @property
    def last_at(self) -> int:
        """Return the position of the piece with the newest floor; -1 for none."""
        return max((at for at, _seq in self.pairs), default=-1)

    def proof(self, without: Aligned | None = None) -> float:
        """Return the total worth; ``without`` leaves out texts that another alignment has too."""
        others = (without.evidence or {}) if without else {}
        return sum(value for key, value in (self.evidence or {}).items() if key not in others)


def align_messages(
    floors: Sequence[Floor],
    pieces: Sequence[RequestMessage],
    least: float,
    added: Collection[str],
) -> Aligned:
    """Align the messages of a chat request with the floors of a line.

    ``least`` is the worth that the end of the line must prove to be matched message for message.
    ``added`` are plain paragraphs that floors may have and messages not: notes of a front end.
    """
    going_on = _going_on(floors, pieces, least)
    if going_on:
        aligned = _aligned(
            floors, going_on, (), {}, lambda at, n: _shared_key(floors[n], pieces[at])
        )
        return replace(aligned, goes_on=True)
    keys = [[_of_role(key, floor.role) for key in floor.keys] for floor in floors]
    by_key = {key: n for n, of_floor in enumerate(keys) for key in of_floor}
    system_keys = {
        key
        for of_floor, f in zip(keys, floors, strict=True)
        if f.role == "system"
        for key in of_floor
    }
    asked = [_key_in(piece, by_key, system_keys) for piece in pieces]
    wanted = set(asked)
    stored = [
        next((key for key in of_floor if key in wanted), f"\x00floor {floor.seq}")
        for of_floor, floor in zip(keys, floors, strict=True)
    ]
    equal = equal_pairs(stored, [key or f"\x00piece {n}" for n, key in enumerate(asked)])
    pulled = _pulled([(at, n) for n, at in equal], asked)
    exact = _without_strays(pulled, floors, {piece.keys[0] for piece in pieces})
    exact = _without_said_again(exact, floors, pieces)
    edited: list[tuple[int, int]] = []
    ends: dict[int, int] = {}
    before_at, before_n = -1, -1
    for at, n in [*exact, (len(pieces), len(floors))]:
        gap_pieces = [k for k in range(before_at + 1, at) if pieces[k].is_story]
        gap_floors = list(range(before_n + 1, n))
        if gap_pieces and gap_floors:
            is_bounded = before_at >= 0 and at < len(pieces)
            gap = _Gap(floors, pieces, gap_pieces, gap_floors, is_bounded, before_at >= 0, added)
            joined = gap.joined(ends)
            exact += joined
            edited += gap.edited({k for k, _n in joined}, {m for _k, m in joined})
        before_at, before_n = at, n
    exact += _behind_others(pulled, [*exact, *edited])
    exact.sort()

    def shared(at: int, n: int) -> str:
        return asked[at].partition(_ROLE)[0] or floors[n].keys[0]

    return _aligned(floors, exact, edited, ends, shared)


def _aligned(
    floors: Sequence[Floor],
    exact: Sequence[tuple[int, int]],
    edited: Sequence[tuple[int, int]],
    ends: Mapping[int, int],
    key_of: Callable[[int, int], str],
) -> Aligned:
    """Return pairs of positions as an alignment; ``key_of`` returns the text that a pair shares."""
    keys = (key_of(at, n) for at, n in exact if not floors[n].is_opening)
    return Aligned(
        tuple((at, floors[n].seq) for at, n in exact),
        tuple((at, floors[n].seq) for at, n in edited),
        ends,
        {key: worth(key) for key in keys},
    )


def _going_on(
    floors: Sequence[Floor], pieces: Sequence[RequestMessage], least: float
) -> list[tuple[int, int]]:
    """Match the end of the line message for message; [] if the request does not show it so.

    Nearly every request continues so. Each visible floor must follow the one before it, in its
    role, until the floors or the messages end: so frequent texts ("…") are matched by their place.
    Of several such runs the longest counts.
    """
    shown = [n for n, floor in enumerate(floors) if not floor.is_hidden and floor.keys[0]]
    told = {key for n in shown if floors[n].role == "system" for key in floors[n].keys}
    story = [n for n, piece in enumerate(pieces) if piece.is_story or piece.is_narrators(told)]
    best: list[tuple[int, int]] = []
    for last, newest in enumerate(story) if shown else ():
        length = min(last + 1, len(shown))
        if length <= len(best) or not _shared_key(floors[shown[-1]], pieces[newest]):
            continue
        run = list(zip(story[last + 1 - length : last + 1], shown[-length:], strict=True))
        proof = 0.0
        for at, n in reversed(run):
            key = _shared_key(floors[n], pieces[at])
            if not key:
                break
            proof += worth(key)
        else:
            if proof >= least or len(shown) == last + 1:  # little is enough if all are equal
                best = run
    return best


def _shared_key(floor: Floor, piece: RequestMessage) -> str:
    """Return the text that a floor and a message of its role share; "" for none."""
    if floor.role != piece.said.role:
        return ""
    return next((key for key in piece.keys if key in floor.keys), "")


def _pulled(exact: list[tuple[int, int]], asked: Sequence[str]) -> list[tuple[int, int]]:
    """Match a floor with the first of equal messages behind the match before it."""
    pulled: list[tuple[int, int]] = []
    before_at, before_n = -1, -1
    for at, n in exact:
        first = before_at + 1 if n == before_n + 1 and before_at >= 0 else at
        before_at = next(k for k in range(first, at + 1) if asked[k] == asked[at])
        before_n = n
        pulled.append((before_at, n))
    return pulled


def _without_strays(
    exact: list[tuple[int, int]], floors: Sequence[Floor], shown: Collection[str]
) -> list[tuple[int, int]]:
    """Drop short texts at either end that equal a floor far from the other matches by chance."""
    runs: list[list[tuple[int, int]]] = []
    for at, n in exact:
        is_near = runs and not _seen_between(floors, runs[-1][-1][1], n, shown)
        if is_near:
            runs[-1].append((at, n))
        else:
            runs.append([(at, n)])
    worths = [sum(worth(floors[n].keys[0]) for _at, n in run) for run in runs]
    while len(runs) > 1 and worths[-1] < STRAY:
        runs.pop()
        worths.pop()
    while len(runs) > 1 and worths[0] < STRAY:
        runs.pop(0)
        worths.pop(0)
    return [pair for run in runs for pair in run]


def _without_said_again(
    exact: list[tuple[int, int]], floors: Sequence[Floor], pieces: Sequence[RequestMessage]
) -> list[tuple[int, int]]:
    """Drop the match of the last message if visible floors before that floor are not shown.

    The user went back and repeats a message: that begins a branch without these floors. A match
    with the player's newest message stays, because front ends that hide floors ask for another
    reply like this.
    """
    if len(exact) < 2:
        return exact
    (_at, before), (at, n) = exact[-2:]
    is_last = pieces[at].said.role == "user" and not any(p.is_story for p in pieces[at + 1 :])
    left_out = sum(not floor.is_hidden for floor in floors[before + 1 : n])
    is_newest = not any(floor.role == "user" for floor in floors[n + 1 :])
    return exact[:-1] if is_last and left_out > _MOST_LEFT_OUT and not is_newest else exact


def _behind_others(
    equal: Iterable[tuple[int, int]], others: Collection[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return short equal texts that are not by chance: the message before is the floor before."""
    known = set(others)
    taken = {n for _at, n in known}
    found: list[tuple[int, int]] = []
    for at, n in equal:
        if (at - 1, n - 1) in known and n not in taken:
            found.append((at, n))
            known.add((at, n))
    return found


def _seen_between(floors: Sequence[Floor], one: int, other: int, shown: Collection[str]) -> bool:
    """Return whether there are visible floors between two that no other message shows."""
    between = floors[one + 1 : other]
    return any(not floor.is_hidden and floor.keys[0] not in shown for floor in between)


def _key_in(piece: RequestMessage, by_key: Mapping[str, int], system_keys: set[str]) -> str:
    """Return the key of a piece that a floor has too; "" for none."""
    if not piece.keys[0]:
        return ""
    role = piece.said.role if piece.is_story else "system"
    among = by_key if piece.is_story else system_keys
    return next((key for own in piece.keys if (key := _of_role(own, role)) in among), "")


def _of_role(key: str, role: str) -> str:
    """Return the key by which a text is matched: a short text is matched within its role only.

    A long text may change roles: a reply that the player sends is passed on, to be translated.
    """
    if len(key) >= _LONG_BY_LETTERS or role not in STORY_ROLES or worth(key) >= STRAY:
        return key  # tested first: saves counting the bytes of nearly every floor
    return f"{key}{_ROLE}{role}"


@dataclass(frozen=True)
class _Gap:
    """Messages and floors between two matches."""

    floors: Sequence[Floor]
    pieces: Sequence[RequestMessage]
    at: list[int]
    numbers: list[int]
    is_bounded: bool
    has_before: bool
    added: Collection[str]

    @property
    def _reach(self) -> int:
        """Return how many floors on an edited message is searched.

        At the end of a request, a text similar to a floor far behind is a different continuation.
        """
        return GAP if self.is_bounded or not self.has_before else _MOST_LEFT_OUT + 1

    def joined(self, ends: dict[int, int]) -> list[tuple[int, int]]:
        """Find floors that are joined one after another within one message."""
        pairs: list[tuple[int, int]] = []
        free = self.numbers[-GAP:] if not self.has_before else self.numbers[:GAP]
        for k in self.at[-GAP:]:
            text = self.pieces[k].keys[0]
            fits = [self.floors[n] for n in free]
            near = {self.floors[n].seq for n in free[: self._reach]}
            is_long = any(SHORTEST_IN_TEXT <= len(floor.keys[0]) < len(text) for floor in fits)
            inside, ranges = align_prompt(fits, k, text) if is_long else (Aligned(), [])
            seqs = {seq for _k, seq in inside.exact}
            if not near.isdisjoint(seqs) and ranges and self._is_joined(k, ranges):
                held = [n for n in free if self.floors[n].seq in seqs]
                held, ends[k] = self._with_short_ones(k, held, free, ranges)
            else:
                held = [n for n in free[: self._reach] if self._apart_in(n, k)][:1]
                if held:
                    end = self._apart_in(held[0], k)
                    ranges = [range(end - len(self.floors[held[0]].keys[0]), end)]
                    held, ends[k] = self._with_short_ones(k, held, free, ranges)
            if held:
                pairs += [(k, n) for n in held]
                free = [n for n in free if n > held[-1]]
        return pairs

    def _with_short_ones(
        self, k: int, held: list[int], free: Sequence[int], ranges: Sequence[range]
    ) -> tuple[list[int], int]:
        """Add neighbouring floors that are too short to be searched, and the end of the range.

        Messages of another role between two of them may be deleted: then they are joined.
        """
        text, start, end = self.pieces[k].keys[0], ranges[0].start, ranges[-1].stop
        role = self.pieces[k].said.role
        before, behind = range(held[0] - 1, -1, -1), range(held[-1] + 1, len(self.floors))
        held = list(held)
        for n, key in self._next_to(before, free, role):
            joined = (key + name for name in self._names_before(held[0]))
            found = next((own for own in joined if text.endswith(own, 0, start)), "")
            if not found:
                break
            held, start = [n, *held], start - len(found)
        is_next = True  # no floor of its role is left out
        for n, key in self._next_to(behind, free, role):
            joined = (name + key for name in self._names_before(n))
            found = next((own for own in joined if text.startswith(own, end)), "")
            if found and (is_next or self._is_paragraph(k, end + len(found))):
                held, end, is_next = [*held, n], end + len(found), True
            elif n - held[-1] > _MOST_LEFT_OUT:
                break
            else:
                is_next = False
        return held, end

    def _is_paragraph(self, k: int, end: int) -> bool:
        """Return whether a paragraph of a message ends at ``end`` of its plain text."""
        piece = self.pieces[k]
        return end == len(piece.keys[0]) or piece.joins_at(original_end(piece.said.text, end))

    def _names_before(self, n: int) -> tuple[str, ...]:
        """Return what may precede the text of a floor: nothing, or the speaker's name."""
        name = plain(self.floors[n].name)
        return ("", f"{name}:", f"{name}：") if name else ("",)

    def _next_to(
        self, numbers: Iterable[int], free: Sequence[int], role: str
    ) -> Iterator[tuple[int, str]]:
        """Yield the floors of a role and their texts, up to the first that has a match."""
        for n in takewhile(lambda n: n in free and bool(self.floors[n].keys[0]), numbers):
            if self.floors[n].role == role:
                yield n, self.floors[n].keys[0]

    def _is_joined(self, k: int, ranges: Sequence[range]) -> bool:
        """Return whether the floors found in a message make up a part of it of their own."""
        text = self.pieces[k].keys[0]
        behind = self.pieces[k].said.text
        behind = behind[original_end(behind, ranges[-1].stop) :]
        is_first = ranges[0].start <= NAME_CHARS and behind.startswith(self.pieces[k].said.joint)
        goes_on = len(text) - ranges[-1].stop >= _MORE and not _NEW_LINE.match(behind)
        if len(ranges) == 1 and goes_on:
            return False  # a text with an addition, and no second message behind it
        covered = sum(map(len, ranges))
        return is_first or covered >= _COVERED * len(text) or len(ranges) > 2

    def _apart_in(self, n: int, k: int) -> int:
        """Return where a floor ends in a message of its role that begins or ends with it, or 0."""
        floor, piece = self.floors[n], self.pieces[k]
        return piece.apart_end(floor.keys[0]) if floor.role == piece.said.role else 0

    def edited(self, done: set[int], gone: set[int]) -> list[tuple[int, int]]:
        """Find floors whose text was edited in the request."""
        at = [k for k in self.at if k not in done]
        numbers = [n for n in self.numbers if n not in gone]
        if not self.has_before:  # what precedes is cut history or examples
            at, numbers = at[-GAP:], numbers[-GAP:]
        if self.is_bounded and len(at) == len(numbers) == 1:
            piece, floor = self.pieces[at[0]], self.floors[numbers[0]]
            if piece.said.role == floor.role and not floor.is_hidden:
                return [(at[0], numbers[0])]  # one message for one floor, whatever its text
        pairs: list[tuple[int, int]] = []
        first = 0
        for k in at[:GAP]:
            for m in range(first, min(len(numbers), first + self._reach)):
                floor, piece = self.floors[numbers[m]], self.pieces[k]
                is_one = is_same(piece.keys, floor.keys[:2]) or self._is_without(piece, floor)
                if piece.said.role == floor.role and is_one:
                    pairs.append((k, numbers[m]))
                    first = m + 1
                    break
        return pairs

    def _is_without(self, piece: RequestMessage, floor: Floor) -> bool:
        """Return whether a message is a floor without a paragraph the request has elsewhere."""
        lost = {text for text in lost_in(piece, floor) if len(text) >= SHORTEST_IN_TEXT}
        parts = (part for other in self.pieces for part in other.said.text.split(other.said.joint))
        is_known = not lost.isdisjoint(self.added)
        return is_known or (bool(lost) and any(plain(part) in lost for part in parts))


def lost_in(piece: RequestMessage, floor: Floor) -> set[str]:
    """Return the parts of a floor before or behind the text of a message."""
    key = floor.keys[0]
    lost = {key.removeprefix(text) for text in piece.keys if text and key.startswith(text)}
    lost |= {key.removesuffix(text) for text in piece.keys if text and key.endswith(text)}
    for text in piece.keys if not lost else ():
        if len(text) >= SHORTEST_IN_TEXT and text in key:  # it had notes before and behind
            before, _text, behind = key.partition(text)
            lost |= {before, behind}
    return lost


def is_same(some: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether one text is an edit of the other, or its beginning."""
    for one in some:
        for other in others:
            shorter, longer = sorted((one, other), key=len)
            if len(shorter) >= SHORTEST_IN_TEXT and longer.startswith(shorter):
                return True
            if 3 * len(shorter) < len(longer) or len(shorter) < _SHORTEST_EDITED:
                continue
            score = fuzz.ratio(one[:_COMPARED], other[:_COMPARED], score_cutoff=SAME_SHARE)
            if score:
                return True
    return False


def likeness(one: str, other: str) -> float:
    """Return the similarity of two texts: 1 if equal, 0 at the share of unrelated messages."""
    share = fuzz.ratio(one[:_COMPARED], other[:_COMPARED], score_cutoff=SAME_SHARE)
    return max(0.0, (share - SAME_SHARE) / (100.0 - SAME_SHARE))


def align_prompt(floors: Sequence[Floor], at: int, text: str) -> tuple[Aligned, list[range]]:
    """Find floors in the plain ``text`` of a prompt, which is the piece at ``at``.

    Also returns the range of each floor, in order.
    """
    places: list[tuple[int, int, int]] = []  # (floor, from, to)
    for n, floor in enumerate(floors):
        for key in floor.keys:
            place = text.rfind(key) if len(key) >= SHORTEST_IN_TEXT else -1
            if place >= 0:
                places.append((n, place, place + len(key)))
                break
    run = _rising(places)
    filled: list[tuple[int, int, int]] = []
    for before, after in zip([(-1, 0, 0), *run], [*run, (len(floors), len(text), 0)], strict=True):
        if before[0] >= 0:
            filled.append(before)
        is_gap = before[0] >= 0 and after[2] > 0  # text behind the last floor is read separately
        if is_gap and after[0] - before[0] <= GAP:
            filled += _between(floors, text, before, after)
    ranges = [range(start, end) for _n, start, end in filled]
    evidence = {
        text[start:end]: worth(text[start:end])
        for n, start, end in filled
        if not floors[n].is_opening
    }
    exact = tuple((at, floors[n].seq) for n, _start, _end in filled)
    ends = {at: filled[-1][2]} if filled else {}
    return Aligned(exact, (), ends, evidence), ranges


def _between(
    floors: Sequence[Floor], text: str, before: tuple[int, int, int], after: tuple[int, int, int]
) -> list[tuple[int, int, int]]:
    """Find short floors between two long ones, where they must be."""
    short: list[tuple[int, int, int]] = []
    cursor = before[2]
    limit = after[1]
    for n in range(before[0] + 1, after[0]):
        for key in floors[n].keys[:2]:
            place = text.find(key, cursor, limit) if key else -1
            if place >= 0:
                cursor = place + len(key)
                short.append((n, place, cursor))
                break
    return short


def _rising(places: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return the longest run of floors in rising order."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for n, (_floor, start, _end) in enumerate(places):
        length = bisect_left(ends, start + 1)
        before.append(last[length - 1] if length else -1)
        if length == len(ends):
            ends.append(start + 1)
            last.append(n)
        else:
            ends[length], last[length] = start + 1, n
    run: list[tuple[int, int, int]] = []
    n = last[-1] if last else -1
    while n >= 0:
        run.append(places[n])
        n = before[n]
    return run[::-1]
