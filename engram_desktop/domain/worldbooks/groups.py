"""Of entries in the same inclusion group only one fires: which one, and why the others lost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from random import Random

from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import Entry, Logic


@dataclass(frozen=True, slots=True)
class Loss:
    """Who lost, in which group, to whom, and by what: present, score, priority or chance."""

    group: str
    winner: str
    by: str


@dataclass(frozen=True, slots=True)
class Rival:
    """One entry that wants to fire. ``matches`` says how often its keys are mentioned."""

    key: tuple[str, int | str]
    entry: Entry
    is_sticky: bool
    matches: Callable[[], tuple[int, int]]  # of its keys, of its secondary keys


def settle(
    rivals: Sequence[Rival], fired: Collection[Entry], *, use_scoring: bool, chance: Random
) -> dict[tuple[str, int | str], Loss]:
    """Return the losers of all groups."""
    groups: dict[str, list[Rival]] = {}
    for rival in rivals:
        for name in rival.entry.groups:
            groups.setdefault(name, []).append(rival)
    losses: dict[tuple[str, int | str], Loss] = {}
    present = {name: entry for entry in fired for name in entry.groups}
    for name, group in groups.items():
        left = [rival for rival in group if rival.key not in losses]
        results = _settle_one(name, left, present.get(name), chance, use_scoring=use_scoring)
        losses.update((loser.key, loss) for loser, loss in results)
    return losses


def _settle_one(
    name: str, group: list[Rival], present: Entry | None, chance: Random, *, use_scoring: bool
) -> list[tuple[Rival, Loss]]:
    sticky = [rival for rival in group if rival.is_sticky]
    if sticky:
        return _others(name, group, sticky, "sticky")
    losses = [] if present is not None else _outscored(name, group, use_scoring=use_scoring)
    out = {rival.key for rival, _loss in losses}
    left = [rival for rival in group if rival.key not in out]
    if present is not None:
        return [(rival, Loss(name, present.title, "present")) for rival in left]
    if len(left) <= 1:
        return losses
    first = [rival for rival in left if rival.entry.group_override]
    if first:
        best = max(first, key=lambda rival: rival.entry.order)
        return losses + _others(name, left, [best], "priority")
    return losses + _others(name, left, [_draw(left, chance)], "chance")


def _others(
    name: str, group: list[Rival], winners: list[Rival], by: str
) -> list[tuple[Rival, Loss]]:
    survivors = {rival.key for rival in winners}
    title = winners[0].entry.title
    return [(rival, Loss(name, title, by)) for rival in group if rival.key not in survivors]


def _outscored(name: str, group: list[Rival], *, use_scoring: bool) -> list[tuple[Rival, Loss]]:
    """Entries whose keys are mentioned less often than those of the best one."""
    scored = [
        rival
        for rival in group
        if (use_scoring if rival.entry.use_group_scoring is None else rival.entry.use_group_scoring)
    ]
    if not scored:
        return []
    scores = {rival.key: _score(rival) for rival in group}
    best = max(group, key=lambda rival: scores[rival.key])
    loss = Loss(name, best.entry.title, "score")
    return [(rival, loss) for rival in scored if scores[rival.key] < scores[best.key]]


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
