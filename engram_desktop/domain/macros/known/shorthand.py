"""What ``{{.name += 1}}`` and its like do to a variable and what they show. Values only."""

from __future__ import annotations

import math
from collections.abc import Callable, MutableMapping
from functools import cache
from typing import Any

from engram_desktop.domain.macros.javascript_values import number, trimmed, whole, written
from engram_desktop.domain.macros.known.variable_macros import add, put, value_of

_COMPARED: dict[str, Callable[[float, float], bool]] = {
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
}


def changed(
    table: MutableMapping[str, Any], name: str, operator: str, given: Callable[[], str]
) -> str:
    """Do what ``operator`` says and return what is shown. ``given`` is asked only where it counts.

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
    """The variable; or what is given where it is missing (``??``) or says no (``||``)."""
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
