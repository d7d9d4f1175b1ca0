"""One field of a worldbook entry as text: `order=50`, `matchScenario=true`, `key=门,钥匙`.

Names are SillyTavern's or this program's own. A value is read as its file would hold it.
"""

from __future__ import annotations

import json
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.worldbooks.worldbook import (
    ENTRY_MODES,
    TRIGGERS,
    CharacterFilter,
    mode_flags,
    split_keys,
)
from engram_desktop.formats.worldbooks.fields import FIELDS, MATCHES

# Lowest and highest: SillyTavern's where it has such, else a million either way bounds mistakes.
_RANGES: dict[str, tuple[float, float]] = {
    "probability": (0, 100),
    "depth": (0, 1_000_000),
    "group_weight": (0, 1_000_000),
    "scan_depth": (0, 1000),
    "role": (0, 2),
    "sticky": (0, 1_000_000),
    "cooldown": (0, 1_000_000),
    "delay": (0, 1_000_000),
    "delay_until_recursion": (0, 1_000_000),
    "order": (-1_000_000, 1_000_000),
}
_OF_OURS = {ours: key for key, (ours, _read) in FIELDS.items()}
_MATCH_OF = {f"match_{field}": field for field in MATCHES.values()} | MATCHES
NAMES = (*FIELDS, *MATCHES, "heading", "mode")


class BadField(InputError):
    """``name``, and ``names`` there are."""

    text = QT_TRANSLATE_NOOP("errors", "An entry has no field “{name}”; there are: {names}.")


class BadValue(InputError):
    """``value`` as it was typed for the field ``name``."""

    text = QT_TRANSLATE_NOOP("errors", "“{value}” is no value for the field {name}.")


def read_field(name: str, text: str) -> dict[str, Any]:
    """Return what `Entry` calls a field, and its value. Raises BadField, BadValue."""
    name = name.strip()
    if name == "mode":
        mode = next((mode for mode in ENTRY_MODES if mode == text), None)
        if mode is None:
            raise BadValue(name=name, value=text)
        return dict(mode_flags(mode))
    if name == "heading":
        return {"heading": text.strip()}
    key = _OF_OURS.get(name, name)
    if key not in FIELDS and key not in _MATCH_OF:
        raise BadField(name=name, names=", ".join(NAMES))
    try:
        value = _value(key, text)
    except (ValueError, OverflowError, RecursionError):
        raise BadValue(name=name, value=text) from None
    if key in _MATCH_OF:
        return {"matches": {_MATCH_OF[key]: value}}
    ours = FIELDS[key][0]
    low, high = _RANGES.get(ours, (None, None))
    if value is not None and low is not None and high is not None and not low <= value <= high:
        raise BadValue(name=name, value=text)
    return {ours: value}


def _value(key: str, text: str) -> Any:
    if key in _MATCH_OF:
        value = json.loads(text)
        if not isinstance(value, bool):
            raise ValueError(text)
        return value
    ours, read = FIELDS[key]
    match ours:
        case "comment" | "content" | "outlet_name" | "group" | "automation_id":
            return text
        case "keys" | "secondary_keys" if not text.lstrip().startswith("["):
            return split_keys(text)
        case "triggers":
            words = text.split(",") if not text.lstrip().startswith("[") else json.loads(text)
            if unknown := {t.strip() for t in words if t.strip()} - set(TRIGGERS):
                raise ValueError(unknown)
            return read([t.strip() for t in words])
        case "character_filter":
            audience = read(json.loads(text))
            return CharacterFilter() if audience is None else audience
    value = json.loads(text)
    if isinstance(value, str):
        raise ValueError(text)  # noqa: TRY004 - every reader says ValueError
    return read(value)
