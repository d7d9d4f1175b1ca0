"""The known macros and their results."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any

from engram_desktop.domain.macros.clock import formatted, humanized, moment_of, there
from engram_desktop.domain.macros.scope import (
    EmptyNameError,
    FilledCall,
    Macro,
    MacroFailedError,
    MacroScope,
    json_text,
    number,
    text_of,
    trimmed,
    whole,
    written,
)

# Which of several texts SillyTavern picks at one place of a text in one chat, always the same: it
# seeds a random generator with a hash of the chat, the text and the place.


_LOW = 0xFFFFFFFF  # 32 bits, as `Math.imul` and `>>>` of JavaScript return


@lru_cache(maxsize=4)
def text_hash(text: str) -> int:
    """Return SillyTavern's hash of a text: 53 bits (cyrb53)."""
    one, other = 0xDEADBEEF, 0x41C6CE57
    units = text.encode("utf-16-le", "surrogatepass")
    for at in range(0, len(units), 2):
        unit = units[at] | units[at + 1] << 8
        one = (one ^ unit) * 2_654_435_761 & _LOW
        other = (other ^ unit) * 1_597_334_677 & _LOW
    one = _mixed(one, 16, 2_246_822_507) ^ _mixed(other, 13, 3_266_489_909)
    other = _mixed(other, 16, 2_246_822_507) ^ _mixed(one, 13, 3_266_489_909)
    return (other & 0x1FFFFF) << 32 | one


def _mixed(number: int, shift: int, factor: int) -> int:
    return (number ^ number >> shift) * factor & _LOW


def picked(count: int, chat: str, text: int, place: int) -> int:
    """Return which of ``count`` is picked; ``chat`` and ``text`` are given as hashes."""
    parts = chat.split("-", 1)
    seed = "-".join([parts[0], str(text), str(place), *parts[1:]])
    return int(_first_number(str(text_hash(seed))) * count)


def _first_number(seed: str) -> float:
    """Return the first number, from 0 up to 1, of an ARC4 stream seeded with a text."""
    key: list[int] = []
    smear = 0
    for at, unit in enumerate(seed.encode("ascii")):
        known = key[at & 255] if at < len(key) else None
        smear = 0 if known is None and at == 0 else smear ^ (known or 0) * 19
        value = smear + unit & 255
        if known is None:
            key.append(value)
        else:
            key[at & 255] = value
    stream = _arc4(key)
    for _ in range(256):
        next(stream)

    def taken(count: int) -> int:
        number = 0
        for _ in range(count):
            number = number * 256 + next(stream)
        return number

    number, below, more = taken(6), 256**6, 0
    while number < 2**52:
        number = (number + more) * 256
        below *= 256
        more = taken(1)
    while number >= 2**53:
        number //= 2
        below //= 2
        more >>= 1
    return (number + more) / below


def _arc4(key: list[int]) -> Iterator[int]:
    box = list(range(256))
    other = 0
    for at in range(256):
        other = other + key[at % len(key)] + box[at] & 255
        box[at], box[other] = box[other], box[at]
    at = other = 0
    while True:
        at = at + 1 & 255
        other = other + box[at] & 255
        box[at], box[other] = box[other], box[at]
        yield box[box[at] + box[other] & 255]


# Macros of text: blanks, reversed text, greetings, outlets of worldbooks, notes.


ELSE = "\0\x1fELSE\x1f\0"  # the result of {{else}} outside of {{if}}; removed at the end
# Bounds what one macro adds to a text; no template needs as much. Not measured.
MAX_REPEATED = 100_000


def _repeated(what: str) -> Callable[[FilledCall], str]:
    def macro(asked: FilledCall) -> str:
        count = int(asked.arguments[0]) if asked.arguments else 1
        if not 0 <= count <= MAX_REPEATED:
            raise MacroFailedError
        return what * count

    return macro


def _nothing(_asked: FilledCall) -> str:
    return ""


def _trim(asked: FilledCall) -> str:
    """Return the enclosed text, which is stripped; without one, leave it for the end."""
    if asked.is_scoped:
        return asked.arguments[0] if asked.arguments else ""
    return "{{trim}}"


def _input(asked: FilledCall) -> str:
    if "userinput" not in asked.scope.lookup:
        raise MacroFailedError
    return asked.scope.lookup["userinput"]


def _greeting(asked: FilledCall) -> str:
    """Return the card's first message, or another one by its number."""
    number = int(asked.arguments[0]) if asked.arguments else 0
    if "charfirstmessage" not in asked.scope.lookup:
        raise MacroFailedError
    if number == 0:
        return asked.scope.lookup["charfirstmessage"]
    others = asked.scope.greetings
    if not 1 <= number <= len(others):
        return ""
    other = others[number - 1]
    return other if isinstance(other, str) else other()


def _outlet(asked: FilledCall) -> str:
    """Return a worldbook's text for this outlet; empty if there is none."""
    return asked.scope.outlets().get(asked.arguments[0], "")


TEXT: Mapping[str, Macro] = {
    "newline": Macro(_repeated("\n"), 0, 1, is_counted=True),
    "space": Macro(_repeated(" "), 0, 1, is_counted=True),
    "noop": Macro(_nothing),
    "trim": Macro(_trim, 0, 1),
    "else": Macro(lambda _asked: ELSE),
    "//": Macro(_nothing, 1, 1),
    "comment": Macro(_nothing, 1, 1),
    "banned": Macro(_nothing, 1, 1),
    "reverse": Macro(lambda asked: asked.arguments[0][::-1], 1, 1),
    "input": Macro(_input),
    "charfirstmessage": Macro(_greeting, 0, 1, is_counted=True),
    "greeting": Macro(_greeting, 0, 1, is_counted=True),
    "outlet": Macro(_outlet, 1, 1),
}


# Macros that read and change variables, of the chat and of all chats. Text that is a number counts
# as one, and a JSON list takes an addition as a new item, as in SillyTavern.


Table = MutableMapping[str, Any]
_NO_JSON: Any = object()
_MAX_ITEMS = 10_000  # of a list: a larger index does not extend it


def value_of(table: Table, name: str) -> Any:
    """Return a variable: numeric text as a number, null as an empty text."""
    return _read(table.get(name, ""))


def _read(value: Any) -> Any:
    if isinstance(value, str) and not trimmed(value):
        return value
    as_number = number(value)
    return value if math.isnan(as_number) else whole(as_number)


def put(table: Table, name: str, value: Any) -> None:
    """Set a variable. Raises EmptyNameError."""
    if not name:
        raise EmptyNameError
    table[name] = value


def add(table: Table, name: str, value: Any) -> Any:
    """Add to a variable; returns its new value. Raises EmptyNameError."""
    current = value_of(table, name)
    if current == "":
        current = 0
    items = _loaded(current)
    if isinstance(items, list):
        items.append(value)
        put(table, name, json_text(items))
        return items
    more, before = number(value), number(current)
    if math.isnan(more) or math.isnan(before):
        result: Any = (text_of(current) if current else "") + text_of(value)
    else:
        result = whole(before + more)
        if isinstance(result, float) and math.isnan(result):
            return ""
    put(table, name, result)
    return result


def item_of(table: Table, name: str, key: str) -> Any:
    """Return an item of a variable that is a list or an object; else the variable itself."""
    items = _loaded(table.get(name, ""))
    if items is _NO_JSON:
        return value_of(table, name)
    if items is None:
        return 0
    inner = _item(items, key)
    return _read(json_text(inner) if isinstance(inner, dict | list | None) else inner)


def _item(value: Any, key: str) -> Any:
    index = number(key)
    if isinstance(value, dict):
        return value.get(key if math.isnan(index) else text_of(whole(index)), "")
    if isinstance(value, list | str) and key == "length":
        return len(value)
    if isinstance(value, list | str) and not math.isnan(index):
        place = whole(index)
        return value[place] if isinstance(place, int) and 0 <= place < len(value) else ""
    return ""


def put_item(table: Table, name: str, key: str, value: str) -> None:
    """Set an item of a variable; one that is neither a list nor an object is left unchanged.

    Raises EmptyNameError.
    """
    if not name:
        raise EmptyNameError
    items = _loaded("null" if table.get(name) is None else table[name])
    index = number(key)
    if items is None:
        items = {} if math.isnan(index) else []
    if isinstance(items, dict):
        items[key if math.isnan(index) else text_of(whole(index))] = value
    elif isinstance(items, list):
        place = whole(index) if not math.isnan(index) else -1
        if isinstance(place, int) and 0 <= place < max(_MAX_ITEMS, len(items)):
            items += [None] * (place + 1 - len(items))
            items[place] = value
    else:
        return
    table[name] = json_text(items)


def _loaded(value: Any) -> Any:
    """Parse a value's text as JSON; _NO_JSON if that fails."""
    try:
        return json.loads(text_of(value), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return _NO_JSON


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _macros_of(middle: str, table_of: Callable[[MacroScope], Table]) -> dict[str, Macro]:
    """Return the macros of one table of variables; ``middle`` is the part of their names for it."""

    def get(asked: FilledCall) -> str:
        return written(value_of(table_of(asked.scope), asked.arguments[0]))

    def has(asked: FilledCall) -> str:
        return "true" if asked.arguments[0] in table_of(asked.scope) else "false"

    def delete(asked: FilledCall) -> str:
        table_of(asked.scope).pop(asked.arguments[0], None)
        return ""

    def set_(asked: FilledCall) -> str:
        put(table_of(asked.scope), asked.arguments[0], asked.arguments[1])
        return ""

    def add_(asked: FilledCall) -> str:
        add(table_of(asked.scope), asked.arguments[0], asked.arguments[1])
        return ""

    def step(by: int) -> Callable[[FilledCall], str]:
        return lambda asked: written(add(table_of(asked.scope), asked.arguments[0], by))

    def get_item(asked: FilledCall) -> str:
        return written(item_of(table_of(asked.scope), asked.arguments[0], asked.arguments[1]))

    def set_item(asked: FilledCall) -> str:
        put_item(table_of(asked.scope), *asked.arguments)
        return ""

    return {
        f"get{middle}var": Macro(get, 1, 1),
        f"has{middle}var": Macro(has, 1, 1),
        f"{middle}varexists": Macro(has, 1, 1),
        f"delete{middle}var": Macro(delete, 1, 1),
        f"flush{middle}var": Macro(delete, 1, 1),
        f"set{middle}var": Macro(set_, 2, 2),
        f"add{middle}var": Macro(add_, 2, 2),
        f"inc{middle}var": Macro(step(1), 1, 1),
        f"dec{middle}var": Macro(step(-1), 1, 1),
        f"get{middle}varkey": Macro(get_item, 2, 2),
        f"get{middle}varindex": Macro(get_item, 2, 2),
        f"set{middle}varkey": Macro(set_item, 3, 3),
        f"set{middle}varindex": Macro(set_item, 3, 3),
    }


VARIABLES: Mapping[str, Macro] = {
    **_macros_of("", lambda scope: scope.variables),
    **_macros_of("global", lambda scope: scope.shared),
}


# The macros that compute something, by lower-case name: chance (one of several texts, dice), time
# (clock, date, how long ago something was), variables, text.


_DICE = re.compile(r"([1-9]\d*)?d([1-9]\d*)([+-]\d+)?", re.IGNORECASE | re.ASCII)
_COMMA = re.compile(r"(?<!\\),")
_MAX_DICE = 10_000  # thrown at once; more would take a while without use


def _choices(arguments: Sequence[str]) -> Sequence[str]:
    """``a::b`` or, in one argument, ``a,b``."""
    if len(arguments) != 1:
        return arguments
    if "::" in arguments[0]:
        return [trimmed(piece) for piece in arguments[0].split("::")]
    return [trimmed(piece).replace("\\,", ",") for piece in _COMMA.split(arguments[0])]


def _random(asked: FilledCall) -> str:
    choices = _choices(asked.arguments)
    return asked.chance.choice(choices) if choices else ""


def _pick(asked: FilledCall) -> str:
    """As random, but always the same for this place and seed."""
    choices = _choices(asked.arguments)
    if not choices:
        return ""
    if asked.scope.picks:
        return choices[picked(len(choices), asked.scope.picks, text_hash(asked.text), asked.place)]
    source = f"{asked.scope.seed}\0{asked.place}\0{'::'.join(asked.arguments)}"
    digest = hashlib.blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return choices[int.from_bytes(digest) % len(choices)]


def _roll(asked: FilledCall) -> str:
    """Throw dice: ``6``, ``2d6``, ``d20+4``; empty for an invalid throw."""
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


def _now(asked: FilledCall) -> datetime:
    if asked.scope.now is None:
        raise MacroFailedError
    return asked.scope.now


def _clock(pattern: str) -> Callable[[FilledCall], str]:
    return lambda asked: formatted(_now(asked), pattern)


def _time(asked: FilledCall) -> str:
    """Return the local time, or the time at ``UTC+8``."""
    now = _now(asked)
    return formatted(there(now, asked.arguments[0]) if asked.arguments else now, "LT")


def _date_time(asked: FilledCall) -> str:
    return formatted(_now(asked), asked.arguments[0] or "YYYY-MM-DDTHH:mm:ssZ")


def _idle(asked: FilledCall) -> str:
    now = _now(asked)
    if "idleduration" in asked.scope.lookup:
        return asked.scope.lookup["idleduration"]
    said = asked.scope.last_said
    return "just now" if said is None else humanized(now - said)


def _between(asked: FilledCall) -> str:
    """Return how far the first time is after or before the second."""
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


# The macros whose values only a running SillyTavern knows. They stay in a text and are reported,
# with the reason; their arguments are filled like the text around them.


def _unknown(_asked: FilledCall) -> str:
    raise MacroFailedError


_NONE, _ONE, _SOME = Macro(_unknown), Macro(_unknown, 1, 1), Macro(_unknown, 0, 1)
_WINDOW = "what its window shows at the moment"
_LIMITS = "limits of the model it is connected to"
_PICTURES = "an extension for pictures keeps it"
WHY: Mapping[str, tuple[Macro, str]] = {
    "maxprompt": (_NONE, _LIMITS),
    "maxprompttokens": (_NONE, _LIMITS),
    "maxcontext": (_NONE, _LIMITS),
    "maxcontexttokens": (_NONE, _LIMITS),
    "maxresponse": (_NONE, _LIMITS),
    "maxresponsetokens": (_NONE, _LIMITS),
    "lastgenerationtype": (_NONE, "what it was last asked to write"),
    "hasextension": (_ONE, "which extensions are on in it"),
    "ismobile": (_NONE, _WINDOW),
    "original": (_NONE, "the prompt that one of the card takes the place of"),
    "firstdisplayedmessageid": (_NONE, _WINDOW),
    "defaultexpression": (_NONE, _PICTURES),
    "lastexpression": (_SOME, _PICTURES),
    "availableexpressions": (_NONE, _PICTURES),
    "charprefix": (_NONE, _PICTURES),
    "charnegativeprefix": (_NONE, _PICTURES),
}
RUNNING: Mapping[str, Macro] = {name: macro for name, (macro, _why) in WHY.items()}


# What ``{{.name += 1}}`` and the like do to a variable and show. Values only.


_COMPARED: dict[str, Callable[[float, float], bool]] = {
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
}


def changed(
    table: MutableMapping[str, Any], name: str, operator: str, given: Callable[[], str]
) -> str:
    """Apply ``operator``; returns the text to show. ``given`` is called only if needed.

    Raises EmptyNameError.
    """
    given = cache(given)
    if operator in {"++", "--"}:
        return written(add(table, name, 1 if operator == "++" else -1))
    if operator in {"=", "+=", "-="}:
        _set(table, name, operator, given())
        return ""
    if operator in {"==", "!="}:
        return _said((written(value_of(table, name)) == given()) == (operator == "=="))
    if operator in _COMPARED:
        return _said(_COMPARED[operator](number(value_of(table, name)), number(given())))
    return _or_else(table, name, operator, given)


def _set(table: MutableMapping[str, Any], name: str, operator: str, value: str) -> None:
    if operator == "=":
        put(table, name, value)
    elif operator == "+=":
        add(table, name, value)
    elif not math.isnan(less := number(value)):
        add(table, name, whole(-less))


def _or_else(
    table: MutableMapping[str, Any], name: str, operator: str, given: Callable[[], str]
) -> str:
    """Return the variable, or ``given`` if it is missing or, without ``??``, if it is falsy."""
    current = value_of(table, name)
    is_there = name in table if operator.startswith("??") else not _says_no(current)
    if not operator or is_there:
        return written(current)
    if operator.endswith("="):
        put(table, name, given())
    return given()


def _says_no(value: Any) -> bool:
    return value in ("", 0) or trimmed(written(value)).lower() in {"off", "false", "0"}


def _said(is_true: bool) -> str:  # noqa: FBT001 - what is said is all there is to it
    return "true" if is_true else "false"
