"""Whether one entry of a worldbook fires in one round of a scan, and why or why not.

The first rule that decides counts, in SillyTavern's order. Nothing is said here of groups, chance
and budget, where entries that want to fire compete.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Literal

from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.filter import Speaker, refusal
from engram_desktop.domain.worldbooks.pattern import pattern
from engram_desktop.domain.worldbooks.reasons import Reason, Why
from engram_desktop.domain.worldbooks.scan import PatternTest, Scanner, ScanText
from engram_desktop.domain.worldbooks.timing import Key, Timers
from engram_desktop.domain.worldbooks.worldbook import Entry, Logic, Trigger

# The first round; one that reads what fired; one that reads further back for the number's sake.
RoundState = Literal["first", "recursion", "deeper", "done"]
FINAL: frozenset[Why] = frozenset({"disabled", "trigger", "character"})  # no later round differs


@dataclass(frozen=True, slots=True)
class Scene:
    """What entries are compared with.

    ``meaning`` is how near the sense of those entries is that fire by it; None: it is not asked.
    ``unfilled`` are entries whose keys hold macros, as they were before these were filled.
    """

    text: ScanText
    speaker: Speaker = field(default_factory=Speaker)
    trigger: Trigger = "normal"
    timers: Timers = field(default_factory=Timers)
    meaning: Mapping[Key, float] | None = None
    unfilled: Mapping[Key, Entry] = field(default_factory=dict)
    is_in: PatternTest | None = None
    before: int = 0  # messages of the chat that are not among the texts; hidden ones never count

    @property
    def messages(self) -> int:
        """How many messages the chat has."""
        return self.before + len(self.text.messages)


class Judge:
    """The rules of one scan. ``level`` is the level of recursion it has reached."""

    def __init__(
        self,
        scene: Scene,
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
        """Return why an entry fires or not; ``before`` is what the round before said of it."""
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
        # while it reads deeper only for the number's sake, what fired is not read again
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
