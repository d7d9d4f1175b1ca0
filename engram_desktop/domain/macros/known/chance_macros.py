"""Macros of chance: one of several texts, the same one each time, dice."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from engram_desktop.domain.macros.javascript_values import trimmed
from engram_desktop.domain.macros.known.same_pick import picked, text_hash
from engram_desktop.domain.macros.scope import Asked, Macro

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
