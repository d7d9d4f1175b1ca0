"""The macros that work something out, by name in small letters: chance, time, variables, text."""

from __future__ import annotations

from collections.abc import Mapping

from engram_desktop.domain.macros.chance_macros import CHANCE
from engram_desktop.domain.macros.scope import Macro
from engram_desktop.domain.macros.text_macros import TEXT
from engram_desktop.domain.macros.time_macros import TIME
from engram_desktop.domain.macros.variable_macros import VARIABLES

FUNCTIONS: Mapping[str, Macro] = {**CHANCE, **TIME, **VARIABLES, **TEXT}
