"""Chats of other programs, told as SillyTavern would write them.

Kobold Lite, CAI Tools, text-generation-webui, Agnai and Risu. Each message keeps what its own
program said of it under ``original``. A file may hold several chats. What has no text is left out;
nothing is guessed from names of files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_values import read_value

Row = dict[str, Any]
_TOKENS = re.compile(r"(\{\{\[(?:INPUT|OUTPUT|SYSTEM)(?:_END)?\]\}\})")
_SPEAKER_OF = {"INPUT": "user", "OUTPUT": "char", "SYSTEM": "system"}
_GROUP = "||$||"  # Kobold Lite puts it between the names of a group
_USER, _CHARACTER = "User", "Character"


@dataclass(frozen=True, slots=True)
class ForeignChat:
    """``jsonl`` is the chat as SillyTavern would have written it; ``name`` is empty without one."""

    name: str
    jsonl: bytes


@dataclass(frozen=True, slots=True)
class _Names:
    user: str = _USER
    character: str = _CHARACTER


def chats_of(text: str) -> list[ForeignChat]:
    """Return the chats in a JSON document of another program; none if it is of no known kind."""
    try:
        value, _end = read_value(text.lstrip("\ufeff \t\r\n"))
    except (ValueError, RecursionError):
        return []
    if not isinstance(value, dict):
        return []
    for is_it, read in _READERS:
        if is_it(value):
            return [chat for chat in read(value) if chat.jsonl.count(b"\n")]
    return []


def is_foreign_chat(value: Row) -> bool:
    """Whether a JSON object looks like a chat of one of the programs known here."""
    return any(is_it(value) for is_it, _read in _READERS)


def _is_kobold(value: Row) -> bool:
    return isinstance(value.get("actions"), list) and (
        "savedsettings" in value or isinstance(value.get("prompt"), str)
    )


def _kobold(value: Row) -> Iterator[ForeignChat]:
    settings = _table(value.get("savedsettings"))
    others = [n.strip() for n in _text(settings.get("chatopponent")).split(_GROUP) if n.strip()]
    names = _Names(
        _text(settings.get("chatname")).strip() or _USER, others[0] if others else _CHARACTER
    )
    pieces = [piece for piece in [value.get("prompt"), *value["actions"]] if _text(piece).strip()]
    if any(_TOKENS.search(piece) for piece in pieces):
        rows = list(_by_tokens(pieces, names))
    else:
        rows = list(_by_names(pieces, names, others))
    yield _chat("", names, rows)


def _by_tokens(pieces: list[str], names: _Names) -> Iterator[Row]:
    speaker = "char"
    for piece in pieces:
        for part in _TOKENS.split(piece):
            if _TOKENS.fullmatch(part):
                kind = part.strip("{[]}")
                speaker = "char" if kind.endswith("_END") else _SPEAKER_OF[kind]
            elif part.strip():
                yield _row(speaker, part.strip(), names, part)


def _by_names(pieces: list[str], names: _Names, others: list[str]) -> Iterator[Row]:
    """Where lines begin with a known name, that is who speaks; else each piece tells the story."""
    known = sorted({names.user, *others}, key=len, reverse=True)
    begins = re.compile(rf"^[ \t]*({'|'.join(map(re.escape, known))}):[ \t]*", re.MULTILINE)
    whole = "".join(pieces)
    if len(begins.findall(whole)) < 2:
        for piece in pieces:
            yield _row("char", piece.strip(), names, piece)
        return
    first, *parts = begins.split(whole)
    if first.strip():
        yield _row("char", first.strip(), names, first)
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        if text.strip():
            row = _row("user" if name == names.user else "char", text.strip(), names, text)
            yield row | {"name": name}


def _is_cai(value: Row) -> bool:
    return isinstance(_table(value.get("histories")).get("histories"), list)


def _cai(value: Row) -> Iterator[ForeignChat]:
    info = _table(_table(value.get("info")).get("character"))
    name = _text(info.get("name")).strip() or _text(value.get("character_name")).strip()
    for history in value["histories"]["histories"]:
        messages = [m for m in _list(_table(history).get("msgs")) if isinstance(m, dict)]
        names = _Names(
            _first(_src_name(m) for m in messages if _is_human(m)) or _USER,
            name or _first(_src_name(m) for m in messages if not _is_human(m)) or _CHARACTER,
        )
        rows = [
            _row("user" if _is_human(m) else "char", _text(m.get("text")), names, m)
            | {"send_date": m.get("created")}
            for m in messages
        ]
        yield _chat(name, names, rows)


def _is_human(message: Row) -> bool:
    return bool(_table(message.get("src")).get("is_human"))


def _src_name(message: Row) -> str:
    return _text(_table(message.get("src")).get("name")).strip()


def _is_webui(value: Row) -> bool:
    return bool(_visible(value))


def _visible(value: Row) -> list[Any]:
    return _list(value.get("data_visible")) or _list(value.get("visible"))


def _webui(value: Row) -> Iterator[ForeignChat]:
    names = _Names(
        _text(value.get("name1")).strip() or _USER, _text(value.get("name2")).strip() or _CHARACTER
    )
    rows = []
    for pair in _visible(value):
        texts = _list(pair)[:2]
        for speaker, text in zip(("user", "char"), texts, strict=False):
            if _text(text) != "<|BEGIN-VISIBLE-CHAT|>":
                rows.append(_row(speaker, _text(text), names, text))
    yield _chat("", names, rows)


def _is_agnai(value: Row) -> bool:
    messages = value.get("messages")
    return isinstance(messages, list) and any(isinstance(m, dict) and "msg" in m for m in messages)


def _agnai(value: Row) -> Iterator[ForeignChat]:
    rows = []
    names = _Names(character=_text(value.get("characterName")).strip() or _CHARACTER)
    for message in value["messages"]:
        m = _table(message)
        speaker = "user" if m.get("userId") else "char"
        row = _row(speaker, _text(m.get("msg")), names, message)
        own = _text(m.get("name") or m.get("handle")).strip()
        rows.append(row | {"send_date": m.get("createdAt")} | ({"name": own} if own else {}))
    yield _chat(_text(value.get("name")).strip(), names, rows)


def _is_risu(value: Row) -> bool:
    return value.get("type") in ("risuChat", "risuAllChats")


def _risu(value: Row) -> Iterator[ForeignChat]:
    data = value.get("data")
    for chat in data if isinstance(data, list) else [data]:
        table = _table(chat)
        names = _Names()
        rows = []
        for message in _list(table.get("message")):
            m = _table(message)
            speaker = "user" if m.get("role") == "user" else "char"
            row = _row(speaker, _text(m.get("data")), names, message)
            own = _text(m.get("name")).strip()
            rows.append(row | {"send_date": m.get("time")} | ({"name": own} if own else {}))
        yield _chat(_text(table.get("name")).strip(), names, rows)


# Whether a document is of a program, and how its chats are read; the surest sign comes first.
_READERS: tuple[tuple[Callable[[Row], bool], Callable[[Row], Iterator[ForeignChat]]], ...] = (
    (_is_risu, _risu),
    (_is_cai, _cai),
    (_is_webui, _webui),
    (_is_kobold, _kobold),
    (_is_agnai, _agnai),
)


def _row(speaker: str, text: str, names: _Names, original: object) -> Row:
    row: Row = {
        "name": {"user": names.user, "char": names.character}.get(speaker, "System"),
        "is_user": speaker == "user",
        "is_system": speaker == "system",
        "mes": text,
    }
    return row | ({"original": original} if original != text else {})


def _chat(name: str, names: _Names, rows: list[Row]) -> ForeignChat:
    header = {"user_name": names.user, "character_name": names.character}
    lines = [header, *(row for row in rows if row["mes"].strip())]
    # ASCII: a lone surrogate of theirs must not end the import.
    return ForeignChat(name, "\n".join(map(json.dumps, lines)).encode("ascii"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _table(value: object) -> Row:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _first(names: Iterator[str]) -> str:
    return next((name for name in names if name), "")
