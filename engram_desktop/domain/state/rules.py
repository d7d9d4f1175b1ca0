"""What values of a state may be: their types, bounds and how they begin. Pure."""

from __future__ import annotations

from typing import Any, Literal

from engram_desktop.domain.state.tree import StatePath
from engram_desktop.domain.values import dataclass

ValueType = Literal["any", "number", "integer", "text", "boolean"]


@dataclass(frozen=True, slots=True)
class StateRule:
    """What the value at ``path`` may be.

    ``low`` and ``high`` bound a number, both included; None is no bound. ``choices``, if any, are
    all texts there may be. ``initial`` is what a story begins with where nothing else says it.
    """

    path: StatePath
    type: ValueType = "any"
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    initial: Any = None
    meaning: str = ""
