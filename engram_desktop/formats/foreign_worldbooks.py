"""Convert other programs' worldbooks to SillyTavern's form: V2/V3 cards, NovelAI, Agnai, Risu.

Unknown fields are kept under ``extensions`` of the entry. The files themselves are kept unchanged
by the storage of the worldbook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engram_desktop.domain.worldbooks.worldbook import WorldbookKind

Row = dict[str, Any]
# Keys under ``extensions`` in a character worldbook, and their names in a worldbook.
EXTENDED = {
    "position": "position",
    "exclude_recursion": "excludeRecursion",
    "prevent_recursion": "preventRecursion",
    "delay_until_recursion": "delayUntilRecursion",
    "display_index": "displayIndex",
    "probability": "probability",
    "useProbability": "useProbability",
    "depth": "depth",
    "selectiveLogic": "selectiveLogic",
    "outlet_name": "outletName",
    "group": "group",
    "group_override": "groupOverride",
    "group_weight": "groupWeight",
    "scan_depth": "scanDepth",
    "case_sensitive": "caseSensitive",
    "match_whole_words": "matchWholeWords",
    "use_group_scoring": "useGroupScoring",
    "automation_id": "automationId",
    "role": "role",
    "vectorized": "vectorized",
    "sticky": "sticky",
    "cooldown": "cooldown",
    "delay": "delay",
    "match_persona_description": "matchPersonaDescription",
    "match_character_description": "matchCharacterDescription",
    "match_character_personality": "matchCharacterPersonality",
    "match_character_depth_prompt": "matchCharacterDepthPrompt",
    "match_scenario": "matchScenario",
    "match_creator_notes": "matchCreatorNotes",
    "triggers": "triggers",
    "ignore_budget": "ignoreBudget",
}


def kind_of(value: Any) -> WorldbookKind | None:
    """Return the kind of a JSON document's worldbook, or None."""
    match value:
        case {"spec": "lorebook_v3", "data": {"entries": list()}}:
            return "lorebook_v3"
        case {"type": "risu", "data": list()}:
            return "risu"
        case {"lorebookVersion": _, "entries": list()}:
            return "novelai"
        case {"kind": "memory", "entries": list()}:
            return "agnai"
        case {"entries": dict() | list() as entries}:
            rows = entries.values() if isinstance(entries, dict) else entries
            return "character_book" if any(map(_is_of_card, rows)) else "sillytavern"
    return None


def _is_of_card(row: Any) -> bool:
    return isinstance(row, dict) and "keys" in row and "key" not in row


def convert(kind: WorldbookKind, value: Row, template: Mapping[str, Any]) -> tuple[str, list[Row]]:
    """Return the worldbook's own name, and its entries with SillyTavern's keys."""
    if kind == "lorebook_v3":
        value = value["data"]
    rows = value["data"] if kind == "risu" else value["entries"]
    read = _READERS.get(kind, card_entry)
    sequence: Iterable[Any] = rows.values() if isinstance(rows, dict) else rows
    entries = [read(row) for row in sequence if isinstance(row, dict)]
    name = value.get("name")
    known = template.keys()
    return (name if isinstance(name, str) else ""), [_tidy(row, known) for row in entries]


def _tidy(row: Row, known: Iterable[str]) -> Row:
    """Drop missing values, so that those of a new entry apply."""
    allowed = {"extensions", "displayIndex", *known}
    return {key: value for key, value in row.items() if key in allowed and value is not None}


def card_entry(row: Row) -> Row:
    """Convert an entry of a V2 or V3 character worldbook."""
    extensions = row.get("extensions")
    extensions = extensions if isinstance(extensions, dict) else {}
    comment = row.get("comment") or row.get("name") or ""
    entry: Row = {
        "key": _key_list(row.get("keys")),
        "keysecondary": _key_list(row.get("secondary_keys")),
        "comment": comment,
        "content": row.get("content", ""),
        "constant": row.get("constant"),
        "selective": row.get("selective", False),
        "order": row.get("insertion_order", row.get("insertionOrder")),
        "position": 1 if row.get("position") == "after_char" else 0,
        "disable": not row.get("enabled", True),
        "addMemo": bool(comment),
        "caseSensitive": row.get("case_sensitive"),
    }
    entry |= {
        ours: extensions[theirs]
        for theirs, ours in EXTENDED.items()
        if extensions.get(theirs) is not None
    }
    if row.get("use_regex") is True and not entry.get("extensions"):
        entry["key"] = [_as_regex(key, row) if _is_bare(key, row) else key for key in entry["key"]]
    return entry | {"extensions": extensions}


def _is_bare(key: str, row: Row) -> bool:
    """Return whether a V3 key is a pattern without slashes.

    SillyTavern sets the flag on every entry it writes; its keys are plain, or between slashes.
    """
    return not is_of_tavern(row) and not (key.startswith("/") and key.rfind("/") > 0)


def is_of_tavern(row: Row) -> bool:
    """Return whether SillyTavern wrote an entry of a card."""
    extensions = row.get("extensions")
    return isinstance(extensions, dict) and "selectiveLogic" in extensions


def _as_regex(key: str, row: Row) -> str:
    escaped = key.replace("\\/", "/").replace("/", "\\/")
    return f"/{escaped}/" + ("" if row.get("case_sensitive") else "i")


def _novelai(row: Row) -> Row:
    context = row.get("contextConfig")
    order = context.get("budgetPriority") if isinstance(context, dict) else None
    return {
        "key": _key_list(row.get("keys")),
        "comment": row.get("displayName", ""),
        "addMemo": bool(row.get("displayName")),
        "content": row.get("text", ""),
        "constant": bool(row.get("forceActivation")),
        "order": order,
        "selective": False,
        "disable": not row.get("enabled", True),
        "scanDepth": None,
    }


def _agnai(row: Row) -> Row:
    return {
        "key": _key_list(row.get("keywords")),
        "comment": row.get("name", ""),
        "addMemo": bool(row.get("name")),
        "content": row.get("entry", ""),
        "order": row.get("weight"),
        "selective": False,
        "disable": not row.get("enabled", True),
    }


def _risu(row: Row) -> Row:
    percent = row.get("activationPercent")
    entry: Row = {
        "key": _key_list(row.get("key")),
        "keysecondary": _key_list(row.get("secondkey")),
        "comment": row.get("comment", ""),
        "addMemo": bool(row.get("comment")),
        "content": row.get("content", ""),
        "constant": bool(row.get("alwaysActive")),
        "selective": bool(row.get("selective")),
        "order": row.get("insertorder"),
        "probability": percent,
        "useProbability": percent is not None,
        "disable": row.get("mode") == "folder",  # a heading of Risu's list, without a text
    }
    if row.get("useRegex"):
        key = row.get("key")
        entry["key"] = [key] if isinstance(key, str) and key else []
        entry["key"] = [_as_regex(k, {}) if not k.startswith("/") else k for k in entry["key"]]
    return entry


def _key_list(value: Any) -> list[str]:
    """Return keys as a list; Risu and old worldbooks join them with commas."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return [part.strip() for part in parts if isinstance(part, str) and part.strip()]


_READERS: dict[WorldbookKind, Callable[[Row], Row]] = {
    "novelai": _novelai,
    "agnai": _agnai,
    "risu": _risu,
}
