"""Which entries of world books join a prompt, and for each of them why or why not.

The rules are SillyTavern's, in its order: modes and filters, timed effects, recursion, decorators,
keys, groups, chance, budget. Pure: chance comes from a seed, meaning and patterns from
callables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from random import Random

from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.decorators import split_decorators
from engram_desktop.domain.worldbooks.groups import Rival, settle
from engram_desktop.domain.worldbooks.index import KeyIndex, Rules
from engram_desktop.domain.worldbooks.judging import FINAL, Judge, RoundState
from engram_desktop.domain.worldbooks.reasons import Reason, Why
from engram_desktop.domain.worldbooks.scan import Scanner
from engram_desktop.domain.worldbooks.scene import Scene
from engram_desktop.domain.worldbooks.timing import Key, Timers
from engram_desktop.domain.worldbooks.worldbook import Entry

MAX_ROUNDS = 1_000  # no book needs so many; a safeguard, not a rule
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
    ranks: Mapping[str, int] = field(default_factory=dict)  # of books: lower is looked at first


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
) -> Activation:
    """Run one scan. ``index`` is of these entries and rules, if several scans share one."""
    shared = index or KeyIndex((entry for _key, entry in entries), options.rules)
    return _Run(entries, scene, options, shared, Random(seed)).result()  # noqa: S311 - a game


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
        self._decorators: dict[Key, frozenset[str]] = {}
        bare = [(key, self._without_decorators(key, entry)) for key, entry in entries]
        ranks = options.ranks
        self._sorted = sorted(bare, key=lambda pair: (ranks.get(pair[0][0], 0), -pair[1].order))
        self._scene = scene
        self._options = options
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
        self._tokens = 0
        self._is_full = False
        levels = sorted({e.delay_until_recursion for e in able if e.delay_until_recursion > 0})
        self._judge.level = levels.pop(0) if levels else 0
        self._levels = levels

    def _without_decorators(self, key: Key, entry: Entry) -> Entry:
        """Return the entry without the decorators its content begins with; they are noted."""
        decorators, content = split_decorators(entry.content)
        if content == entry.content:
            return entry
        self._decorators[key] = decorators
        return replace(entry, content=content)

    def result(self) -> Activation:
        rounds = 0
        state: RoundState = "first"
        while state != "done" and rounds < MAX_ROUNDS:
            if self._options.max_steps and rounds >= self._options.max_steps:
                break
            rounds += 1
            state = self._next(self._round(state), state)
        timers = self._timers.after(self._scene.messages, self._fired.items())
        return Activation(
            tuple(self._outcomes()), self._tokens, self._options.budget, rounds, timers
        )

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
        candidates.sort(key=lambda pair: pair[0] not in self._timers.sticky)
        self._settle_groups(candidates, state)
        return [pair for pair in candidates if self._why[pair[0]].fires and self._admit(*pair)]

    def _next(self, now: list[tuple[Key, Entry]], state: RoundState) -> RoundState:
        """Return which round follows; entries that fired are added to what it reads."""
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
            for entry in spreading:
                scanner.add(entry.title, entry.content)
        return following

    def _settle_groups(self, candidates: list[tuple[Key, Entry]], state: RoundState) -> None:
        def counted(entry: Entry) -> tuple[int, int]:
            find, with_entries = self._scanner.find, state != "deeper"
            first = sum(find(k, entry, with_entries=with_entries) is not None for k in entry.keys)
            second = (find(k, entry, with_entries=with_entries) for k in entry.secondary_keys)
            return first, sum(mention is not None for mention in second)

        rivals = [
            Rival(key, entry, key in self._timers.sticky, partial(counted, entry))
            for key, entry in candidates
            if entry.groups
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

    def _admit(self, key: Key, entry: Entry) -> bool:
        """Apply chance and budget to an entry that is about to fire; return whether it fires."""
        if self._is_full and not entry.ignore_budget:
            self._why[key] = Reason("budget", tokens=entry.tokens, budget=self._options.budget)
            return False
        if entry.use_probability and entry.probability < 100 and key not in self._timers.sticky:
            roll = self._chance.random() * 100
            if roll > entry.probability:
                self._why[key] = Reason("chance", roll=roll, probability=entry.probability)
                self._settled.add(key)
                return False
        if not entry.ignore_budget and self._tokens + entry.tokens >= self._options.budget:
            self._is_full = True
            self._why[key] = Reason("budget", tokens=entry.tokens, budget=self._options.budget)
            return False
        self._fired[key] = entry
        self._tokens += entry.tokens
        return True


__all__ = ["Activation", "Options", "Outcome", "Reason", "Scene", "Why", "activate"]
