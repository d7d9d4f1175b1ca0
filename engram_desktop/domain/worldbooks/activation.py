"""Which entries of worldbooks join a prompt, and for each of them why or why not.

The rules are SillyTavern's, in its order: modes and filters, timed effects, recursion, decorators,
keys, groups, chance, budget. Pure: chance comes from a seed, meaning and patterns from callables.

`Judge` decides whether one entry wants to fire in one round of a scan, and why: the first rule that
applies decides. `losers_of` picks one of the entries with the same inclusion group, exactly as
SillyTavern does: an entry that lost in one group still competes in the next, and if it is to be
removed a second time, the last entry of all is removed instead.

Decorators are lines at the beginning of an entry's content that start with @@. A line with @@@
replaces the one before it if that is an unknown decorator. As in SillyTavern a decorator counts
only if its line has nothing else, blanks included, and content of decorators alone is text as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from random import Random
from typing import Literal

from engram_desktop.domain.text.tokens import token_weight, whole_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.scan import (
    Key,
    KeyIndex,
    PatternTest,
    Reason,
    Scanner,
    ScanRules,
    ScanText,
    Speaker,
    Timers,
    Why,
    pattern,
    refusal,
)
from engram_desktop.domain.worldbooks.worldbook import Entry, Logic, Trigger

KNOWN = ("@@activate", "@@dont_activate")


def split_decorators(content: str) -> tuple[frozenset[str], str]:
    """Return the decorators that count, and the content without any such lines."""
    if not content.startswith("@@"):
        return frozenset(), content
    orders: set[str] = set()
    lines = content.split("\n")
    is_unknown = False  # whether the next line may replace this one
    for number, line in enumerate(lines):
        if not line.startswith("@@"):
            return frozenset(orders), "\n".join(lines[number:])
        if line.startswith("@@@") and not is_unknown:
            continue
        order = line[1:] if line.startswith("@@@") else line
        is_known = order.startswith(KNOWN)
        if is_known:
            orders.add(order)
        is_unknown = not is_known
    return frozenset(orders), content


_MAX_INDEX = 2**32 - 2  # JavaScript lists numbers up to this first, in ascending order
RivalKey = tuple[str, int | str]


@dataclass(frozen=True, slots=True)
class Loss:
    """The group and the winner of a lost competition, and the rule: present, score, priority…."""

    group: str
    winner: str
    by: str


@dataclass(frozen=True, slots=True)
class Rival:
    """One entry that wants to fire. ``matches`` returns how often its keys are mentioned."""

    key: RivalKey
    entry: Entry
    is_sticky: bool
    matches: Callable[[], tuple[int, int]]  # of its keys, of its secondary keys
    is_resting: bool = False


class _Field:
    """The remaining entries, in order, and the losers with their reasons."""

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


def losers_of(
    rivals: Sequence[Rival], fired: Collection[Entry], *, use_scoring: bool, chance: Random
) -> dict[RivalKey, Loss]:
    """Return the losers. ``rivals`` are all entries that want to fire, in order."""
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
    """Return the position in which JavaScript lists a name: numbers first, then by insertion."""
    is_number = name.isascii() and name.isdecimal() and len(name) < 11 and str(int(name)) == name
    return (False, int(name)) if is_number and int(name) <= _MAX_INDEX else (True, 0)


def _keep_sticky(name: str, group: list[Rival], field: _Field) -> bool:
    """Keep only sticky entries, if there are any; returns whether. Resting ones are removed."""
    sticky = [rival for rival in group if rival.is_sticky]
    if sticky:
        losers = [rival for rival in group if not rival.is_sticky]
        field.remove(losers, name, sticky[0].entry.title, "sticky")
    resting = [rival for rival in group if rival.is_resting]
    for rival in resting:
        field.remove([rival], name, rival.entry.title, "rests")
    return bool(sticky)


def _outscore(name: str, group: list[Rival], field: _Field, *, use_scoring: bool) -> None:
    """Remove entries with fewer key matches than the best one."""
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
    """Return the number of key matches; negative logic adds nothing."""
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
    """Draw one entry by weight."""
    roll = chance.random() * sum(max(0.0, rival.entry.group_weight) for rival in group)
    passed = 0.0
    for rival in group:
        passed += max(0.0, rival.entry.group_weight)
        if roll <= passed:
            return rival
    return group[-1]


# The first round; one that reads fired entries; one that reads further back to fire more.
RoundState = Literal["first", "recursion", "deeper", "done"]
FINAL: frozenset[Why] = frozenset({"disabled", "trigger", "character"})  # no later round differs


@dataclass(frozen=True, slots=True)
class ScanTexts:
    """The texts that entries are compared with.

    ``meaning`` is the similarity of entries that fire by it; None: not used. ``unfilled`` are
    entries whose keys have macros, before these were filled.
    """

    text: ScanText
    speaker: Speaker = field(default_factory=Speaker)
    trigger: Trigger = "normal"
    timers: Timers = field(default_factory=Timers)
    meaning: Mapping[Key, float] | None = None
    unfilled: Mapping[Key, Entry] = field(default_factory=dict)
    is_in: PatternTest | None = None
    before: int = 0  # messages of the chat that are not among the texts, without hidden ones

    @property
    def messages(self) -> int:
        """The number of messages of the chat."""
        return self.before + len(self.text.messages)


class Judge:
    """The rules of one scan. ``level`` is the current level of recursion."""

    def __init__(
        self,
        scene: ScanTexts,
        scanner: Scanner,
        timers: Timers,
        decorators: Mapping[Key, frozenset[str]],
        *,
        is_recursive: bool,
    ) -> None:
        self.level = 0
        self._scene = scene
        self._scanner = scanner
        self._timers = timers
        self._decorators = decorators
        self._is_recursive = is_recursive

    def reason(self, key: Key, entry: Entry, state: RoundState, before: Reason | None) -> Reason:
        """Return why an entry fires or not; ``before`` is the reason of the previous round."""
        return (
            self._never(entry)
            or self._timing(key, entry)
            or self._recursion(key, entry, state, before)
            or self._always(key, entry)
            or self._by_keys(entry, state)
        )

    def _never(self, entry: Entry) -> Reason | None:
        if entry.is_disabled:
            return Reason("disabled")
        if entry.triggers and self._scene.trigger not in entry.triggers:
            return Reason("trigger", trigger=self._scene.trigger)
        if entry.character_filter:
            return refusal(entry.character_filter, self._scene.speaker)
        return None

    def _timing(self, key: Key, entry: Entry) -> Reason | None:
        if entry.delay and self._scene.messages < entry.delay:
            return Reason("delay", count=entry.delay)
        if key in self._timers.cooldown and key not in self._timers.sticky:
            left = self._timers.cooldown[key].end - self._scene.messages
            return Reason("cooldown", count=left)
        return None

    def _recursion(
        self, key: Key, entry: Entry, state: RoundState, before: Reason | None
    ) -> Reason | None:
        if key in self._timers.sticky:
            return None
        level = entry.delay_until_recursion
        if level and (state != "recursion" or level > self.level):
            return Reason("waits", level=level)
        if state == "recursion" and self._is_recursive and entry.exclude_recursion:
            return before
        return None

    def _always(self, key: Key, entry: Entry) -> Reason | None:
        decorators = self._decorators.get(key, ())
        if "@@activate" in decorators:
            return Reason("decorator")
        if "@@dont_activate" in decorators:
            return Reason("forbidden")
        if self._scene.meaning and key in self._scene.meaning:
            return Reason("meaning", score=self._scene.meaning[key])
        if entry.is_constant:
            return Reason("constant")
        if key in self._timers.sticky:
            left = self._timers.sticky[key].end - self._scene.messages
            return Reason("sticky", count=left)
        return None

    def _by_keys(self, entry: Entry, state: RoundState) -> Reason:
        is_unasked = entry.is_vectorized and self._scene.meaning is None
        if not entry.keys:
            return Reason("meaning_off" if is_unasked else "no_key")
        # while reading further back, fired entries are not read again
        scanner, with_entries = self._scanner, state != "deeper"
        mention = next(
            filter(None, (scanner.find(k, entry, with_entries=with_entries) for k in entry.keys)),
            None,
        )
        if mention is None:
            return Reason("meaning_off") if is_unasked else self._no_mention(entry)
        if not entry.is_selective or not entry.secondary_keys:
            return Reason("key", mention=mention)
        presence = [
            scanner.find(key, entry, with_entries=with_entries) is not None
            for key in entry.secondary_keys
        ]
        if _holds(entry.logic, presence):
            return Reason("keys", mention=mention, logic=entry.logic)
        return Reason("secondary", mention=mention, logic=entry.logic)

    def _no_mention(self, entry: Entry) -> Reason:
        for key in entry.keys:
            key_pattern = pattern(key)
            if key_pattern and self._scene.is_in is None:
                return Reason("pattern", detail="")
            if key_pattern and (trouble := self._scanner.trouble_of(key_pattern)):
                return Reason("pattern", detail=trouble)
        is_own = entry.scan_depth is not None
        depth = entry.scan_depth if is_own else self._scanner.depth
        return Reason("no_mention", depth=min(depth or 0, self._scene.messages))


def _holds(logic: Logic, presence: Collection[bool]) -> bool:
    match logic:
        case Logic.AND_ANY:
            return any(presence)
        case Logic.NOT_ALL:
            return not all(presence)
        case Logic.NOT_ANY:
            return not any(presence)
        case Logic.AND_ALL:
            return all(presence)


MAX_ROUNDS = 1_000  # no worldbook needs as many; a safeguard
_TICK = 256  # entries between two checks for a cancel


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of a scan; the defaults are SillyTavern's."""

    rules: ScanRules = field(default_factory=ScanRules)
    is_recursive: bool = False
    max_steps: int = 0  # of recursion; 0 is no limit
    use_group_scoring: bool = False
    budget: int = 4_096  # tokens
    min_activations: int = 0
    max_depth: int = 0  # messages to read for it at most; 0 is all
    ranks: Mapping[str, int] = field(default_factory=dict)  # of worldbooks: lower is earlier
    places: Mapping[str, int] = field(default_factory=dict)  # of worldbooks: decides ties
    weigh: Callable[[str], float] = token_weight  # of lines, in tokens before rounding


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one entry. ``place`` is the order of fired ones in the prompt."""

    key: Key
    entry: Entry
    has_fired: bool
    reason: Reason
    tokens: int
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Activation:
    """The result of a scan. ``timers`` are the starting point of the next one."""

    outcomes: tuple[Outcome, ...]
    tokens: int
    budget: int
    rounds: int
    timers: Timers

    @property
    def fired(self) -> list[Outcome]:
        """The fired entries in prompt order: a higher order is nearer to the chat."""
        outcomes = [outcome for outcome in self.outcomes if outcome.place is not None]
        return sorted(outcomes, key=lambda outcome: outcome.place or 0)


def activate(
    entries: Sequence[tuple[Key, Entry]],
    scene: ScanTexts,
    options: Options,
    seed: int = 0,
    index: KeyIndex | None = None,
    chance: Random | None = None,
) -> Activation:
    """Run one scan. ``index`` is for these entries and rules, if several scans share one.

    ``chance`` replaces the random generator of ``seed``.
    """
    shared = index or KeyIndex((entry for _key, entry in entries), options.rules)
    rolls = chance or Random(seed)  # noqa: S311 - a game
    return _Run(entries, scene, options, shared, rolls).result()


class _Run:
    """One scan in progress."""

    def __init__(
        self,
        entries: Sequence[tuple[Key, Entry]],
        scene: ScanTexts,
        options: Options,
        index: KeyIndex,
        chance: Random,
    ) -> None:
        self._options = options
        self._decorators: dict[Key, frozenset[str]] = {}
        bare = [(key, self._without_decorators(key, entry)) for key, entry in entries]
        self._sorted = sorted(bare, key=self._first_to_last)
        self._scene = scene
        self._chance = chance
        self._tick = index.tick
        self._timers = scene.timers.at(scene.messages, dict(bare))
        able = [entry for _key, entry in bare if not entry.is_disabled]
        self._scanner = Scanner(able, scene.text, index, scene.is_in)
        self._judge = Judge(
            scene, self._scanner, self._timers, self._decorators, is_recursive=options.is_recursive
        )
        self._why: dict[Key, Reason] = {}
        self._losses: dict[Key, Reason] = {}
        self._fired: dict[Key, Entry] = {}
        self._settled: set[Key] = set()  # no later round can change them
        self._weight = 0.0  # of entries that are read again; others are free in later rounds
        self._is_full = False
        # including disabled entries, whose levels open rounds too
        levels = sorted({e.delay_until_recursion for _key, e in bare if e.delay_until_recursion})
        self._judge.level = levels.pop(0) if levels else 0
        self._levels = levels

    def _without_decorators(self, key: Key, entry: Entry) -> Entry:
        """Return the entry without the decorators at its beginning, which are recorded."""
        decorators, content = split_decorators(entry.content)
        if decorators:
            self._decorators[key] = decorators
        return entry if content == entry.content else replace(entry, content=content)

    def _first_to_last(self, pair: tuple[Key, Entry]) -> tuple[int, float, int, bool, int]:
        """Return the order of checking entries: JavaScript lists numbers before other names."""
        (worldbook, uid), entry = pair
        ranks, places = self._options.ranks, self._options.places
        number = uid if isinstance(uid, int) else 0
        is_name = not isinstance(uid, int)
        return ranks.get(worldbook, 0), -entry.order, places.get(worldbook, 0), is_name, number

    def result(self) -> Activation:
        rounds = 0
        state: RoundState = "first"
        while state != "done" and rounds < MAX_ROUNDS:
            if self._options.max_steps and rounds >= self._options.max_steps:
                break
            rounds += 1
            state = self._next(self._round(state), state)
        timers = self._timers.after(self._scene.messages, self._fired.items())
        tokens = sum(entry.tokens for entry in self._fired.values())
        return Activation(tuple(self._outcomes()), tokens, self._options.budget, rounds, timers)

    def _outcomes(self) -> Iterator[Outcome]:
        # at equal order, later ones come first: each is put before the others
        order = sorted(self._fired, key=lambda key: -self._fired[key].order)
        place = {key: n for n, key in enumerate(reversed(order))}
        for key, entry in self._sorted:
            reason = self._why[key] if key in self._why else Reason("no_key")
            yield Outcome(key, entry, key in self._fired, reason, entry.tokens, place.get(key))

    def _round(self, state: RoundState) -> list[tuple[Key, Entry]]:
        """Judge every open entry once; returns those that fire in this round."""
        candidates = []
        for number, (key, entry) in enumerate(self._sorted):
            if number % _TICK == 0:
                self._tick()
            if key in self._fired or key in self._settled:
                continue
            reason = self._judge.reason(key, entry, state, self._why.get(key))
            self._why[key] = reason
            if reason.why in FINAL:
                self._settled.add(key)
            if reason.fires:
                candidates.append((key, entry))
        meant = self._scene.meaning or {}
        sticky = self._timers.sticky
        candidates.sort(key=lambda pair: (pair[0] not in sticky, pair[0] not in meant))
        self._settle_groups(candidates, state)
        return self._admit([pair for pair in candidates if self._why[pair[0]].fires])

    def _next(self, now: list[tuple[Key, Entry]], state: RoundState) -> RoundState:
        """Return the next round; the entries that passed ``now`` are added to its texts."""
        options, scanner = self._options, self._scanner
        spreading = [entry for _key, entry in now if not entry.prevent_recursion]
        following: RoundState = "done"
        has_news = spreading or (state == "deeper" and scanner.has_entries)
        if options.is_recursive and not self._is_full and has_news:
            following = "recursion"
        is_short = len(self._fired) < options.min_activations
        if following == "done" and is_short and not self._is_full:
            is_deep = options.max_depth and scanner.depth > options.max_depth
            if not is_deep and not scanner.is_exhausted:
                following = "deeper"
                scanner.skew += 1
        if following == "done" and self._levels:
            following = "recursion"
            self._judge.level = self._levels.pop(0)
        if following != "done":
            scanner.add(spreading)
            self._weight += sum(options.weigh(f"{entry.content}\n") for entry in spreading)
        return following

    def _settle_groups(self, candidates: list[tuple[Key, Entry]], state: RoundState) -> None:
        def counted(key: Key, entry: Entry) -> tuple[int, int]:
            raw = self._scene.unfilled.get(key, entry)
            has, with_entries = self._scanner.has_as_it_is, state != "deeper"
            first = sum(has(k, entry, with_entries=with_entries) for k in raw.keys)
            second = sum(has(k, entry, with_entries=with_entries) for k in raw.secondary_keys)
            return first, second

        timers = self._timers
        rivals = [
            Rival(k, e, k in timers.sticky, partial(counted, k, e), is_resting=k in timers.cooldown)
            for k, e in candidates
        ]
        losses = losers_of(
            rivals,
            self._fired.values(),
            use_scoring=self._options.use_group_scoring,
            chance=self._chance,
        )
        for key, loss in losses.items():
            reason = Reason("group", group=loss.group, winner=loss.winner, by=loss.by)
            self._why[key] = self._losses.setdefault(key, reason)  # its first loss tells most

    def _admit(self, candidates: list[tuple[Key, Entry]]) -> list[tuple[Key, Entry]]:
        """Apply chance and budget to entries about to fire; returns those that passed chance.

        As in SillyTavern these are more than the fired ones: entries beyond the budget are read in
        rounds that levels open.
        """
        lucky = []
        weight, budget = 0.0, self._options.budget
        spent = whole_tokens(self._weight)
        for key, entry in candidates:
            if self._is_full and not entry.ignore_budget:
                self._why[key] = Reason("budget", tokens=entry.tokens, budget=budget)
                lucky.append((key, entry))
                continue
            if not self._is_lucky(key, entry):
                continue
            lucky.append((key, entry))
            weight += self._options.weigh(f"{entry.content}\n")
            if not entry.ignore_budget and spent + whole_tokens(weight) >= budget:
                self._is_full = True
                self._why[key] = Reason("budget", tokens=entry.tokens, budget=budget)
                continue
            self._fired[key] = entry
        return lucky

    def _is_lucky(self, key: Key, entry: Entry) -> bool:
        is_sure = not entry.use_probability or entry.probability == 100
        if is_sure or key in self._timers.sticky:
            return True
        roll = self._chance.random() * 100
        if roll <= entry.probability:
            return True
        self._why[key] = Reason("chance", roll=roll, probability=entry.probability)
        if key not in (self._scene.meaning or {}):  # entries that fire by meaning are rolled again
            self._settled.add(key)
        return False


__all__ = ["Activation", "Options", "Outcome", "Reason", "ScanTexts", "Why", "activate"]
