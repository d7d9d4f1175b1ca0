"""One line of a SillyTavern chat: a header, a message, or something else.

Of a message only ``mes`` counts, the chosen swipe: rejected swipes are no part of the story. Every
type is tolerated in every field; what cannot be read becomes empty, never an exception.
"""

from __future__ import annotations

from typing import Any

from engram_desktop.domain.memory.message import ParsedMessage, Role
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.dates import parse_sent_at
from engram_desktop.formats.lenient_json import storable

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
