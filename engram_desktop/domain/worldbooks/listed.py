"""Entries in a list: their order, and their share of the budget."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, get_args

from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.activation import Activation
from engram_desktop.domain.worldbooks.worldbook import Entry, Worldbook

# The share of entries in SillyTavern's budget, and the entries without room.


@dataclass(frozen=True, slots=True)
class Budget:
    """``size``: tokens of the budget. The others are for the next reply and all worldbooks in use.

    ``constant`` is the share of entries that are always on and limited; ``fallen`` are titles of
    the entries that would fire but have no room, those of the shown worldbook first.
    """

    size: int
    used: int = 0
    of_worldbook: int = 0
    constant: int = 0
    fallen: tuple[str, ...] = ()

    @property
    def is_overfull(self) -> bool:
        """Whether the entries that are always on leave no room for others, or for themselves."""
        return self.constant >= self.size


def budget_of(size: int, worldbook: Worldbook) -> Budget:
    """Return the budget of a worldbook without a chat."""
    return Budget(size, constant=constant_tokens(worldbook.entries))


def budget_in(activation: Activation, name: str) -> Budget:
    """Return the budget of a scan; ``name`` is the worldbook shown."""
    outcomes = activation.outcomes
    fallen = [o for o in outcomes if o.reason.why == "budget"]
    fallen.sort(key=lambda outcome: outcome.key[0] != name)
    return Budget(
        activation.budget,
        sum(o.tokens for o in outcomes if o.has_fired and not o.entry.ignore_budget),
        sum(o.tokens for o in outcomes if o.has_fired and o.key[0] == name),
        constant_tokens(outcome.entry for outcome in outcomes),
        tuple(outcome.entry.title for outcome in fallen),
    )


def constant_tokens(entries: Iterable[Entry]) -> int:
    """Return the tokens of entries that are always on and limited by the budget."""
    on = (e for e in entries if e.is_constant and not e.is_disabled and not e.ignore_budget)
    return sum(entry.tokens for entry in on)


# The order of entries in a list, and the ``order`` values that make SillyTavern use it. A higher
# position has a higher order: it is checked first, and is nearer to the chat. At equal orders the
# lower number comes first, as in a scan.


EntrySort = Literal["file", "title", "tokens", "depth", "order", "uid"]
ENTRY_SORTS: tuple[EntrySort, ...] = get_args(EntrySort)
FIRST_ORDER = 100  # of the uppermost entry, by default: SillyTavern's own
Uid = int | str


def by_sort(
    entries: Iterable[Entry], sort: EntrySort, tokens: Mapping[Uid, int], *, is_reversed: bool
) -> list[Entry]:
    """Sort entries; equal ones keep the order of the file."""
    rows = list(entries)
    match sort:
        case "title":
            rows.sort(key=lambda e: e.title.casefold())
        case "tokens":
            rows.sort(key=lambda e: -tokens.get(e.uid, 0))
        case "depth":
            rows.sort(key=lambda e: e.depth)
        case "order":
            rows.sort(key=_rank)
        case "uid":
            rows.sort(key=_number)
    return rows[::-1] if is_reversed else rows


def applied(entries: Sequence[Entry], first: int) -> dict[Uid, int]:
    """Return the order values for the sequence ``entries``, where they differ."""
    wanted = {entry.uid: first - n for n, entry in enumerate(entries)}
    return {entry.uid: wanted[entry.uid] for entry in entries if entry.order != wanted[entry.uid]}


def moved(entries: Sequence[Entry], uids: Collection[Uid], before: Uid | None) -> dict[Uid, float]:
    """Return the order values that move ``uids`` before ``before``, None for the end.

    ``entries`` are sorted by order. Moved entries get the lowest possible order; entries above are
    raised only as far as needed.
    """
    taken = [entry for entry in entries if entry.uid in uids]
    rest = [entry for entry in entries if entry.uid not in uids]
    at = next((n for n, entry in enumerate(rest) if entry.uid == before), len(rest))
    if not taken:
        return {}
    if at == len(rest):
        return dict(_below(taken, rest[-1] if rest else None))
    return dict(_above(taken, rest[:at], rest[at]))


def _above(taken: list[Entry], above: list[Entry], below: Entry) -> Iterator[tuple[Uid, float]]:
    under, under_order = below, below.order
    for entry in reversed(taken):
        under_order = under_order if _number(entry) < _number(under) else under_order + 1
        under = entry
        if under_order != entry.order:
            yield entry.uid, under_order
    for entry in reversed(above):
        least = under_order if _number(entry) < _number(under) else under_order + 1
        if entry.order >= least:
            return
        under, under_order = entry, least
        yield entry.uid, least


def _below(taken: list[Entry], above: Entry | None) -> Iterator[tuple[Uid, float]]:
    over, over_order = above, above.order if above else taken[0].order
    for entry in taken:
        if over is not None:
            most = over_order if _number(over) < _number(entry) else over_order - 1
            over_order = min(entry.order, most)
        else:
            over_order = entry.order
        over = entry
        if over_order != entry.order:
            yield entry.uid, over_order


def _rank(entry: Entry) -> tuple[float, tuple[bool, int]]:
    return -entry.order, _number(entry)


def _number(entry: Entry) -> tuple[bool, int]:
    """Return the sort key of a number: before other names, as in JavaScript."""
    is_name = not isinstance(entry.uid, int)
    return is_name, entry.uid if isinstance(entry.uid, int) else 0
