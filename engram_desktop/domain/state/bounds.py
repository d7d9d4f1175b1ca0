"""Keep what changes a state within what its values may be. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.state.rules import StateRule
from engram_desktop.domain.state.tree import (
    State,
    StateChange,
    StateOp,
    StatePath,
    apply,
    get,
    join_path,
    number,
    plain,
)

_T = QT_TRANSLATE_NOOP
_HELD = _T("reports", "{path} cannot be {wanted}: it is {value}")


class Bounds:
    """Rules, looked up by the place that a change touches."""

    def __init__(self, rules: Iterable[StateRule]) -> None:
        self._rules: dict[str, list[StateRule]] = {}
        for rule in rules:
            self._rules.setdefault(rule.path[0], []).append(rule)

    def begin(self, state: State) -> None:
        """Put the values that a story begins with where the state has none yet."""
        for rule in (rule for rules in self._rules.values() for rule in rules):
            try:
                get(state, rule.path)
            except KeyError:
                if rule.initial is not None:
                    value = [rule.initial, rule.meaning] if rule.meaning else rule.initial
                    apply(state, StateOp("set", rule.path, value))

    def applied(self, state: State, op: StateOp) -> tuple[StateChange, Phrase | None]:
        """Change ``state`` as `tree.apply` does, within bounds; says what was held back."""
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
    """Return what a value becomes under a rule: itself, the nearest there may be, or the old."""
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
