"""Macros that read and change variables: those of the chat, and those of all chats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence

from engram_desktop.domain.macros.scope import MacroScope, Simple


def _sum(old: str, more: str) -> str:
    """Add numbers as numbers and texts as texts."""
    try:
        total = float(old or 0) + float(more)
    except ValueError:
        return old + more
    return str(int(total)) if total.is_integer() else str(total)


Table = Callable[[MacroScope], MutableMapping[str, str]]


def _changing(table_of: Table, change: Callable[[str, str], str], *, shows: bool = False) -> Simple:
    """Return a macro that makes another value of the old one and the argument."""

    def macro(scope: MacroScope, arguments: Sequence[str]) -> str | None:
        if not arguments or not arguments[0].strip():
            return None
        name, value = arguments[0].strip(), "::".join(arguments[1:])
        table = table_of(scope)
        table[name] = change(table.get(name, ""), value)
        return table[name] if shows else ""

    return macro


def _macros_of(middle: str, table_of: Table) -> dict[str, Simple]:
    """Return the macros of one table of variables; ``middle`` is what their names say of it."""

    def value(scope: MacroScope, arguments: Sequence[str]) -> str | None:
        return table_of(scope).get(arguments[0].strip(), "") if arguments else None

    def is_there(scope: MacroScope, arguments: Sequence[str]) -> str | None:
        return str(arguments[0].strip() in table_of(scope)).lower() if arguments else None

    def delete(scope: MacroScope, arguments: Sequence[str]) -> str | None:
        if not arguments:
            return None
        table_of(scope).pop(arguments[0].strip(), None)
        return ""

    return {
        f"get{middle}var": value,
        f"has{middle}var": is_there,
        f"{middle}varexists": is_there,
        f"delete{middle}var": delete,
        f"flush{middle}var": delete,
        f"set{middle}var": _changing(table_of, lambda _old, new: new),
        f"add{middle}var": _changing(table_of, _sum),
        f"inc{middle}var": _changing(table_of, lambda old, _: _sum(old, "1"), shows=True),
        f"dec{middle}var": _changing(table_of, lambda old, _: _sum(old, "-1"), shows=True),
    }


VARIABLES: Mapping[str, Simple] = {
    **_macros_of("", lambda scope: scope.variables),
    **_macros_of("global", lambda scope: scope.shared),
}
