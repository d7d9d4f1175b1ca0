"""Timed effects of entries: sticky (stays for some messages) and cooldown (rests for some).

Both effects are counted in messages of the chat. The values mirror what SillyTavern keeps in a
chat's metadata, so that a simulation can go on from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import Entry

Key = tuple[str, int | str]  # worldbook, number of the entry


@dataclass(frozen=True, slots=True)
class Effect:
    """From which message on, and until before which one. ``is_firm`` outlives a deleted message."""

    start: int
    end: int
    is_firm: bool = False


@dataclass(frozen=True, slots=True)
class Timers:
    """What is going on in a chat."""

    sticky: Mapping[Key, Effect] = field(default_factory=dict)
    cooldown: Mapping[Key, Effect] = field(default_factory=dict)

    def at(self, messages: int, entries: Mapping[Key, Entry]) -> Timers:
        """Return the effects still on when the chat has ``messages``.

        Where a sticky effect ends, the cooldown of the entry begins, if it has one.
        """
        sticky: dict[Key, Effect] = {}
        cooldown = {
            key: effect
            for key, effect in self.cooldown.items()
            if _is_on(effect, messages) and (key not in entries or entries[key].cooldown)
        }
        for key, effect in self.sticky.items():
            if key in entries and not entries[key].sticky:
                continue  # it was told to stay no more
            if _is_on(effect, messages):
                sticky[key] = effect
            elif messages >= effect.end and key in entries and entries[key].cooldown:
                end = messages + entries[key].cooldown
                cooldown[key] = Effect(messages, end, is_firm=True)
        return Timers(sticky, cooldown)

    def after(self, messages: int, fired: Iterable[tuple[Key, Entry]]) -> Timers:
        """Begin the effects of entries that fired, unless they are going on already."""
        sticky, cooldown = dict(self.sticky), dict(self.cooldown)
        for key, entry in fired:
            if entry.sticky and key not in sticky:
                sticky[key] = Effect(messages, messages + entry.sticky)
            if entry.cooldown and key not in cooldown:
                cooldown[key] = Effect(messages, messages + entry.cooldown)
        return Timers(sticky, cooldown)


def _is_on(effect: Effect, messages: int) -> bool:
    """Whether an effect is on. One whose first message was deleted again is not, unless firm."""
    return messages < effect.end and (messages > effect.start or effect.is_firm)
