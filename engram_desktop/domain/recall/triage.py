"""What a message asks of memory (design note 003 §3.1): hardly anything, the usual, or everything.

Values and a tolerant parser. It never raises and invents nothing: an answer without a level gives
none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from engram_desktop.domain.memory.extraction import clean_text
from engram_desktop.domain.values import dataclass

Level = Literal["ROUTINE", "CHAT", "EVENT"]
LEVELS: tuple[Level, ...] = ("ROUTINE", "CHAT", "EVENT")
MAX_DIRECTIVES = 12  # of one answer: bounds what goes into a prompt; not measured
_MAX_TEXT = 400  # characters of one directive: bounds the same
_WORDS: dict[str, Level] = {
    "l1": "ROUTINE",
    "l2": "CHAT",
    "l3": "EVENT",
    "1": "ROUTINE",
    "2": "CHAT",
    "3": "EVENT",
    "日常": "ROUTINE",
    "闲聊": "CHAT",
    "聊天": "CHAT",
    "对话": "CHAT",
    "事件": "EVENT",
    "剧情": "EVENT",
}


@dataclass(frozen=True, slots=True)
class Triage:
    """How much memory a message needs, why, and hints for the model that replies."""

    level: Level
    intent: str = ""
    reasoning: str = ""
    directives: dict[str, str] = field(default_factory=dict)


def parse_triage(value: object) -> Triage | None:
    """Read an answer; None where it names no level."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        value = {"level": value}
    if not isinstance(value, Mapping):
        return None
    level = _level(value.get("level", value.get("等级")))
    if level is None:
        return None
    return Triage(
        level,
        _text(value.get("intent")),
        _text(value.get("reasoning", value.get("reason"))),
        _directives(value.get("directives")),
    )


def _level(value: object) -> Level | None:
    """Read a level, also where more is said with it: “L3 EVENT”."""
    words = str(value).strip().casefold() if isinstance(value, str | int) else ""
    levels = [level for level in LEVELS if level.casefold() in words]
    if len(levels) == 1:
        return levels[0]
    return _WORDS.get(words) if not levels else None


def _directives(value: object) -> dict[str, str]:
    if isinstance(value, list):
        value = {str(n): text for n, text in enumerate(value, start=1)}
    if isinstance(value, str) and value.strip():
        value = {"1": value}
    if not isinstance(value, Mapping):
        return {}
    directives = {clean_text(str(name), 60): _text(part) for name, part in value.items()}
    some = list(directives.items())[:MAX_DIRECTIVES]
    return {name: text for name, text in some if name and text}


def _text(value: object) -> str:
    match value:
        case str():
            return clean_text(value, _MAX_TEXT)
        case bool() | int() | float():
            return str(value)
        case list():
            return clean_text(", ".join(_text(part) for part in value), _MAX_TEXT)
    return ""
