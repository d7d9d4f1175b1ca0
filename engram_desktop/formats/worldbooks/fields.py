"""The fields of an entry in SillyTavern's files: key there, name here, and how each is read.

Every reader raises ValueError for a value that cannot be one of its field.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.worldbooks.worldbook import (
    ENTRY_MODES,
    ROLES,
    TRIGGERS,
    CardField,
    CharacterFilter,
    Logic,
    Position,
    mode_flags,
    split_keys,
)


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value in (0, 1, None):
        return bool(value)
    raise ValueError(value)


def _choice(value: Any) -> bool | None:
    return None if value is None else _flag(value)


def _number(value: Any) -> float:
    if isinstance(value, str):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(value)
    return value


def _whole(value: Any) -> int:
    """Read a number of messages, steps or levels; null is none, as old files say false for it."""
    return int(value) if isinstance(value, bool) else 0 if value is None else int(_number(value))


def _role(value: Any) -> int:
    number = _whole(value)
    if not 0 <= number < len(ROLES):
        raise ValueError(value)
    return number


def _maybe_whole(value: Any) -> int | None:
    return None if value is None else _whole(value)


def _string(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004 - every reader says ValueError
    return value


def _strings(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if not isinstance(value, list):
        raise ValueError(value)  # noqa: TRY004 - every reader says ValueError
    return tuple(item for item in value if isinstance(item, str) and item)


def _keys(value: Any) -> tuple[str, ...]:
    """Read keys; an empty one is found nowhere, which is something else than no key."""
    is_list = isinstance(value, list)
    return tuple(k for k in value if isinstance(k, str)) if is_list else _strings(value)


def _filter(value: Any) -> CharacterFilter | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ValueError(value)  # noqa: TRY004 - every reader says ValueError
    return CharacterFilter(
        _strings(value.get("names")), _strings(value.get("tags")), _flag(value.get("isExclude"))
    )


Reader = Callable[[Any], Any]
FIELDS: dict[str, tuple[str, Reader]] = {
    "key": ("keys", _keys),
    "keysecondary": ("secondary_keys", _keys),
    "comment": ("comment", _string),
    "content": ("content", _string),
    "constant": ("is_constant", _flag),
    "vectorized": ("is_vectorized", _flag),
    "selective": ("is_selective", _flag),
    "selectiveLogic": ("logic", lambda value: Logic(_whole(value))),
    "order": ("order", _number),
    "position": ("position", lambda value: Position(_whole(value))),
    "disable": ("is_disabled", _flag),
    "ignoreBudget": ("ignore_budget", _flag),
    "excludeRecursion": ("exclude_recursion", _flag),
    "preventRecursion": ("prevent_recursion", _flag),
    "delayUntilRecursion": ("delay_until_recursion", _whole),
    "probability": ("probability", _number),
    "useProbability": ("use_probability", _flag),
    "depth": ("depth", _whole),
    "outletName": ("outlet_name", _string),
    "group": ("group", _string),
    "groupOverride": ("group_override", _flag),
    "groupWeight": ("group_weight", _number),
    "scanDepth": ("scan_depth", _maybe_whole),
    "caseSensitive": ("case_sensitive", _choice),
    "matchWholeWords": ("match_whole_words", _choice),
    "useGroupScoring": ("use_group_scoring", _choice),
    "automationId": ("automation_id", _string),
    "role": ("role", _role),
    "sticky": ("sticky", _whole),
    "cooldown": ("cooldown", _whole),
    "delay": ("delay", _whole),
    "triggers": ("triggers", _strings),
    "characterFilter": ("character_filter", _filter),
}
# What an entry is where its file says nothing of it: JavaScript takes that for "no".
UNSAID: dict[str, Any] = {"is_selective": False, "use_probability": False}
MATCHES: dict[str, CardField] = {
    "matchPersonaDescription": "persona_description",
    "matchCharacterDescription": "character_description",
    "matchCharacterPersonality": "character_personality",
    "matchCharacterDepthPrompt": "character_depth_prompt",
    "matchScenario": "scenario",
    "matchCreatorNotes": "creator_notes",
}
# A new entry, in the order in which SillyTavern writes one.
TEMPLATE: dict[str, Any] = {
    "key": [],
    "keysecondary": [],
    "comment": "",
    "content": "",
    "constant": False,
    "vectorized": False,
    "selective": True,
    "selectiveLogic": 0,
    "addMemo": False,
    "order": 100,
    "position": 0,
    "disable": False,
    "ignoreBudget": False,
    "excludeRecursion": False,
    "preventRecursion": False,
    **dict.fromkeys(MATCHES, False),
    "delayUntilRecursion": 0,
    "probability": 100,
    "useProbability": True,
    "depth": 4,
    "outletName": "",
    "group": "",
    "groupOverride": False,
    "groupWeight": 100,
    "scanDepth": None,
    "caseSensitive": None,
    "matchWholeWords": None,
    "useGroupScoring": None,
    "automationId": "",
    "role": 0,
    "sticky": None,
    "cooldown": None,
    "delay": None,
    "triggers": [],
}


# One field of a worldbook entry as text: `order=50`, `matchScenario=true`, `key=门,钥匙`.
#
# Names are SillyTavern's or this program's own. A value is read as its file would hold it.


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
