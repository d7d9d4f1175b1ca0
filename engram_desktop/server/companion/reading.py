"""What a companion sends, read as values. Its JSON is hostile: whatever is odd is refused."""

from __future__ import annotations

from typing import Any, get_args

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.serving.companion import (
    CompanionQuestion,
    Generation,
    Told,
    ToldChat,
    ToldGone,
    ToldMessage,
    ToldOffer,
    ToldPiece,
    ToldRows,
)
from engram_desktop.formats.lenient_json import storable

_MAX_NAME = 300  # characters of a name; SillyTavern's are file names
_MAX_SAID = 50  # newest messages that are read
_MAX_TEXT = 100_000  # characters of one of them: enough to search by
_MAX_FLOOR = 10_000_000  # beyond any chat
_MAX_MEMBERS = 500  # of a group


class BadRequest(InputError):
    """``name`` of what is missing, or no such thing as it should be."""

    text = QT_TRANSLATE_NOOP("errors", "The companion's request lacks “{name}”.")
    hint = QT_TRANSLATE_NOOP("errors", "Install the companion of this version of Engram again.")


def read_chat(body: dict[str, Any]) -> ToldChat:
    """Read which chat is meant. Raises BadRequest."""
    row = body.get("chat")
    if not isinstance(row, dict):
        raise BadRequest(name="chat")
    members = row.get("members")
    return ToldChat(
        tavern=_text(row, "tavern"),
        owner=_text(row, "owner"),
        file=_text(row, "file"),
        is_group=row.get("is_group") is True,
        group_name=_optional(row, "group_name"),
        members=tuple(
            _clean(member) for member in members[:_MAX_MEMBERS] if isinstance(member, str)
        )
        if isinstance(members, list)
        else (),
        slip=_optional(row, "slip"),
    )


def read_told(body: dict[str, Any]) -> Told:
    """Read what is told of a chat. Raises BadRequest."""
    chat = read_chat(body)
    match body.get("what"):
        case "piece":
            return ToldPiece(
                chat,
                _text(body, "upload"),
                _floor(body, "number"),
                _floor(body, "count"),
                _rows(body),
                _header(body),
            )
        case "rows":
            return ToldRows(
                chat,
                _text(body, "revision"),
                _floor(body, "first"),
                _floor(body, "removed"),
                _rows(body),
                _floor(body, "total"),
                _header(body),
            )
        case "offer":
            return ToldOffer(chat, _optional(body, "revision"))
        case "gone":
            return ToldGone(chat)
    raise BadRequest(name="what")


def read_question(body: dict[str, Any]) -> CompanionQuestion:
    """Read what is asked before a generation. Raises BadRequest."""
    kinds: dict[object, Generation] = {kind: kind for kind in get_args(Generation)}
    said = body.get("said")
    first = body.get("visible_from")
    return CompanionQuestion(
        chat=read_chat(body),
        generation=kinds.get(_optional(body, "type"), "normal"),
        speaker=_optional(body, "speaker"),
        until=_floor(body, "until", least=-1),
        said=tuple(
            ToldMessage(_optional(row, "name"), row.get("is_user") is True, _words(row))
            for row in said[-_MAX_SAID:]
            if isinstance(row, dict)
        )
        if isinstance(said, list)
        else (),
        visible_from=_floor(body, "visible_from") if isinstance(first, int) else None,
    )


def read_text(body: dict[str, Any], name: str) -> str:
    """Read a text that must be there. Raises BadRequest."""
    return _text(body, name)


def _rows(body: dict[str, Any]) -> tuple[str, ...]:
    rows = body.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise BadRequest(name="rows")
    return tuple(rows)


def _header(body: dict[str, Any]) -> str:
    header = body.get("header")
    return header if isinstance(header, str) else ""


def _words(row: dict[str, Any]) -> str:
    text = row.get("text")
    return storable(text[-_MAX_TEXT:]) if isinstance(text, str) else ""


def _text(row: dict[str, Any], name: str) -> str:
    text = _optional(row, name)
    if not text:
        raise BadRequest(name=name)
    return text


def _optional(row: dict[str, Any], name: str) -> str:
    text = row.get(name)
    return _clean(text) if isinstance(text, str) else ""


def _clean(text: str) -> str:
    return storable(text[:_MAX_NAME])


def _floor(row: dict[str, Any], name: str, least: int = 0) -> int:
    value = row.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _MAX_FLOOR:
        raise BadRequest(name=name)
    return value
