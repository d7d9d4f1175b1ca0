"""What values of a state may be: their types, bounds and how they begin; and reading that. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from engram_desktop.domain.state.tree import State, StatePath, leaves, number, split_path
from engram_desktop.domain.values import dataclass

ValueType = Literal["any", "number", "integer", "text", "boolean"]
SCHEMA = "$schema"  # in the state a story begins with: rules by place
MAX_RULES = 400  # of one chat: each is looked at for every change near it
_MAX_MEANING = 500  # characters: bounds what is searched and shown
_TYPES: dict[str, ValueType] = {
    "number": "number",
    "float": "number",
    "integer": "integer",
    "int": "integer",
    "string": "text",
    "text": "text",
    "boolean": "boolean",
    "bool": "boolean",
}
_NUMBER = r"-?\d{1,9}(?:\.\d{1,6})?"
_RANGE = re.compile(
    rf"(?:[\[(（【]\s*|(?:范围|區間|区间|取值|range|between|from)[^\d\-]{{0,8}}|(?<![\d.\-]))"
    rf"(?P<low>{_NUMBER})\s*(?:[,，~～\-–—]|至|到|to|and)\s*(?P<high>{_NUMBER})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StateRule:
    """What the value at ``path`` may be.

    ``low`` and ``high`` bound a number, both included; None is no bound. ``choices``, if any, are
    all texts there may be. ``initial`` is what a story begins with where nothing else says it.
    """

    path: StatePath
    type: ValueType = "any"
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    initial: Any = None
    meaning: str = ""


def rule_of(path: StatePath, value: object) -> StateRule | None:
    """Read a rule from `{type, min, max, choices, initial, meaning}`; None for anything else."""
    if not isinstance(value, Mapping) or not any(path):
        return None
    name = value.get("type")
    choices = value.get("choices", value.get("enum"))
    low = _bound(value, "min", "low", "minimum")
    high = _bound(value, "max", "high", "maximum")
    if low is not None and high is not None and low > high:
        low, high = high, low
    return StateRule(
        path,
        _TYPES.get(name, "any") if isinstance(name, str) else "any",
        low,
        high,
        tuple(c for c in choices if isinstance(c, str)) if isinstance(choices, list) else (),
        value.get("initial", value.get("default")),
        str(value.get("meaning", value.get("description")) or "")[:_MAX_MEANING],
    )


def rule_fields(rule: StateRule) -> dict[str, Any]:
    """Return a rule as `rule_of` reads it."""
    fields = {
        "type": rule.type,
        "min": rule.low,
        "max": rule.high,
        "choices": list(rule.choices),
        "initial": rule.initial,
        "meaning": rule.meaning,
    }
    return {name: value for name, value in fields.items() if value not in (None, [], "")}


def rules_in(state: State) -> list[StateRule]:
    """Return what the state that a story begins with says of its values.

    Its `$schema` names rules by place; and where a value's meaning tells of a range, such as
    “0-100” or “范围[0,100]”, and the value is inside, that is its range.
    """
    rules: dict[StatePath, StateRule] = {}
    for leaf in leaves(state):
        bounds = _range_in(leaf.meaning)
        value = number(leaf.value)
        if bounds is not None and value is not None and bounds[0] <= value <= bounds[1]:
            whole = isinstance(value, int) and all(bound == int(bound) for bound in bounds)
            kind: ValueType = "integer" if whole else "number"
            rules[leaf.path] = StateRule(
                leaf.path, kind, *bounds, initial=leaf.value, meaning=leaf.meaning
            )
    schema = state.get(SCHEMA)
    if isinstance(schema, Mapping):
        for name, value in list(schema.items())[:MAX_RULES]:
            rule = rule_of(split_path(str(name)), value)
            if rule is not None:
                rules[rule.path] = rule
    return list(rules.values())[:MAX_RULES]


def _range_in(meaning: str) -> tuple[float, float] | None:
    hit = _RANGE.search(meaning[:_MAX_MEANING])
    if hit is None:
        return None
    low, high = float(hit["low"]), float(hit["high"])
    return (low, high) if low < high else None


def _bound(value: Mapping[str, Any], *names: str) -> float | None:
    bound = next((value[name] for name in names if value.get(name) is not None), None)
    return number(bound)
