"""The macros that work something out, by name in small letters: chance, time, variables, text."""

from __future__ import annotations

from collections.abc import Mapping

from engram_desktop.domain.macros.known.chance_macros import CHANCE
from engram_desktop.domain.macros.known.text_macros import TEXT
from engram_desktop.domain.macros.known.time_macros import TIME
from engram_desktop.domain.macros.known.variable_macros import VARIABLES
from engram_desktop.domain.macros.scope import Macro

FUNCTIONS: Mapping[str, Macro] = {**CHANCE, **TIME, **VARIABLES, **TEXT}
