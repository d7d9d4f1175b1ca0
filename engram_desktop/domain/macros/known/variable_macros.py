"""Macros that read and change variables: those of the chat, and those of all chats.

A text that is a number counts as one, a list in JSON takes what is added as a new item: all as
SillyTavern's own variables do.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

from engram_desktop.domain.macros.javascript_values import (
    json_text,
    number,
    text_of,
    trimmed,
    whole,
    written,
)
from engram_desktop.domain.macros.scope import Asked, EmptyNameError, Macro, MacroScope

Table = MutableMapping[str, Any]
_NO_JSON: Any = object()
_MAX_ITEMS = 10_000  # of a list: an index beyond them makes it no longer


def value_of(table: Table, name: str) -> Any:
    """Return a variable; a text that is a number as a number, nothing as an empty text."""
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
    """Add to a variable, and return what it is then. Raises EmptyNameError."""
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
    """Set an item of a variable; what is neither list nor object stays as it is.

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
    """Read a value's text as JSON; _NO_JSON where it is none."""
    try:
        return json.loads(text_of(value), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return _NO_JSON


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _macros_of(middle: str, table_of: Callable[[MacroScope], Table]) -> dict[str, Macro]:
    """Return the macros of one table of variables; ``middle`` is what their names say of it."""

    def get(asked: Asked) -> str:
        return written(value_of(table_of(asked.scope), asked.arguments[0]))

    def has(asked: Asked) -> str:
        return "true" if asked.arguments[0] in table_of(asked.scope) else "false"

    def delete(asked: Asked) -> str:
        table_of(asked.scope).pop(asked.arguments[0], None)
        return ""

    def set_(asked: Asked) -> str:
        put(table_of(asked.scope), asked.arguments[0], asked.arguments[1])
        return ""

    def add_(asked: Asked) -> str:
        add(table_of(asked.scope), asked.arguments[0], asked.arguments[1])
        return ""

    def step(by: int) -> Callable[[Asked], str]:
        return lambda asked: written(add(table_of(asked.scope), asked.arguments[0], by))

    def get_item(asked: Asked) -> str:
        return written(item_of(table_of(asked.scope), asked.arguments[0], asked.arguments[1]))

    def set_item(asked: Asked) -> str:
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
