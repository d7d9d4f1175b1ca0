"""What became of the text of a message on its way to a model, step by step. Values only."""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.values import dataclass

StepKind = Literal["original", "ejs", "script", "rule"]


@dataclass(frozen=True, slots=True)
class TextStep:
    """One step: ``name`` of the script or rule, and the ``text`` it left.

    ``fault`` says why a step could not be done; the text is then what it was.
    """

    kind: StepKind
    name: str
    text: str
    is_changed: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True)
class CleaningRule:
    """A rule of the program itself: the setting that switches it, and whether it is on."""

    name: str
    key: str
    is_enabled: bool
