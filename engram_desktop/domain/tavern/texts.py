"""What SillyTavern's settings let macros say: sequences, system prompt, notes. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from engram_desktop.domain.tavern.instruct import Templates
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class TavernTexts:
    """``macros`` are texts by the macro that says them; ``notes`` author's notes by card file.

    The two flags say whether a card's own prompts take the place of the settings'.
    """

    macros: Mapping[str, str] = field(default_factory=dict)
    system_prompt: str = ""
    instruction: str = ""  # what is said after the history
    notes: Mapping[str, str] = field(default_factory=dict)
    templates: Templates | None = None  # where a text completion model is asked
    prefers_card_prompt: bool = True
    prefers_card_instruction: bool = True


@dataclass(frozen=True, slots=True)
class Member:
    """One of a group, by the card file."""

    avatar: str
    is_muted: bool = False
