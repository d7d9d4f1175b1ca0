"""What macros stand for in one place of the program, and what a macro that works something out is.

Such a macro takes its arguments as texts and answers None where it cannot mean anything, so that it
stays in the text to be seen. Time, chance and variables come from the `MacroScope` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import field
from datetime import datetime
from random import Random

from engram_desktop.domain.macros.blocks import MacroCall
from engram_desktop.domain.macros.values import Value, Values
from engram_desktop.domain.values import dataclass

Outlets = Callable[[], Mapping[str, str]]


@dataclass(slots=True)
class MacroScope:
    """What macros stand for here. ``values`` by any spelling of their names."""

    values: Mapping[str, Value] = field(default_factory=dict)
    variables: MutableMapping[str, str] = field(default_factory=dict)
    shared: MutableMapping[str, str] = field(default_factory=dict)  # variables of all chats
    now: datetime | None = None
    last_said: datetime | None = None  # by the user
    seed: str = ""
    outlets: Outlets = dict  # what world books have for each outlet, by folded name
    lookup: Values = field(init=False)  # ``values`` as they are looked up

    def __post_init__(self) -> None:
        self.values = self.lookup = Values.of(self.values)


Function = Callable[[MacroScope, Sequence[str], MacroCall, Random], str | None]
Simple = Callable[[MacroScope, Sequence[str]], str | None]


def without_chance(function: Simple) -> Function:
    """Return the macro of a function that needs neither its place in the text nor chance."""

    def macro(
        scope: MacroScope, arguments: Sequence[str], _call: MacroCall, _chance: Random
    ) -> str | None:
        return function(scope, arguments)

    return macro
