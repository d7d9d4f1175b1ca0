"""Of entries in the same inclusion group only one fires: which one, and why the others lost.

As SillyTavern does it, to the letter: an entry that lost in one group still competes in the next,
and where it loses, or is to be taken out, a second time, the last entry of all goes in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from random import Random

from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import Entry, Logic

_MAX_INDEX = 2**32 - 2  # what JavaScript lists before all other names, in ascending order
RivalKey = tuple[str, int | str]


@dataclass(frozen=True, slots=True)
class Loss:
    """Who lost, in which group, to whom, and by what: present, score, priority, chance or slip."""

    group: str
    winner: str
    by: str


@dataclass(frozen=True, slots=True)
class Rival:
    """One entry that wants to fire. ``matches`` says how often its keys are mentioned."""

    key: RivalKey
    entry: Entry
    is_sticky: bool
    matches: Callable[[], tuple[int, int]]  # of its keys, of its secondary keys
    is_resting: bool = False


class _Field:
    """Those who are left, in order, and why the others are not."""

    def __init__(self, rivals: Iterable[Rival]) -> None:
        self.left = {rival.key: rival for rival in rivals}
        self.losses: dict[RivalKey, Loss] = {}

    def remove(self, rivals: Iterable[Rival], group: str, winner: str, by: str) -> None:
        for rival in rivals:
            if rival.key in self.left:
                del self.left[rival.key]
                self.losses[rival.key] = Loss(group, winner, by)
            elif self.left:
                key, _last = self.left.popitem()
                self.losses[key] = Loss(group, rival.entry.title, "slip")


def settle(
    rivals: Sequence[Rival], fired: Collection[Entry], *, use_scoring: bool, chance: Random
) -> dict[RivalKey, Loss]:
    """Return the losers. ``rivals`` are all that want to fire, in order, in groups or not."""
    groups: dict[str, list[Rival]] = {}
    for rival in rivals:
        for name in rival.entry.groups:
            groups.setdefault(name, []).append(rival)
    if not groups:
        return {}
    field = _Field(rivals)
    names = sorted(groups, key=_place)
    stuck = {name for name in names if _keep_sticky(name, groups[name], field)}
    for name in names:
        if name not in stuck:
            _outscore(name, groups[name], field, use_scoring=use_scoring)
    present = {entry.group: entry for entry in reversed(list(fired)) if entry.group}
    for name in names:
        if name not in stuck:
            _choose(name, groups[name], present.get(name), field, chance)
    return field.losses


def _place(name: str) -> tuple[bool, int]:
    """Where JavaScript lists a name: numbers first, the others as they came."""
    is_number = name.isascii() and name.isdecimal() and len(name) < 11 and str(int(name)) == name
    return (False, int(name)) if is_number and int(name) <= _MAX_INDEX else (True, 0)


def _keep_sticky(name: str, group: list[Rival], field: _Field) -> bool:
    """Leave only those that stay, if any does; say whether it does. Who rests goes, even so."""
    sticky = [rival for rival in group if rival.is_sticky]
    if sticky:
        losers = [rival for rival in group if not rival.is_sticky]
        field.remove(losers, name, sticky[0].entry.title, "sticky")
    resting = [rival for rival in group if rival.is_resting]
    for rival in resting:
        field.remove([rival], name, rival.entry.title, "rests")
    return bool(sticky)


def _outscore(name: str, group: list[Rival], field: _Field, *, use_scoring: bool) -> None:
    """Take out entries whose keys are mentioned less often than those of the best one."""
    if not use_scoring and not any(rival.entry.use_group_scoring for rival in group):
        return
    scores = {rival.key: _score(rival) for rival in group}
    best = max(group, key=lambda rival: scores[rival.key])
    losers = [
        rival
        for rival in group
        if scores[rival.key] < scores[best.key] and _is_scored(rival.entry, use_scoring=use_scoring)
    ]
    field.remove(losers, name, best.entry.title, "score")
    out = {rival.key for rival in losers}
    group[:] = [rival for rival in group if rival.key not in out]


def _is_scored(entry: Entry, *, use_scoring: bool) -> bool:
    return use_scoring if entry.use_group_scoring is None else entry.use_group_scoring


def _choose(
    name: str, group: list[Rival], present: Entry | None, field: _Field, chance: Random
) -> None:
    if present is not None:
        field.remove(group, name, present.title, "present")
        return
    if len(group) <= 1:
        return
    first = [rival for rival in group if rival.entry.group_override]
    winner = max(first, key=lambda r: r.entry.order) if first else _draw(group, chance)
    losers = [rival for rival in group if rival.key != winner.key]
    field.remove(losers, name, winner.entry.title, "priority" if first else "chance")


def _score(rival: Rival) -> int:
    """Count the keys that are mentioned; negative logic adds nothing."""
    entry = rival.entry
    if not entry.keys:
        return 0
    first, second = rival.matches()
    if entry.secondary_keys and entry.logic is Logic.AND_ANY:
        return first + second
    if entry.secondary_keys and entry.logic is Logic.AND_ALL:
        return first + (second if second == len(entry.secondary_keys) else 0)
    return first


def _draw(group: list[Rival], chance: Random) -> Rival:
    """Draw one by weight."""
    roll = chance.random() * sum(max(0.0, rival.entry.group_weight) for rival in group)
    passed = 0.0
    for rival in group:
        passed += max(0.0, rival.entry.group_weight)
        if roll <= passed:
            return rival
    return group[-1]
