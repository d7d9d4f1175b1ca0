"""The context of macros: names, the chat, variables, with values read as JavaScript does."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import field
from datetime import datetime
from functools import cache, cached_property, partial
from random import Random
from typing import Any, Self

from typing_extensions import override

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

# The values of macros by name, ignoring case. Some take time, so each is computed on demand, and
# only once.


Value = str | Callable[[], str]


def folded(name: str) -> str:
    """Return a name in the form in which macros are looked up: case is ignored."""
    return name.lower()


class Values(Mapping[str, str]):
    """Values by folded name; ``written`` are the original names."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.written = {folded(name): name for name in values}
        self._values: dict[str, Value] = {
            folded(name): value if isinstance(value, str) else cache(value)
            for name, value in values.items()
        }

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        """Return ``values``, converted if they are not of this class."""
        return values if isinstance(values, cls) else cls(values)

    def with_these(self, more: Mapping[str, Value]) -> Values:
        """Return a copy with ``more`` replacing existing values."""
        new = Values(more)
        union = Values({})
        union.written = self.written | new.written
        union._values = self._values | new._values
        return union

    def mapped(self, change: Callable[[str], str]) -> Values:
        """Return a copy with each value changed."""

        def changed(name: str) -> str:
            return change(self[name])

        return Values({name: partial(changed, name) for name in self._values})

    @override
    def __getitem__(self, name: str) -> str:
        value = self._values[name]
        return value if isinstance(value, str) else value()

    @override
    def __contains__(self, name: object) -> bool:
        return name in self._values

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    @override
    def __len__(self) -> int:
        return len(self._values)


class Variables(MutableMapping[str, Any]):
    """Variables that are read at the first access; changes go to a copy."""

    def __init__(self, read: Callable[[], Mapping[str, Any]]) -> None:
        self._read = read

    @cached_property
    def _values(self) -> dict[str, Any]:
        return dict(self._read())

    @override
    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    @override
    def __setitem__(self, name: str, value: Any) -> None:
        self._values[name] = value

    @override
    def __delitem__(self, name: str) -> None:
        del self._values[name]

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    @override
    def __len__(self) -> int:
        return len(self._values)


# Numbers, booleans and JSON as in JavaScript, whose values SillyTavern's variables are.


# JavaScript's white space, as the inside of a character class.
BLANK = r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_DECIMAL = late_pattern(r"[+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", re.ASCII)
_OTHER = late_pattern(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")
_LARGEST_INTEGER_WRITTEN = 1e21  # from here on JavaScript writes exponents
_SMALLEST_WRITTEN = 1e-6  # below it JavaScript writes exponents, too
_MAX_NUMBER_CHARS = 2_000  # bounds the time of reading one number
_INDEX = late_pattern(r"0|[1-9]\d{0,8}", re.ASCII)
_BEHIND = 10**9  # above the nine digits of `_INDEX`: after all numeric keys


def trimmed(text: str) -> str:
    """Return a text without white space at its ends."""
    return text.strip(BLANKS)


def number(value: Any) -> float:
    """Return ``Number(value)``: nan for an invalid one."""
    if value is None:
        return 0.0
    if isinstance(value, bool | int | float):
        return _as_float(value)
    if isinstance(value, str):
        return _number_of_text(trimmed(value))
    if isinstance(value, list):
        return _number_of_text(trimmed(text_of_list(value)))
    return math.nan


def _number_of_text(text: str) -> float:
    if not text:
        return 0.0
    if len(text) > _MAX_NUMBER_CHARS:
        return math.nan
    if _DECIMAL.fullmatch(text):
        return float(text)
    if _OTHER.fullmatch(text):
        return _as_float(int(text, 0))
    return math.nan


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def written_number(value: float) -> str:
    """Format a number as JavaScript does."""
    value = _as_float(value)
    if math.isnan(value):
        return "NaN"
    sign = "-" if value < 0 else ""
    if math.isinf(value):
        return f"{sign}Infinity"
    return sign + _written(abs(value))


def _written(size: float) -> str:
    digits, exponent = _split(size)
    if 1 <= size < _LARGEST_INTEGER_WRITTEN or size == 0:
        all_digits = digits.ljust(exponent + 1, "0")
        rest = all_digits[exponent + 1 :]
        return all_digits[: exponent + 1] + (f".{rest}" if rest else "")
    if _SMALLEST_WRITTEN <= size < 1:
        return f"0.{'0' * (-exponent - 1)}{digits}"
    mantissa = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    return f"{mantissa}e{'+' if exponent >= 0 else '-'}{abs(exponent)}"


def _split(size: float) -> tuple[str, int]:
    """Return the digits of a number and the power of ten of the first."""
    mantissa, _e, exponent = f"{size!r}".partition("e")
    before, _dot, behind = mantissa.partition(".")
    digits = before + behind
    bare = digits.lstrip("0")
    power = len(before) - 1 + int(exponent or 0) - (len(digits) - len(bare))
    return (bare.rstrip("0"), power) if bare else ("0", 0)


def whole(value: float) -> float:
    """Return an int for a number without a fraction, as in JSON."""
    return int(value) if math.isfinite(value) and value == int(value) else value


def written(value: Any) -> str:
    """Return a value as macros show it: JSON for lists and objects, empty for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return written_number(value)
    return value if isinstance(value, str) else json_text(value)


def text_of(value: Any) -> str:
    """Return ``String(value)``."""
    if isinstance(value, dict):
        return "[object Object]"
    if isinstance(value, list):
        return text_of_list(value)
    return "null" if value is None else written(value)


def text_of_list(value: list[Any]) -> str:
    """Join the items with commas, as JavaScript converts a list to text."""
    return ",".join("" if item is None else text_of(item) for item in value)


def json_text(value: Any) -> str:
    """Write JSON as JavaScript does: no blanks; numbers that are not finite are null."""
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))


def _place(key: str) -> int:
    """Return the order of a key in an object: whole numbers first, by size, others by insertion."""
    return int(key) if _INDEX.fullmatch(key) else _BEHIND


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value, key=_place)}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, float):
        return whole(value) if math.isfinite(value) else None
    return value


# The context of macros in one place of the program, and the definition of a macro function. Time,
# chance and variables come from the `MacroScope` alone. Variables have JSON values; they are read
# on demand, and changed only for the filling that changes them.


Outlets = Callable[[], Mapping[str, str]]


@dataclass(slots=True)
class MacroScope:
    """The context of a filling. ``values`` may have any case in their names."""

    values: Mapping[str, Value] = field(default_factory=dict)
    variables: MutableMapping[str, Any] = field(default_factory=dict)
    shared: MutableMapping[str, Any] = field(default_factory=dict)  # variables of all chats
    now: datetime | None = None
    last_said: datetime | None = None  # time of the user's last message
    seed: str = ""
    picks: str = ""  # SillyTavern's hash for picks in this chat; empty if unknown
    outlets: Outlets = dict  # the worldbooks' texts for each outlet, by name
    greetings: Sequence[Value] = ()  # the card's other greetings
    lookup: Values = field(init=False)  # ``values`` by folded name

    def __post_init__(self) -> None:
        self.values = self.lookup = Values.of(self.values)


@dataclass(slots=True)
class FilledCall:
    """A macro call to fill, with the values of its arguments."""

    scope: MacroScope
    arguments: Sequence[str]
    is_scoped: bool  # whether the last argument is between an opening and a closing macro
    place: int  # in the whole text: a pick depends on it
    chance: Random
    text: str = ""  # the whole text


class MacroFailedError(Exception):
    """The macro has no meaning here: it stays visible in the text."""


class EmptyNameError(MacroFailedError):
    """A variable without a name is to be set: in shorthand, the whole text is left as it is."""


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro: how many arguments it takes, and the function of its result.

    ``run`` raises MacroFailedError if it has no meaning here.
    """

    run: Callable[[FilledCall], str]
    least: int = 0
    most: int = 0
    is_list: bool = False  # any number of arguments
    is_counted: bool = False  # its first argument is a whole number

    def takes(self, count: int) -> bool:
        return self.is_list or self.least <= count <= self.most

    @property
    def takes_text(self) -> bool:
        """Return whether it may have a further argument between an opening and a closing macro."""
        return not self.is_list


# The macros about a chat, with their descriptions, for prompts, scripts and worldbooks.
# `services.prompts.macro_scope` computes their values; the macro functions are in `known`.


_T = QT_TRANSLATE_NOOP
# Useful in any prompt.
CONTEXT: dict[str, str] = {
    "chatHistory": _T("prompts", "The newest messages"),
    "worldbookContext": _T("prompts", "What world books say now"),
    "userInput": _T("prompts", "What the player said last"),
    "engramSummaries": _T("prompts", "What is always remembered"),
}
WHO: dict[str, str] = {
    "char": _T("prompts", "The character's name"),
    "user": _T("prompts", "The player's name"),
    "persona": _T("prompts", "Who the player is, as the settings say"),
    "group": _T("prompts", "Everybody who speaks beside the player"),
    "groupNotMuted": _T("prompts", "The same"),
    "notChar": _T("prompts", "Everybody but the character, the player too"),
    "charDescription": _T("prompts", "The card's description"),
    "charPersonality": _T("prompts", "The card's personality"),
    "charScenario": _T("prompts", "The card's scenario"),
    "charPrompt": _T("prompts", "The card's system prompt"),
    "charInstruction": _T("prompts", "The card's instruction after the history"),
    "charDepthPrompt": _T("prompts", "The card's note at a depth"),
    "charCreatorNotes": _T("prompts", "What the card's maker notes"),
    "charFirstMessage": _T("prompts", "The card's greeting"),
    "charVersion": _T("prompts", "The card's version"),
    "mesExamples": _T("prompts", "The card's examples, each with its heading"),
    "mesExamplesRaw": _T("prompts", "The card's examples as they stand"),
}
MESSAGES: dict[str, str] = {
    "lastMessage": _T("prompts", "The last message"),
    "lastUserMessage": _T("prompts", "The last message of the player"),
    "lastCharMessage": _T("prompts", "The last message of a character"),
    "lastMessageId": _T("prompts", "Floor of the last message"),
    "firstIncludedMessageId": _T("prompts", "First floor a model still reads"),
    "lastSwipeId": _T("prompts", "How many swipes the last message has"),
    "currentSwipeId": _T("prompts", "Which of them is chosen"),
    "allChatRange": _T("prompts", "First and last floor of the chat"),
    "idleDuration": _T("prompts", "How long ago the player last wrote"),
    "authorsNote": _T("prompts", "The author's note of the chat"),
    "charAuthorsNote": _T("prompts", "The author's note of the card"),
    "summary": _T("prompts", "What is always remembered"),
    "systemPrompt": _T("prompts", "The card's system prompt"),
    "model": _T("prompts", "Name of the model that is asked"),
}
# A selection of the macro functions, for the help of the prompt editor.
RECKONING: dict[str, str] = {
    "if charDescription}}…{{else}}…{{/if": _T("prompts", "One text or another"),
    "getvar::name": _T("prompts", "A variable of the chat"),
    "setvar::name::value": _T("prompts", "Set a variable, for this request only"),
    ".name += 1": _T("prompts", "The same by a sign, with an operator"),
    "getglobalvar::name": _T("prompts", "A variable of all chats, as SillyTavern has it"),
    "setglobalvar::name::value": _T("prompts", "Set one of those, for this request only"),
    "$name": _T("prompts", "One of those by a sign"),
    "random::a::b": _T("prompts", "One of several"),
    "pick::a::b": _T("prompts", "One of several, always the same here"),
    "roll:1d6": _T("prompts", "Roll dice"),
    "isodate": _T("prompts", "Today's date"),
    "isotime": _T("prompts", "The time of day"),
    "reverse::text": _T("prompts", "A text backwards"),
    "newline": _T("prompts", "A new line"),
    "trim": _T("prompts", "Take away the empty lines around it"),
    "// note": _T("prompts", "A note that is not sent"),
}
CHAT_MACROS: dict[str, str] = CONTEXT | WHO | MESSAGES
# Those of the card, which have no value in the texts of a card itself.
CARD = frozenset(
    {name for name in WHO if name.startswith(("char", "mes")) and name != "char"}
    | {"persona", "systemPrompt"}
)
# Older names that SillyTavern still accepts, and their current names.
OLDER_NAMES = {
    "description": "charDescription",
    "personality": "charPersonality",
    "scenario": "charScenario",
    "charJailbreak": "charInstruction",
    "char_version": "charVersion",
    "version": "charVersion",
    "creatorNotes": "charCreatorNotes",
    "charIfNotGroup": "group",
}
