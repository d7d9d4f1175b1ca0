"""MVU: the variables a story has reached, in `variables[swipe].stat_data` of a message.

A leaf is a value, or a value with what it means: `[value, "meaning"]`. Keys with a $ are for MVU
itself. Before the first answer the state is what `[initvar]` entries of worldbooks say, or an
`<initvar>` block of the greeting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import MAX_DEPTH, parse_text, plain_of, table_of, text_of

TOOL = "MVU"
MAX_INITIAL = 200_000  # characters: bounds the time of reading YAML
# Values of one branch: more are no fact that a prompt could tell; bounds YAML, too.
MAX_LEAVES = 400
MAX_FACT = 4_000  # characters of one memory, as of a summary
MARK = "[initvar]"
LeafPath = tuple[str, ...]
_OPEN, _CLOSE = (re.compile(tag, re.IGNORECASE) for tag in ("<initvar>", "</initvar>"))
_FENCE = re.compile(r"^\s*```\w*\s*|\s*```\s*$")


def state_in(row: dict[str, Any]) -> dict[str, Any]:
    """Return the state a message reached, of its chosen swipe; empty if it has none."""
    variables, swipe = row.get("variables"), row.get("swipe_id", 0)
    if isinstance(variables, list):
        is_there = isinstance(swipe, int) and 0 <= swipe < len(variables)
        variables = variables[swipe] if is_there else (variables[-1] if variables else {})
    elif isinstance(variables, dict) and "stat_data" not in variables:
        # the list of swipes again, as a table whose keys are its numbers
        variables = variables.get(str(swipe))
    return table_of(table_of(variables).get("stat_data"))


def initial_in(greeting: str) -> dict[str, Any]:
    """Return the state a greeting begins with; empty if it names none."""
    opening = _OPEN.search(greeting)
    closing = _CLOSE.search(greeting, opening.end()) if opening else None
    return initial_of(greeting[opening.end() : closing.start()]) if opening and closing else {}


def initial_of(text: str) -> dict[str, Any]:
    """Read an initial state, of JSON or YAML; empty if it is neither."""
    text = _FENCE.sub("", text_of(text) if len(text) < MAX_INITIAL else "")
    value = parse_text(text)
    if not isinstance(value, dict):
        value = _of_yaml(text)
    table = table_of(value)
    return table_of(table.get("stat_data")) or table


def of_state(state: dict[str, Any], floor: int) -> Iterator[Adopted]:
    """Yield one fact for each branch of a state, and one for what stands on its own."""
    loose = []
    for key, value in state.items():
        name = plain_of(key)
        if not name or name.startswith("$"):
            continue
        leaves = [*_leaves(value, (), 0)][:MAX_LEAVES]
        if isinstance(value, dict) and leaves:
            yield _fact(f"{name}: {_as_text(leaves)}", name, floor)
        else:
            loose += [((name, *path), text) for path, text in leaves]
    if loose:
        yield _fact(_as_text(loose), "", floor)


def _fact(text: str, place: str, floor: int) -> Adopted:
    return Adopted(
        TOOL,
        text[:MAX_FACT],
        floor,
        floor,
        place=place,
        kind="fact",
        who=(place,) if place else (),
        is_rolling=True,
        is_whole=True,
    )


def _as_text(leaves: list[tuple[LeafPath, str]]) -> str:
    return "; ".join(f"{'.'.join(path)} {text}" if path else text for path, text in leaves)


def _leaves(value: object, path: LeafPath, depth: int) -> Iterator[tuple[LeafPath, str]]:
    """Yield where each leaf stands and what it holds."""
    if depth > MAX_DEPTH:
        return
    match value:
        case dict():
            parts = [(plain_of(key), part) for key, part in value.items()]
        case [inner, str()]:  # the second says what the first means
            parts = list(_numbered_parts(inner)) if isinstance(inner, list) else [("", inner)]
        case list():
            parts = list(_numbered_parts(value))
        case _:
            parts = []
            if text := plain_of(value):
                yield path, text
    for name, part in parts:
        if not name.startswith("$"):
            yield from _leaves(part, (*path, name) if name else path, depth + 1)


def _numbered_parts(values: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the plain values of a list as one, and what is more than that by its number."""
    plain = ", ".join(filter(None, map(plain_of, values)))
    if plain:
        yield "", plain
    for number, part in enumerate(values, 1):
        if isinstance(part, dict | list):
            yield str(number), part


def _of_yaml(text: str) -> Any:
    if text.count("[") + text.count("{") > MAX_LEAVES:
        return None  # nested deep, it is read in quadratic time
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text)):
            return None  # it could grow without end
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
