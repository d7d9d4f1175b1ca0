"""What kind of file the user has chosen, and the chats in it."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.formats.adopt.files import is_risu, is_sync
from engram_desktop.formats.chats.chat_jsonl import ChatFile, is_header, look_through
from engram_desktop.formats.chats.foreign_chats import chats_of, is_foreign_chat
from engram_desktop.formats.json_values import read_value
from engram_desktop.formats.source_file import FileKind, SourceFile, lines_of, opened
from engram_desktop.formats.volume_file import FORMAT as VOLUME

# Tell the kind of a file by its content. Its name is not trusted.


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
_FIRST_LINES = 20  # a chat shows what it is in its first lines


class WrongKind(InputError):
    """A file of another ``kind`` than the one that can be read here."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is {kind}, not a chat.")
    hint = QT_TRANSLATE_NOOP("errors", "Choose a .jsonl file from SillyTavern's chats folder.")


class VolumeFile(WrongKind):
    """A volume, which is taken in elsewhere."""

    hint = QT_TRANSLATE_NOOP(
        "errors",
        "Take it in with `engram volume import`, or in the window under Volumes in a chat's menu.",
    )


def sniff(file: Path | SourceFile) -> FileKind:
    """Name the kind of a file. Raises HoldsKeys, OSError."""
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
    if is_packed:  # a card behind a picture or a program that unpacks it
        return "charx"
    return _by_lines(source) or _by_document(source)


def _by_lines(source: SourceFile) -> FileKind | None:
    """Recognise a chat by its first lines, of which some may be broken."""
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
            kind = _by_keys(row)  # a card in one line has a date as headers have
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


# Open a chat by its path, after making sure by its content that it is one.
#
# Stands above both that which tells kinds of files apart and that which reads chats.


def read_chat(file: Path | SourceFile) -> ChatFile:
    """Look through a chat. Raises InputError, OSError.

    A line that cannot be read is a warning; a file without any message is one too if it is empty
    or holds a header, and an error if it is something else.
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

    Several in one file have their own names, or numbers, and each a source of its own.
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
