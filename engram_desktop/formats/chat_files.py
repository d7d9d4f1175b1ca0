"""Detect the kind of a file the user has chosen, and read the chats in it.

Chats of other programs are converted to SillyTavern's format: Kobold Lite, CAI Tools,
text-generation-webui, Agnai and Risu. Each message keeps its original fields under ``original``.
Messages without text are left out; nothing is guessed from file names.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.chat_jsonl import ChatFile, is_header, look_through
from engram_desktop.formats.foreign_memories import is_risu, is_sync
from engram_desktop.formats.json_values import read_value
from engram_desktop.formats.plain_file import FileKind, SourceFile, lines_of, opened
from engram_desktop.formats.volume_file import FORMAT as VOLUME

Row = dict[str, Any]
_TOKENS = re.compile(r"(\{\{\[(?:INPUT|OUTPUT|SYSTEM)(?:_END)?\]\}\})")
_SPEAKER_OF = {"INPUT": "user", "OUTPUT": "char", "SYSTEM": "system"}
_GROUP = "||$||"  # used by Kobold Lite between the names of a group
_USER, _CHARACTER = "User", "Character"


@dataclass(frozen=True, slots=True)
class ForeignChat:
    """``jsonl`` is the chat in SillyTavern's format; ``name`` is empty if the file gives none."""

    name: str
    jsonl: bytes


@dataclass(frozen=True, slots=True)
class _Names:
    user: str = _USER
    character: str = _CHARACTER


def chats_of(text: str) -> list[ForeignChat]:
    """Return the chats in a JSON document of another program; empty if its kind is unknown."""
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
    """Return whether a JSON object looks like a chat of one of the known programs."""
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
    """Split messages at lines that begin with a known name; else each piece is of the character."""
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


# Tests for the program of a document, and readers of its chats; the most certain test first.
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
    # ASCII, so that a lone surrogate does not end the import.
    return ForeignChat(name, "\n".join(map(json.dumps, lines)).encode("ascii"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _table(value: object) -> Row:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _first(names: Iterator[str]) -> str:
    return next((name for name in names if name), "")


# Detect the kind of a file by its content. Its name is not trusted.


_T = QT_TRANSLATE_NOOP
IN_WORDS: dict[FileKind, str] = {
    "chat_jsonl": _T("reports", "a chat"),
    "card_png": _T("reports", "a character card (PNG)"),
    "card_json": _T("reports", "a character card (JSON)"),
    "charx": _T("reports", "a ZIP archive or CHARX card"),
    "world_info": _T("reports", "a world book"),
    "regex_script": _T("reports", "a regex script"),
    "chat_json": _T("reports", "a chat of another program"),
    "memories": _T("reports", "a file of memories"),
    "volume": _T("reports", "a volume"),
    "empty": _T("reports", "an empty file"),
    "unknown": _T("reports", "a file of an unknown kind"),
}
MAX_JSON = 64_000_000  # bytes: the largest that any reader of JSON here takes
_FIRST_LINES = 20  # a chat is recognised by its first lines


class WrongKind(InputError):
    """The file is of another ``kind`` than the expected one."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is {kind}, not a chat.")
    hint = QT_TRANSLATE_NOOP("errors", "Choose a .jsonl file from SillyTavern's chats folder.")


class VolumeFile(WrongKind):
    """The file is a volume, which has its own import."""

    hint = QT_TRANSLATE_NOOP("errors", "Take it in under Volumes, in a chat's menu.")
    command_hint = "Take it in with `engram volume import`."


def sniff(file: Path | SourceFile) -> FileKind:
    """Return the kind of a file. Raises HoldsKeys, OSError."""
    source = opened(file)
    if source.kind is None:
        source.kind = _kind_of(source)
    return source.kind


def _kind_of(source: SourceFile) -> FileKind:
    with source.open() as stream:
        head = stream.read(8)
        is_packed = zipfile.is_zipfile(stream)
    if not head:
        return "empty"
    if head.startswith(b"\x89PNG"):
        return "card_png"
    if head.startswith(b"PK\x03\x04"):
        return "charx"
    if is_packed:  # a card after a picture or a self-extracting program
        return "charx"
    return _by_lines(source) or _by_document(source)


def _by_lines(source: SourceFile) -> FileKind | None:
    """Recognise a chat by its first lines, some of which may be broken."""
    for line in source.lines():
        if line.number > _FIRST_LINES:
            return None
        try:
            row, _ = read_value(line.text or "")
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict) and "mes" in row:
            return "chat_jsonl"
        if isinstance(row, dict) and is_header(row):
            kind = _by_keys(row)  # a card in one line has a date, as headers do
            return "chat_jsonl" if kind == "unknown" else kind
    return None


def _by_document(source: SourceFile) -> FileKind:
    if source.stamp[0] > MAX_JSON:
        return "unknown"
    try:
        text = source.read(MAX_JSON).decode(source.encoding, "replace")
        value, _end = read_value(text.lstrip("\ufeff \t\r\n"))
    except (ValueError, RecursionError):
        return "unknown"
    if isinstance(value, list) and value:
        value = value[0]
    return _by_keys(value) if isinstance(value, dict) else "unknown"


def _by_keys(value: dict[str, Any]) -> FileKind:
    keys = value.keys()
    if "findRegex" in keys or {"scriptName", "replaceString"} <= keys:
        return "regex_script"
    if "spec" in keys and str(value["spec"]).startswith("chara_card"):
        return "card_json"
    if {"first_mes", "description"} <= keys or "char_name" in keys:
        return "card_json"
    if _is_worldbook(value):
        return "world_info"
    if is_foreign_chat(value):
        return "chat_json"
    return "volume" if value.get("format") == VOLUME else _by_memories(value)


def _by_memories(value: dict[str, Any]) -> FileKind:
    return "memories" if is_sync(value) or is_risu(value) else "unknown"


def _is_worldbook(value: dict[str, Any]) -> bool:
    has_name = value.get("spec") == "lorebook_v3" or value.get("type") == "risu"
    return has_name or not value.keys().isdisjoint({"entries", "lorebookVersion"})


def read_chat(file: Path | SourceFile) -> ChatFile:
    """Read through a chat file once its content shows that it is one. Raises InputError, OSError.

    An unreadable line is a warning. A file without messages is a warning if it is empty or has a
    header, and else an error.
    """
    source = opened(file)
    kind = sniff(source)
    if kind not in {"chat_jsonl", "empty"}:
        wrong = VolumeFile if kind == "volume" else WrongKind
        raise wrong(file=source.path.name, kind=Phrase(IN_WORDS[kind]))
    return look_through(
        source.path, source.encoding, source.lines(), source.stamp, keeps=source.is_kept
    )


def read_foreign_chats(file: Path | SourceFile) -> list[ChatFile]:
    """Return the chats in a file of another program. Raises WrongKind, OSError.

    If there are several, they have their own names, or numbers, and different sources.
    """
    source = opened(file)
    path, stamp = source.path, source.stamp
    foreign = chats_of(source.read(MAX_JSON).decode(source.encoding, "replace"))
    if not foreign:
        raise WrongKind(file=path.name, kind=Phrase(IN_WORDS["unknown"]))
    are_several = len(foreign) > 1
    chats = []
    for number, chat in enumerate(foreign, start=1):
        lines = lines_of(io.BytesIO(chat.jsonl), "utf-8")
        place = path.with_name(f"{path.name}#{number}") if are_several else path
        read = look_through(place, "utf-8", lines, stamp, keeps=True)
        name = chat.name or (f"{path.stem} {number}" if are_several else path.stem)
        chats.append(replace(read, name=name, header=""))
    return chats
