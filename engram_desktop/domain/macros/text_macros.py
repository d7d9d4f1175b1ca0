"""Macros of text: blanks, a text backwards, the player's input, outlets of world books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engram_desktop.domain.macros.scope import MacroScope, Simple
from engram_desktop.domain.macros.values import folded


def _newline(_scope: MacroScope, arguments: Sequence[str]) -> str | None:
    return _repeated("\n", arguments)


def _space(_scope: MacroScope, arguments: Sequence[str]) -> str | None:
    return _repeated(" ", arguments)


def _repeated(what: str, arguments: Sequence[str]) -> str | None:
    count = arguments[0].strip() if arguments else "1"
    return what * int(count) if count.isdigit() and len(count) <= 3 else None


def _nothing(_scope: MacroScope, arguments: Sequence[str]) -> str:
    del arguments
    return ""


def _reverse(_scope: MacroScope, arguments: Sequence[str]) -> str | None:
    return "::".join(arguments)[::-1] if arguments else None


def _input(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    return None if arguments else scope.lookup.get("userinput")


def _outlet(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    """Text that a world book has for this outlet; nothing where it has none."""
    return scope.outlets().get(folded(arguments[0].strip()), "") if arguments else None


TEXT: Mapping[str, Simple] = {
    "newline": _newline,
    "space": _space,
    "noop": _nothing,
    "banned": _nothing,
    "reverse": _reverse,
    "input": _input,
    "outlet": _outlet,
}
