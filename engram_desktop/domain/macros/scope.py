"""What macros stand for in one place of the program, and what a macro that works something out is.

Time, chance and variables come from the `MacroScope` alone. Variables are values as JSON has them;
they are read when asked for, and changed for the one filling that changes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import field
from datetime import datetime
from random import Random
from typing import Any

from engram_desktop.domain.macros.values import Value, Values
from engram_desktop.domain.values import dataclass

Outlets = Callable[[], Mapping[str, str]]


@dataclass(slots=True)
class MacroScope:
    """What macros stand for here. ``values`` by any case of their names."""

    values: Mapping[str, Value] = field(default_factory=dict)
    variables: MutableMapping[str, Any] = field(default_factory=dict)
    shared: MutableMapping[str, Any] = field(default_factory=dict)  # variables of all chats
    now: datetime | None = None
    last_said: datetime | None = None  # by the user
    seed: str = ""
    picks: str = ""  # the hash by which SillyTavern picks in this chat; empty where none is known
    outlets: Outlets = dict  # what worldbooks have for each outlet, by its name
    greetings: Sequence[Value] = ()  # the card's other first messages
    lookup: Values = field(init=False)  # ``values`` as they are looked up

    def __post_init__(self) -> None:
        self.values = self.lookup = Values.of(self.values)


@dataclass(slots=True)
class Asked:
    """One macro that is filled: its arguments have their values."""

    scope: MacroScope
    arguments: Sequence[str]
    is_scoped: bool  # whether the last argument stood between an opening and a closing macro
    place: int  # in the whole text: what is picked once stays picked there
    chance: Random
    text: str = ""  # the whole one


class MacroFailedError(Exception):
    """A macro that cannot mean anything here: it stays in the text to be seen."""


class EmptyNameError(MacroFailedError):
    """A variable is to be set that has no name: by its sign, the whole text stays as it is."""


@dataclass(frozen=True, slots=True)
class Macro:
    """What a macro is: how many arguments it takes, and what it gives for them.

    ``run`` raises MacroFailedError where it cannot mean anything.
    """

    run: Callable[[Asked], str]
    least: int = 0
    most: int = 0
    is_list: bool = False  # any number of arguments
    is_counted: bool = False  # its first argument is a whole number

    def takes(self, count: int) -> bool:
        return self.is_list or self.least <= count <= self.most

    @property
    def takes_text(self) -> bool:
        """Whether one argument more may stand between an opening and a closing macro."""
        return not self.is_list
