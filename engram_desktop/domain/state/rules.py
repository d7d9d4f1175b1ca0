"""Rules for state: which values are allowed, and applying changes within them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.state.tree import (
    State,
    StateChange,
    StateOp,
    StatePath,
    apply,
    get,
    join_path,
    leaves,
    number,
    plain,
    split_path,
)
from engram_desktop.domain.values import dataclass

# Rules of values: types, bounds and initial values; and parsing them. Pure.


ValueType = Literal["any", "number", "integer", "text", "boolean"]
SCHEMA = "$schema"  # in the initial state: rules by path
MAX_RULES = 400  # of one chat: all are checked at each change near them
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
    """The allowed values at ``path``.

    ``low`` and ``high`` bound a number, both included; None is no bound. ``choices``, if any, are
    the allowed texts. ``initial`` is the value at the start of a story, unless set otherwise.
    """

    path: StatePath
    type: ValueType = "any"
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    initial: Any = None
    meaning: str = ""


def rule_of(path: StatePath, value: object) -> StateRule | None:
    """Parse a rule from `{type, min, max, choices, initial, meaning}`; None for anything else."""
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
    """Return a rule in the form that `rule_of` reads."""
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
    """Return the rules in the initial state of a story.

    Its `$schema` has rules by path; and if a value's meaning has a range, such as “0-100” or
    “范围[0,100]”, that includes the value, that is its range.
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


# Apply changes to a state within its rules. Pure.


_T = QT_TRANSLATE_NOOP
_HELD = _T("reports", "{path} cannot be {wanted}: it is {value}")


class Bounds:
    """Rules, looked up by the path of a change."""

    def __init__(self, rules: Iterable[StateRule]) -> None:
        self._rules: dict[str, list[StateRule]] = {}
        for rule in rules:
            self._rules.setdefault(rule.path[0], []).append(rule)

    def begin(self, state: State) -> None:
        """Set the initial values of rules where the state has none yet."""
        for rule in (rule for rules in self._rules.values() for rule in rules):
            try:
                get(state, rule.path)
            except KeyError:
                if rule.initial is not None:
                    value = [rule.initial, rule.meaning] if rule.meaning else rule.initial
                    apply(state, StateOp("set", rule.path, value))

    def applied(self, state: State, op: StateOp) -> tuple[StateChange, Phrase | None]:
        """Change ``state`` as `tree.apply` does, within bounds; also returns what was limited."""
        rules = [rule for rule in self._rules.get(op.path[0], ()) if _is_near(rule.path, op.path)]
        if not rules:
            return apply(state, op), None
        before = {rule.path: _value_at(state, rule.path) for rule in rules}
        change = apply(state, op)
        notice = None
        for rule in rules:
            value = _value_at(state, rule.path)
            if value is None or value == before[rule.path]:
                continue
            kept = _kept(rule, value, before[rule.path])
            if kept == value and type(kept) is type(value):
                continue
            if kept is None:
                apply(state, StateOp("remove", rule.path))
            else:
                apply(state, StateOp("set", rule.path, kept))
            if _shown(kept).casefold() != _shown(value).strip().casefold():
                notice = Phrase(
                    _HELD, path=join_path(rule.path), wanted=_shown(value), value=_shown(kept)
                )
        return replace(change, new=_value_at(state, change.path)), notice


def _kept(rule: StateRule, value: Any, old: Any) -> Any:
    """Return a value as a rule allows it: itself, the nearest allowed one, or the old one."""
    is_bounded = (rule.low, rule.high) != (None, None)
    amount = number(value)
    if rule.type in ("number", "integer") or (rule.type == "any" and is_bounded and amount):
        return old if amount is None else _nearest(rule, amount)
    if rule.type == "boolean":
        words = {"true": True, "false": False}
        said = words.get(value.strip().lower()) if isinstance(value, str) else value
        return said if isinstance(said, bool) else old
    is_text = isinstance(value, str) or rule.type != "text"
    return value if is_text and (not rule.choices or value in rule.choices) else old


def _nearest(rule: StateRule, amount: float) -> float:
    amount = amount if rule.low is None else max(amount, rule.low)
    amount = amount if rule.high is None else min(amount, rule.high)
    return round(amount) if rule.type == "integer" or amount == int(amount) else amount


def _is_near(one: StatePath, other: StatePath) -> bool:
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def _value_at(state: State, path: StatePath) -> Any:
    try:
        return plain(get(state, path))
    except KeyError:
        return None


def _shown(value: object) -> str:
    return "–" if value is None else str(value)[:80]
