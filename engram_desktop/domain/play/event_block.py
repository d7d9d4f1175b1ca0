"""Read what stands in `<record_event>` and `<trigger_flag>`: child tags, JSON, or plain words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from engram_desktop.domain.memory.extraction import MAX_NAME, MAX_SUMMARY, clean_text
from engram_desktop.domain.play.pieces import RecordedEvent

MAX_BLOCK = 100_000  # characters of one block that are looked at: bounds its time
MAX_NAMES = 40  # participants, tags or flags of one block: more is no event of a scene
_NAMES = ("type", "summary", "participants", "location", "tags")
_BETWEEN = re.compile(r"[,，、;；|\n]")
_ANY_TAG = re.compile(r"<[^<>]{0,200}>")


def read_event_block(text: str) -> RecordedEvent | None:
    """Return the event a block records; None where it tells of nothing."""
    text = text.strip()[:MAX_BLOCK]
    fields = _json_fields(text)
    if fields is None:
        fields = {name: _child(text, name) for name in _NAMES}
        if not any(fields.values()):
            fields = {"summary": _ANY_TAG.sub(" ", text)}
    return event_of(fields)


def event_of(fields: Mapping[str, Any]) -> RecordedEvent | None:
    """Return the event that named fields tell of; None without a summary."""
    summary = _text(fields.get("summary"), MAX_SUMMARY)
    if not summary:
        return None
    return RecordedEvent(
        summary,
        _text(fields.get("type"), MAX_NAME),
        _names(fields.get("participants")),
        _text(fields.get("location"), MAX_NAME),
        _names(fields.get("tags")),
    )


def read_flags(text: str) -> tuple[str, ...]:
    """Return the flags a block sets, by name."""
    text = text.strip()[:MAX_BLOCK]
    fields = _json_fields(text)
    if fields is not None:
        return _names(fields.get("flags", fields.get("flag", fields.get("name"))))
    return _names(_ANY_TAG.sub(" ", text))


def _json_fields(text: str) -> Mapping[str, Any] | None:
    if text[:1] != "{":
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _child(text: str, name: str) -> str:
    """Return what stands in the first child tag of this name; an unclosed one ends at the next."""
    begin = re.search(rf"<{name}(?:\s[^<>]{{0,200}})?>", text, re.IGNORECASE)
    if begin is None:
        return ""
    end = re.compile(r"</?\w", re.ASCII).search(text, begin.end())
    close = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, begin.end())
    stop = close or end
    return text[begin.end() : stop.start() if stop else len(text)]


def _names(value: object) -> tuple[str, ...]:
    parts = value if isinstance(value, list) else [value]
    words = [w for part in parts if isinstance(part, str) for w in _BETWEEN.split(part)]
    names = (clean_text(word, MAX_NAME) for word in words)
    return tuple(dict.fromkeys(name for name in names if name))[:MAX_NAMES]


def _text(value: object, limit: int) -> str:
    return clean_text(value, limit) if isinstance(value, str) else ""
