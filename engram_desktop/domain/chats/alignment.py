"""What changed between two tellings of a story, given a key for every message.

Equal keys are matched first: the common beginning and end, then messages that occur once in both
(the longest run of them that keeps its order), then, in what little is left, difflib's blocks. So
the cost stays near that of sorting, 100,000 messages included. What lies between two matches is
rewritten: same number of messages on both sides means that each was edited where it stands. A
message that stands elsewhere now was moved: same key, said at the same moment, once on either side.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from engram_desktop.domain.values import dataclass

SMALL = 40_000  # cells of a gap that difflib may look at: some milliseconds


@dataclass(frozen=True, slots=True)
class Script:
    """How to make the new telling of the old one.

    ``pairs`` are (old, new) positions of messages that stay, in order, with equal keys or, where
    ``edited`` or ``renamed``, other ones; ``moved`` are pairs that are out of order. Old positions
    in none of them are gone, new ones in none are inserted.
    """

    pairs: tuple[tuple[int, int], ...]
    edited: frozenset[int]  # old positions
    renamed: frozenset[int] = frozenset()  # old positions: the same words, another speaker
    moved: tuple[tuple[int, int], ...] = ()

    @property
    def staying(self) -> tuple[tuple[int, int], ...]:
        """Every pair, those out of order last."""
        return self.pairs + self.moved


def align(
    old: Sequence[str],
    new: Sequence[str],
    old_speakers: Sequence[str],
    new_speakers: Sequence[str],
    moments: tuple[Sequence[int | None], Sequence[int | None]] | None = None,
) -> Script:
    """Find a small change from ``old`` to ``new``.

    Speakers decide who was edited where a stretch of messages became another of another length.
    ``moments`` say when each was said, of old and new; without them nothing was moved.
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
    return Script(tuple(pairs), frozenset(edited), moved=moved)


def equal_pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Match equal keys of ``old`` and ``new``, in order: (old, new) positions."""
    return _matches(old, new, 0, len(old), 0, len(new))


def _moved(
    old: Sequence[str],
    new: Sequence[str],
    equal: Sequence[tuple[int, int]],
    moments: tuple[Sequence[int | None], Sequence[int | None]],
) -> tuple[tuple[int, int], ...]:
    """Find what was taken out at one place and put in at another, each once."""
    if len(equal) in (len(old), len(new)):
        return ()
    matched, also = {i for i, _j in equal}, {j for _i, j in equal}
    gone = _single((old[i], moments[0][i], i) for i in range(len(old)) if i not in matched)
    come = _single((new[j], moments[1][j], j) for j in range(len(new)) if j not in also)
    return tuple(sorted((gone[what], come[what]) for what in gone.keys() & come.keys()))


def _single(rows: Iterable[tuple[str, int | None, int]]) -> dict[tuple[str, int | None], int]:
    """Positions by key and moment, of those that occur once."""
    places: dict[tuple[str, int | None], list[int]] = {}
    for key, moment, place in rows:
        places.setdefault((key, moment), []).append(place)
    return {what: at[0] for what, at in places.items() if len(at) == 1}


def _rewritten(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pair the messages of a stretch in which no text is what it was."""
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
    work = [(a, a_end, b, b_end)]  # a stack, not recursion: a story may be cut in many places
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
    """Find the longest ordered run of keys that occur exactly once on either side."""
    once = {k for k, n in Counter(old[slice(*within)]).items() if n == 1}
    once &= {k for k, n in Counter(new[slice(*and_within)]).items() if n == 1}
    place = {new[j]: j for j in range(*and_within) if new[j] in once}
    both = [(i, place[old[i]]) for i in range(*within) if old[i] in once]
    ends: list[int] = []  # smallest last position of a run of each length
    last: list[int] = []  # which pair that is
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
