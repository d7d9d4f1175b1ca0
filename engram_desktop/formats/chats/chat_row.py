"""One line of a SillyTavern chat: a header, a message, or something else.

Of a message only ``mes`` counts, the chosen swipe: rejected swipes are no part of the story. Every
type is tolerated in every field; what cannot be read becomes empty, never an exception.

When a message was sent, from every form front ends have written it in.

Times without a zone are read as UTC, so that the same file gives the same times everywhere.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import Any

from engram_desktop.domain.memory.message import ParsedMessage, Role
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.lenient_json import storable

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
        start=1,
    )
}
# 2024-07-12@01h31m37s123ms, 2024-6-5 @14h 56m 50s 682ms, 2024-7-12@01h31m37s
_AT = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s(?:\s*(\d{1,3})ms)?"
)
# June 19, 2023 2:20pm; March 5, 2024 9:02 am; June 19, 2023 14:20
_WORDS = re.compile(
    r"([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4}),? (\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]m)?",
    re.IGNORECASE,
)
_FIRST = 0  # milliseconds: 1970; nothing was sent before
_LAST = 7_258_118_400_000  # the year 2200: a time beyond it is a mistake
_SECONDS_BELOW = 100_000_000_000  # as milliseconds that would be before March 1973


def parse_sent_at(value: object) -> int | None:
    """Return milliseconds since 1970, or None if ``value`` is no time."""
    match value:
        case bool() | None:
            return None
        case int() | float():
            return _number(value)
        case str():
            return _date_text(" ".join(value[:80].split()))
        case _:
            return None


def _number(value: float) -> int | None:
    if not math.isfinite(value) or value <= 0:
        return None
    return _sane(value * 1000 if value < _SECONDS_BELOW else value)


def _sane(milliseconds: float) -> int | None:
    return int(milliseconds) if _FIRST <= milliseconds <= _LAST else None


def _date_text(text: str) -> int | None:
    try:
        if re.fullmatch(r"\d{9,16}(\.\d+)?", text):
            return _number(float(text))
        if match := _AT.fullmatch(text):
            year, month, day, hour, minute, second = map(int, match.groups()[:6])
            moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
            return _milliseconds(moment, int(match[7] or 0))
        if match := _WORDS.fullmatch(text):
            return _words(match)
        moment = datetime.fromisoformat(text)
        return _milliseconds(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def _words(match: re.Match[str]) -> int | None:
    month = _MONTHS.get(match[1][:3].lower())
    hour = int(match[4])
    if month is None:
        return None
    if match[7]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match[7].lower() == "pm" else 0)
    moment = datetime(
        int(match[3]), month, int(match[2]), hour, int(match[5]), int(match[6] or 0), tzinfo=UTC
    )
    return _milliseconds(moment)


def _milliseconds(moment: datetime, extra: int = 0) -> int | None:
    return _sane(round(moment.timestamp() * 1000) + extra)


MAX_NAME = 120  # characters: names stand in lists and prompts; longer ones are accidents
_HEADER_KEYS = frozenset({"user_name", "character_name", "chat_metadata", "create_date"})
_PLACEHOLDER = "unused"  # what SillyTavern writes in place of both names since 2025-11
# Rows the program wrote itself, not a part of any story.
_NOTICES = frozenset(
    {
        "assistant_message",
        "assistant_note",
        "comment",
        "empty",
        "formatting",
        "generic",
        "group",
        "help",
        "hotkeys",
        "macros",
        "slash_commands",
        "welcome",
        "welcome_prompt",
    }
)
_SYSTEM_NAMES = frozenset({"SillyTavern System", "TavernAI System", "System"})


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of most chats. Names are empty where the file gives none."""

    user_name: str
    character_name: str
    metadata: dict[str, Any]
    raw: str


def is_header(row: dict[str, Any]) -> bool:
    """Whether a row is a header: it has no message, and a key only headers have."""
    return "mes" not in row and not _HEADER_KEYS.isdisjoint(row)


def read_header(row: dict[str, Any], raw: str) -> Header:
    """Read a header; ``raw`` is its line, kept as it is."""
    metadata = row.get("chat_metadata")
    return Header(
        user_name=_real_name(row.get("user_name")),
        character_name=_real_name(row.get("character_name") or row.get("name")),
        metadata=metadata if isinstance(metadata, dict) else {},
        raw=raw,
    )


def read_message(
    row: dict[str, Any], raw: str, line: int, header: Header | None
) -> ParsedMessage | None:
    """Return the message of ``row``, or None if it holds no text at all."""
    text = _chosen_text(row)
    if text is None:
        return None
    extra = row.get("extra")
    kind = extra.get("type") if isinstance(extra, dict) else None
    is_hidden = _truth(row.get("is_system"))
    is_user = _truth(row.get("is_user"))
    name = _name(row.get("name"))
    role: Role = "user" if is_user else "assistant"
    if isinstance(kind, str) and kind in _NOTICES:
        role, is_hidden = "system", True
    elif kind == "narrator" or (is_hidden and name in _SYSTEM_NAMES):
        role = "system"
    return ParsedMessage(
        name=name or _fallback_name(role, header),
        role=role,
        text=text,
        is_hidden=is_hidden,
        sent_at=parse_sent_at(row.get("send_date")),
        raw=raw,
        line=line,
        speaker_id=_name(row.get("original_avatar")),
        swipes=max(1, len(row["swipes"])) if isinstance(row.get("swipes"), list) else 1,
    )


def _chosen_text(row: dict[str, Any]) -> str | None:
    text = _text(row.get("mes"))
    if text is not None:
        return text
    swipes, index = row.get("swipes"), row.get("swipe_id")
    if isinstance(swipes, list) and swipes:
        if not isinstance(index, int) or not 0 <= index < len(swipes):
            index = -1
        return _text(swipes[index])
    return None


def _text(value: object) -> str | None:
    """Return a text as written, less what no database can hold. Chub nests it in ``message``."""
    match value:
        case {"message": nested}:
            return _text(nested) if not isinstance(nested, dict) else None
        case str():
            return storable(value)
        case bool():
            return None
        case int() | float():
            return str(value)
        case _:
            return None


def _truth(value: object) -> bool:
    return value.strip().lower() in {"true", "1"} if isinstance(value, str) else bool(value)


def _name(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(storable(str(value)).split())[:MAX_NAME]


def _real_name(value: object) -> str:
    name = _name(value)
    return "" if name == _PLACEHOLDER else name


def _fallback_name(role: Role, header: Header | None) -> str:
    match role:
        case "user":
            return (header.user_name if header else "") or "User"
        case "assistant":
            return (header.character_name if header else "") or "Character"
        case "system":
            return "System"
