"""Which entries of worldbooks join a prompt, and for each of them why or why not.

The rules are SillyTavern's, in its order: modes and filters, timed effects, recursion, decorators,
keys, groups, chance, budget. Pure: chance comes from a seed, meaning and patterns from
callables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from random import Random

from engram_desktop.domain.text.tokens import token_weight, whole_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.decorators import split_decorators
from engram_desktop.domain.worldbooks.groups import Rival, settle
from engram_desktop.domain.worldbooks.index import KeyIndex, Rules
from engram_desktop.domain.worldbooks.judging import FINAL, Judge, RoundState, Scene
from engram_desktop.domain.worldbooks.reasons import Reason, Why
from engram_desktop.domain.worldbooks.scan import Scanner
from engram_desktop.domain.worldbooks.timing import Key, Timers
from engram_desktop.domain.worldbooks.worldbook import Entry

MAX_ROUNDS = 1_000  # no worldbook needs so many; a safeguard, not a rule
_TICK = 256  # entries between two looks at whether anybody still waits


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of a scan; the defaults are SillyTavern's."""

    rules: Rules = field(default_factory=Rules)
    is_recursive: bool = False
    max_steps: int = 0  # of recursion; 0 is no limit
    use_group_scoring: bool = False
    budget: int = 4_096  # tokens
    min_activations: int = 0
    max_depth: int = 0  # up to which messages are read for the sake of it; 0 is all
    ranks: Mapping[str, int] = field(default_factory=dict)  # of worldbooks: the lower the earlier
    places: Mapping[str, int] = field(default_factory=dict)  # of worldbooks: decides between equals
    weigh: Callable[[str], float] = token_weight  # of lines, in tokens that are not rounded yet


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one entry. ``place`` orders those that fired as the prompt has them."""

    key: Key
    entry: Entry
    has_fired: bool
    reason: Reason
    tokens: int
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Activation:
    """What a scan came to. ``timers`` are what the next one starts from."""

    outcomes: tuple[Outcome, ...]
    tokens: int
    budget: int
    rounds: int
    timers: Timers

    @property
    def fired(self) -> list[Outcome]:
        """Entries in the order of the prompt: of a higher order nearer to the chat."""
        outcomes = [outcome for outcome in self.outcomes if outcome.place is not None]
        return sorted(outcomes, key=lambda outcome: outcome.place or 0)


def activate(
    entries: Sequence[tuple[Key, Entry]],
    scene: Scene,
    options: Options,
    seed: int = 0,
    index: KeyIndex | None = None,
    chance: Random | None = None,
) -> Activation:
    """Run one scan. ``index`` is of these entries and rules, if several scans share one.

    ``chance`` is what is rolled with, in place of one that begins with ``seed``.
    """
    shared = index or KeyIndex((entry for _key, entry in entries), options.rules)
    rolls = chance or Random(seed)  # noqa: S311 - a game
    return _Run(entries, scene, options, shared, rolls).result()


class _Run:
    """One scan while it goes on."""

    def __init__(
        self,
        entries: Sequence[tuple[Key, Entry]],
        scene: Scene,
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
        self._settled: set[Key] = set()  # nothing that follows can change its fate
        self._weight = 0.0  # of what is read again; what is not is free in the rounds after
        self._is_full = False
        # of entries that are off too: their levels open rounds all the same
        levels = sorted({e.delay_until_recursion for _key, e in bare if e.delay_until_recursion})
        self._judge.level = levels.pop(0) if levels else 0
        self._levels = levels

    def _without_decorators(self, key: Key, entry: Entry) -> Entry:
        """Return the entry without the decorators its content begins with; they are noted."""
        decorators, content = split_decorators(entry.content)
        if decorators:
            self._decorators[key] = decorators
        return entry if content == entry.content else replace(entry, content=content)

    def _first_to_last(self, pair: tuple[Key, Entry]) -> tuple[int, float, int, bool, int]:
        """In which order entries are looked at: JavaScript lists numbers before other names."""
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
        # of the same order, what fired later stands before: each is put in front of the others
        order = sorted(self._fired, key=lambda key: -self._fired[key].order)
        place = {key: n for n, key in enumerate(reversed(order))}
        for key, entry in self._sorted:
            reason = self._why[key] if key in self._why else Reason("no_key")
            yield Outcome(key, entry, key in self._fired, reason, entry.tokens, place.get(key))

    def _round(self, state: RoundState) -> list[tuple[Key, Entry]]:
        """Judge every entry that is still open once; return those that fire in this round."""
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
        """Return which round follows; what was lucky ``now`` is added to what it reads."""
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
        losses = settle(
            rivals,
            self._fired.values(),
            use_scoring=self._options.use_group_scoring,
            chance=self._chance,
        )
        for key, loss in losses.items():
            reason = Reason("group", group=loss.group, winner=loss.winner, by=loss.by)
            self._why[key] = self._losses.setdefault(key, reason)  # how it lost first tells most

    def _admit(self, candidates: list[tuple[Key, Entry]]) -> list[tuple[Key, Entry]]:
        """Apply chance and budget to what is about to fire; return what was not out of luck.

        As in SillyTavern that is more than what fired: what is too much for the budget is read in
        rounds that levels open all the same.
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
        if key not in (self._scene.meaning or {}):  # what fires by meaning is rolled for again
            self._settled.add(key)
        return False


__all__ = ["Activation", "Options", "Outcome", "Reason", "Scene", "Why", "activate"]
