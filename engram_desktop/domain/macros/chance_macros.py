"""Macros of chance: one of several texts, the same one each time, dice."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from random import Random

from engram_desktop.domain.macros.blocks import MacroCall
from engram_desktop.domain.macros.scope import Function, MacroScope

_DICE = re.compile(r"\s*(\d{0,3})\s*[dD]\s*(\d{1,6})\s*([+-]\s*\d{1,6})?\s*")
_COMMA = re.compile(r"(?<!\\),")


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


CHANCE: Mapping[str, Function] = {"random": _random, "pick": _pick, "roll": _roll}
