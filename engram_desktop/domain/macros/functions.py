"""The macros that work something out: chance, time, variables, and pieces of text.

Each takes its arguments as text and answers None where it cannot mean anything, so that the macro
stays to be seen. Time, chance and variables come from the `MacroScope` that is handed in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta, timezone
from random import Random

from engram_desktop.domain.macros.blocks import MacroCall
from engram_desktop.domain.macros.values import Value, Values, folded
from engram_desktop.domain.values import dataclass

_DICE = re.compile(r"\s*(\d{0,3})\s*[dD]\s*(\d{1,6})\s*([+-]\s*\d{1,6})?\s*")
_DATE_PART = re.compile(r"\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|dddd|ddd|DD|D|HH|H|hh|h|mm|m|ss|s|A|a")
_COMMA = re.compile(r"(?<!\\),")


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
FUNCTIONS: dict[str, Function] = {}
Simple = Callable[[MacroScope, Sequence[str]], str | None]


def _simple(*names: str) -> Callable[[Simple], Simple]:
    def add(function: Simple) -> Simple:
        def macro(
            scope: MacroScope, arguments: Sequence[str], _c: MacroCall, _r: Random
        ) -> str | None:
            return function(scope, arguments)

        for name in names:
            FUNCTIONS[folded(name)] = macro
        return function

    return add


# --- chance ---


def _choices(arguments: Sequence[str]) -> list[str]:
    """``a::b`` or, in one argument, ``a,b``."""
    if len(arguments) == 1:
        return [piece.replace("\\,", ",").strip() for piece in _COMMA.split(arguments[0])]
    return list(arguments)


def _random(
    scope: MacroScope, arguments: Sequence[str], call: MacroCall, chance: Random
) -> str | None:
    del scope, call
    return chance.choice(_choices(arguments)) if arguments else None


def _pick(
    scope: MacroScope, arguments: Sequence[str], call: MacroCall, chance: Random
) -> str | None:
    """As random, but the same every time for this place and seed."""
    del chance
    if not arguments:
        return None
    source = f"{scope.seed}\0{call.place}\0{'::'.join(arguments)}".encode("utf-8", "surrogatepass")
    number = int.from_bytes(hashlib.blake2b(source, digest_size=8).digest())
    choices = _choices(arguments)
    return choices[number % len(choices)]


def _roll(
    scope: MacroScope, arguments: Sequence[str], call: MacroCall, chance: Random
) -> str | None:
    del scope, call
    text = arguments[0].strip() if arguments else ""
    dice = _DICE.fullmatch(f"d{text}" if text.isdigit() else text)
    if dice is None or int(dice[2]) < 1:
        return None
    total = sum(chance.randint(1, int(dice[2])) for _ in range(int(dice[1] or 1)))
    return str(total + int((dice[3] or "0").replace(" ", "")))


_CHANCE: dict[str, Function] = {"random": _random, "pick": _pick, "roll": _roll}
FUNCTIONS.update(_CHANCE)

# --- time ---


def formatted(moment: datetime, pattern: str) -> str:
    """Write a moment by a pattern such as ``YYYY-MM-DD HH:mm``; ``[…]`` stays as it is."""
    hour = moment.hour % 12 or 12
    half = "AM" if moment.hour < 12 else "PM"
    month, day = moment.strftime("%B"), moment.strftime("%A")
    parts: Mapping[str, object] = {
        "YYYY": f"{moment.year:04}",
        "YY": f"{moment.year % 100:02}",
        "MMMM": month,
        "MMM": month[:3],
        "MM": f"{moment.month:02}",
        "M": moment.month,
        "dddd": day,
        "ddd": day[:3],
        "DD": f"{moment.day:02}",
        "D": moment.day,
        "HH": f"{moment.hour:02}",
        "H": moment.hour,
        "hh": f"{hour:02}",
        "h": hour,
        "mm": f"{moment.minute:02}",
        "m": moment.minute,
        "ss": f"{moment.second:02}",
        "s": moment.second,
        "A": half,
        "a": half.lower(),
    }
    return _DATE_PART.sub(lambda m: m[1] if m[1] is not None else str(parts[m[0]]), pattern)


def _clock(pattern: str) -> Simple:
    def clock(scope: MacroScope, arguments: Sequence[str]) -> str | None:
        return formatted(scope.now, pattern) if scope.now and not arguments else None

    return clock


for _name, _pattern in (
    ("date", "MMMM D, YYYY"),
    ("weekday", "dddd"),
    ("isotime", "HH:mm"),
    ("isodate", "YYYY-MM-DD"),
):
    _simple(_name)(_clock(_pattern))


@_simple("time")
def _time(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    """Tell the time here, or with ``UTC+8`` there."""
    if not arguments:
        return formatted(scope.now, "h:mm A") if scope.now else None
    return _time_there(scope, [arguments[0].strip().upper().removeprefix("UTC")])


@_simple("time_utc")
def _time_there(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    hours = re.fullmatch(r"\s*([+-]?\d{1,2})\s*", arguments[0]) if arguments else None
    if scope.now is None or hours is None or abs(int(hours[1])) > 23:
        return None
    return formatted(scope.now.astimezone(timezone(timedelta(hours=int(hours[1])))), "h:mm A")


@_simple("datetimeformat")
def _date_time(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    return formatted(scope.now, "::".join(arguments)) if scope.now and arguments else None


@_simple("idle_duration", "idleDuration")
def _idle(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    del arguments
    if scope.now is None:
        return None
    return "just now" if scope.last_said is None else length(scope.now - scope.last_said)


@_simple("timeDiff")
def _between(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    del scope
    try:
        first, second = (datetime.fromisoformat(text.strip()) for text in arguments)
        return length(abs(first - second))
    except (ValueError, TypeError):
        return None


def length(span: timedelta) -> str:
    seconds = max(0, int(span.total_seconds()))
    for unit, size in (("year", 31_557_600), ("month", 2_629_800), ("day", 86_400)):
        if seconds >= size:
            return _many(round(seconds / size), unit)
    if seconds >= 3_600:
        return _many(round(seconds / 3_600), "hour")
    return _many(round(seconds / 60), "minute") if seconds >= 60 else "a few seconds"


def _many(count: int, unit: str) -> str:
    return f"{count} {unit}" + ("s" if count != 1 else "")


# --- variables ---


def _sum(old: str, more: str) -> str:
    """Add numbers as numbers and texts as texts."""
    try:
        total = float(old or 0) + float(more)
    except ValueError:
        return old + more
    return str(int(total)) if total.is_integer() else str(total)


def _variable_macros(
    middle: str, variables_of: Callable[[MacroScope], MutableMapping[str, str]]
) -> None:
    def change(how: Callable[[str, str], str], *, shows: bool = False) -> Simple:
        def macro(scope: MacroScope, arguments: Sequence[str]) -> str | None:
            if not arguments or not arguments[0].strip():
                return None
            name, value = arguments[0].strip(), "::".join(arguments[1:])
            variables_of(scope)[name] = how(variables_of(scope).get(name, ""), value)
            return variables_of(scope)[name] if shows else ""

        return macro

    @_simple(f"get{middle}var")
    def _get(scope: MacroScope, arguments: Sequence[str]) -> str | None:
        return variables_of(scope).get(arguments[0].strip(), "") if arguments else None

    @_simple(f"has{middle}var", f"{middle}varexists")
    def _has(scope: MacroScope, arguments: Sequence[str]) -> str | None:
        return str(arguments[0].strip() in variables_of(scope)).lower() if arguments else None

    @_simple(f"delete{middle}var", f"flush{middle}var")
    def _delete(scope: MacroScope, arguments: Sequence[str]) -> str | None:
        if not arguments:
            return None
        variables_of(scope).pop(arguments[0].strip(), None)
        return ""

    _simple(f"set{middle}var")(change(lambda _old, new: new))
    _simple(f"add{middle}var")(change(_sum))
    _simple(f"inc{middle}var")(change(lambda old, _: _sum(old, "1"), shows=True))
    _simple(f"dec{middle}var")(change(lambda old, _: _sum(old, "-1"), shows=True))


_variable_macros("", lambda scope: scope.variables)
_variable_macros("global", lambda scope: scope.shared)

# --- text ---


@_simple("newline")
def _newline(_scope: MacroScope, arguments: Sequence[str]) -> str | None:
    return _repeated("\n", arguments)


@_simple("space")
def _space(_scope: MacroScope, arguments: Sequence[str]) -> str | None:
    return _repeated(" ", arguments)


def _repeated(what: str, arguments: Sequence[str]) -> str | None:
    count = arguments[0].strip() if arguments else "1"
    return what * int(count) if count.isdigit() and len(count) <= 3 else None


@_simple("noop", "banned")
def _nothing(_scope: MacroScope, arguments: Sequence[str]) -> str:
    del arguments
    return ""


@_simple("reverse")
def _reverse(_scope: MacroScope, arguments: Sequence[str]) -> str | None:
    return "::".join(arguments)[::-1] if arguments else None


@_simple("input")
def _input(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    return None if arguments else scope.lookup.get("userinput")


@_simple("outlet")
def _outlet(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    """Text that a world book has for this outlet; nothing where it has none."""
    return scope.outlets().get(folded(arguments[0].strip()), "") if arguments else None
