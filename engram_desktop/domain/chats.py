"""Differences between two copies of a chat: equal floors, moved floors, new names of speakers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Self

from engram_desktop.domain.memory.message import Role
from engram_desktop.domain.values import dataclass

SMALL = 40_000  # cells of a gap that difflib may compare: some milliseconds


@dataclass(frozen=True, slots=True)
class EditScript:
    """How to turn the old copy of a story into the new one.

    ``pairs`` are (old, new) positions of messages that stay, in order, with equal keys or, if
    ``edited`` or ``renamed``, different ones; ``moved`` are pairs that are out of order. Old
    positions in no pair were removed, new ones in no pair were inserted.
    """

    pairs: tuple[tuple[int, int], ...]
    edited: frozenset[int]  # old positions
    renamed: frozenset[int] = frozenset()  # old positions: the same words, another speaker
    moved: tuple[tuple[int, int], ...] = ()

    @property
    def staying(self) -> tuple[tuple[int, int], ...]:
        """Every pair, with those out of order last."""
        return self.pairs + self.moved


def align(
    old: Sequence[str],
    new: Sequence[str],
    old_speakers: Sequence[str],
    new_speakers: Sequence[str],
    moments: tuple[Sequence[int | None], Sequence[int | None]] | None = None,
) -> EditScript:
    """Find a small edit script from ``old`` to ``new``, given a key for every message.

    Equal keys are matched first: the common beginning and end, then messages that occur once in
    both (the longest run of them that keeps its order), then, in the little that is left, difflib's
    blocks. So the cost stays near that of sorting, even for 100,000 messages. Messages between two
    matches were rewritten: if their number is equal, each was edited in its place; otherwise the
    speakers decide who was edited. A message was moved if its key and its moment occur once on each
    side. ``moments`` are the times of the old and of the new messages; without them nothing counts
    as moved.
    """
    equal = equal_pairs(old, new)
    moved = _moved(old, new, equal, moments) if moments is not None else ()
    from_, to = {i for i, _j in moved}, {j for _i, j in moved}
    pairs: list[tuple[int, int]] = []
    edited: set[int] = set()
    a = b = 0
    for i, j in [*equal, (len(old), len(new))]:
        left = [n for n in range(a, i) if n not in from_]
        right = [m for m in range(b, j) if m not in to]
        between = _rewritten([old_speakers[n] for n in left], [new_speakers[m] for m in right])
        pairs += [(left[n], right[m]) for n, m in between]
        edited.update(left[n] for n, _m in between)
        if i < len(old):
            pairs.append((i, j))
        a, b = i + 1, j + 1
    return EditScript(tuple(pairs), frozenset(edited), moved=moved)


def equal_pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Match equal keys of ``old`` and ``new``, in order: (old, new) positions."""
    return _matches(old, new, 0, len(old), 0, len(new))


def _moved(
    old: Sequence[str],
    new: Sequence[str],
    equal: Sequence[tuple[int, int]],
    moments: tuple[Sequence[int | None], Sequence[int | None]],
) -> tuple[tuple[int, int], ...]:
    """Find messages removed in one place and inserted in another, each exactly once."""
    if len(equal) in (len(old), len(new)):
        return ()
    matched, also = {i for i, _j in equal}, {j for _i, j in equal}
    gone = _single((old[i], moments[0][i], i) for i in range(len(old)) if i not in matched)
    come = _single((new[j], moments[1][j], j) for j in range(len(new)) if j not in also)
    return tuple(sorted((gone[what], come[what]) for what in gone.keys() & come.keys()))


def _single(rows: Iterable[tuple[str, int | None, int]]) -> dict[tuple[str, int | None], int]:
    """Return the positions by key and moment of those that occur once."""
    places: dict[tuple[str, int | None], list[int]] = {}
    for key, moment, place in rows:
        places.setdefault((key, moment), []).append(place)
    return {what: at[0] for what, at in places.items() if len(at) == 1}


def _rewritten(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pair the messages of a stretch, given as speakers, in which every text changed."""
    if len(old) == len(new):
        return [(n, n) for n in range(len(old))]
    if not old or not new or len(old) * len(new) > SMALL:
        return [(n, n) for n in range(min(len(old), len(new)))]
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return [(block.a + n, block.b + n) for block in blocks for n in range(block.size)]


def _matches(
    old: Sequence[str], new: Sequence[str], a: int, a_end: int, b: int, b_end: int
) -> list[tuple[int, int]]:
    """Match equal keys within old[a:a_end] and new[b:b_end], in order."""
    pairs: list[tuple[int, int]] = []
    work = [(a, a_end, b, b_end)]  # a stack, not recursion: a story may be split in many places
    while work:
        a, a_end, b, b_end = work.pop()
        while a < a_end and b < b_end and old[a] == new[b]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        while a < a_end and b < b_end and old[a_end - 1] == new[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
            pairs.append((a_end, b_end))
        if a == a_end or b == b_end:
            continue
        anchors = _anchors(old, new, (a, a_end), (b, b_end))
        if anchors:
            pairs += anchors
            for i, j in [*anchors, (a_end, b_end)]:
                work.append((a, i, b, j))
                a, b = i + 1, j + 1
        elif (a_end - a) * (b_end - b) <= SMALL:
            matcher = SequenceMatcher(None, old[a:a_end], new[b:b_end], autojunk=False)
            for block in matcher.get_matching_blocks():
                pairs += [(a + block.a + n, b + block.b + n) for n in range(block.size)]
    return sorted(pairs)


def _anchors(
    old: Sequence[str], new: Sequence[str], within: tuple[int, int], and_within: tuple[int, int]
) -> list[tuple[int, int]]:
    """Find the longest ordered run of keys that occur exactly once on each side."""
    once = {k for k, n in Counter(old[slice(*within)]).items() if n == 1}
    once &= {k for k, n in Counter(new[slice(*and_within)]).items() if n == 1}
    place = {new[j]: j for j in range(*and_within) if new[j] in once}
    both = [(i, place[old[i]]) for i in range(*within) if old[i] in once]
    ends: list[int] = []  # smallest last position of a run of each length
    last: list[int] = []  # the pair at that position
    before: list[int] = []
    for n, (_i, j) in enumerate(both):
        length = bisect_left(ends, j)
        before.append(last[length - 1] if length else -1)
        if length == len(ends):
            ends.append(j)
            last.append(n)
        else:
            ends[length], last[length] = j, n
    run: list[tuple[int, int]] = []
    n = last[-1] if last else -1
    while n >= 0:
        run.append(both[n])
        n = before[n]
    return run[::-1]


ENDLESS = 2**62  # beyond any floor


@dataclass(frozen=True, slots=True)
class Run:
    """Old floors ``first``..``last``, both included, moved by ``delta``."""

    first: int
    last: int
    delta: int


@dataclass(frozen=True, slots=True)
class FloorMap:
    """Maps old floors to new ones, in runs of floors that moved together.

    Floors in no run were removed. The last run reaches beyond any floor.
    """

    runs: tuple[Run, ...]

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[int, int]], old: int, new: int) -> Self:
        """Make the map from (old, new) floors; ``old`` and ``new`` are the numbers of messages."""
        runs: list[Run] = []
        for before, after in [*pairs, (old, new)]:
            end = ENDLESS if before == old else before
            if runs and runs[-1].last == before - 1 and runs[-1].delta == after - before:
                runs[-1] = Run(runs[-1].first, end, after - before)
            else:
                runs.append(Run(before, end, after - before))
        return cls(tuple(runs))

    @property
    def is_identity(self) -> bool:
        return self.runs == (Run(0, ENDLESS, 0),)

    @property
    def first_moved(self) -> int:
        """The first floor that was removed or moved."""
        head = self.runs[0]
        return head.last + 1 if head.first == 0 and head.delta == 0 else 0

    def last_up_to(self, floor: int) -> int:
        """Return the new floor of the last remaining message up to ``floor``; -1 if none is."""
        n = bisect_right(self.runs, floor, key=lambda run: run.first) - 1
        return min(floor, self.runs[n].last) + self.runs[n].delta if n >= 0 else -1

    def image(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return the new ranges (first, last) of the remaining floors of an old range, in order."""
        begin = bisect_left(self.runs, first, key=lambda run: run.last)
        end = bisect_right(self.runs, last, key=lambda run: run.first)
        return [
            (max(first, r.first) + r.delta, min(last, r.last) + r.delta)
            for r in self.runs[begin:end]
        ]

    def up_to(self, limit: int) -> Self:
        """Return the map for a branch forked after floor ``limit``; later floors are its own."""
        runs = [Run(r.first, min(r.last, limit), r.delta) for r in self.runs if r.first <= limit]
        delta = self.last_up_to(limit) - limit
        if runs and runs[-1].last == limit and runs[-1].delta == delta:
            runs[-1] = Run(runs[-1].first, ENDLESS, delta)
        else:
            runs.append(Run(limit + 1, ENDLESS, delta))
        return type(self)(tuple(runs))


@dataclass(frozen=True, slots=True)
class Saying:
    """A text and its speaker."""

    name: str
    role: Role
    text: str


def renamed_speakers(old: Iterable[Saying], new: Iterable[Saying]) -> Mapping[str, str]:
    """Return the speakers who have another name in the new copy, by texts that both hold once.

    A character that is renamed "in past chats", or a persona that is synced, changes the name on
    every message and nothing else; memories of them stay true. A name counts as changed if most of
    its texts have the same other name.
    """
    before, after = _names_by_text(old), _names_by_text(new)
    votes: dict[str, Counter[str]] = {}
    for said, name in before.items():
        if said in after:
            votes.setdefault(name, Counter())[after[said]] += 1
    renamed: dict[str, str] = {}
    for name, names in votes.items():
        new_name, count = names.most_common(1)[0]
        if new_name != name and 2 * count > names.total():
            renamed[name] = new_name
    return renamed


def _names_by_text(sayings: Iterable[Saying]) -> dict[tuple[Role, str], str]:
    names: dict[tuple[Role, str], str] = {}
    repeated: set[tuple[Role, str]] = set()
    for saying in sayings:
        said = (saying.role, saying.text)
        if said in names:
            repeated.add(said)
        names[said] = saying.name
    return {said: name for said, name in names.items() if said not in repeated}
