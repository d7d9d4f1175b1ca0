"""The macros that work something out, by folded name: chance, time, variables and text."""

from __future__ import annotations

from collections.abc import Mapping

from engram_desktop.domain.macros.chance_macros import CHANCE
from engram_desktop.domain.macros.scope import Function, without_chance
from engram_desktop.domain.macros.text_macros import TEXT
from engram_desktop.domain.macros.time_macros import TIME
from engram_desktop.domain.macros.values import folded
from engram_desktop.domain.macros.variable_macros import VARIABLES

FUNCTIONS: Mapping[str, Function] = {
    **CHANCE,
    **{
        folded(name): without_chance(function)
        for name, function in {**TIME, **VARIABLES, **TEXT}.items()
    },
}
