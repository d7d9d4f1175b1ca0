"""The macros that work something out, by name in small letters: chance, time, variables, text.

Macros of time: the clock, the date, and how long ago something was.

Macros of chance: one of several texts, the same one each time, dice.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from engram_desktop.domain.macros.clock import formatted, humanized, moment_of, there
from engram_desktop.domain.macros.javascript_values import trimmed
from engram_desktop.domain.macros.known.same_pick import picked, text_hash
from engram_desktop.domain.macros.known.text_macros import TEXT
from engram_desktop.domain.macros.known.variable_macros import VARIABLES
from engram_desktop.domain.macros.scope import Asked, Macro, MacroFailedError

_DICE = re.compile(r"([1-9]\d*)?d([1-9]\d*)([+-]\d+)?", re.IGNORECASE | re.ASCII)
_COMMA = re.compile(r"(?<!\\),")
_MAX_DICE = 10_000  # thrown at once; more would take a while and mean nothing


def _choices(arguments: Sequence[str]) -> Sequence[str]:
    """``a::b`` or, in one argument, ``a,b``."""
    if len(arguments) != 1:
        return arguments
    if "::" in arguments[0]:
        return [trimmed(piece) for piece in arguments[0].split("::")]
    return [trimmed(piece).replace("\\,", ",") for piece in _COMMA.split(arguments[0])]


def _random(asked: Asked) -> str:
    choices = _choices(asked.arguments)
    return asked.chance.choice(choices) if choices else ""


def _pick(asked: Asked) -> str:
    """As random, but the same every time for this place and seed."""
    choices = _choices(asked.arguments)
    if not choices:
        return ""
    if asked.scope.picks:
        return choices[picked(len(choices), asked.scope.picks, text_hash(asked.text), asked.place)]
    source = f"{asked.scope.seed}\0{asked.place}\0{'::'.join(asked.arguments)}"
    digest = hashlib.blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return choices[int.from_bytes(digest) % len(choices)]


def _roll(asked: Asked) -> str:
    """Throw dice: ``6``, ``2d6``, ``d20+4``; nothing for what is no throw."""
    formula = asked.arguments[0]
    if re.fullmatch(r"\d+", formula, re.ASCII):
        formula = f"1d{formula}"
    dice = _DICE.fullmatch(formula)
    if dice is None or int(dice[1] or 1) > _MAX_DICE or len(dice[2]) > 15:
        return ""
    total = sum(asked.chance.randint(1, int(dice[2])) for _ in range(int(dice[1] or 1)))
    return str(total + int(dice[3] or 0))


CHANCE: Mapping[str, Macro] = {
    "random": Macro(_random, is_list=True),
    "pick": Macro(_pick, is_list=True),
    "roll": Macro(_roll, 1, 1),
}


def _now(asked: Asked) -> datetime:
    if asked.scope.now is None:
        raise MacroFailedError
    return asked.scope.now


def _clock(pattern: str) -> Callable[[Asked], str]:
    return lambda asked: formatted(_now(asked), pattern)


def _time(asked: Asked) -> str:
    """Tell the time here, or with ``UTC+8`` there."""
    now = _now(asked)
    return formatted(there(now, asked.arguments[0]) if asked.arguments else now, "LT")


def _date_time(asked: Asked) -> str:
    return formatted(_now(asked), asked.arguments[0] or "YYYY-MM-DDTHH:mm:ssZ")


def _idle(asked: Asked) -> str:
    now = _now(asked)
    if "idleduration" in asked.scope.lookup:
        return asked.scope.lookup["idleduration"]
    said = asked.scope.last_said
    return "just now" if said is None else humanized(now - said)


def _between(asked: Asked) -> str:
    """How far the first time lies ahead of the second, or behind it."""
    zone = asked.scope.now.tzinfo if asked.scope.now else None
    first, second = (moment_of(text, zone) for text in asked.arguments)
    if first is None or second is None:
        return "Invalid date"
    span = first - second
    words = humanized(abs(span))
    return f"in {words}" if span > timedelta() else f"{words} ago"


TIME: Mapping[str, Macro] = {
    "date": Macro(_clock("LL")),
    "weekday": Macro(_clock("dddd")),
    "isotime": Macro(_clock("HH:mm")),
    "isodate": Macro(_clock("YYYY-MM-DD")),
    "time": Macro(_time, 0, 1),
    "datetimeformat": Macro(_date_time, 1, 1),
    "idleduration": Macro(_idle),
    "idle_duration": Macro(_idle),
    "timediff": Macro(_between, 2, 2),
}


FUNCTIONS: Mapping[str, Macro] = {**CHANCE, **TIME, **VARIABLES, **TEXT}
