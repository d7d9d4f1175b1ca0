"""Tell the kind of a file by its content. Its name is not trusted."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.formats.adopt.engram_sync import is_sync
from engram_desktop.formats.adopt.risu import is_risu
from engram_desktop.formats.chats.chat_row import is_header
from engram_desktop.formats.chats.foreign_chats import is_foreign_chat
from engram_desktop.formats.lenient_json import read_value
from engram_desktop.formats.source_file import FileKind, SourceFile, opened

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
    "empty": _T("reports", "an empty file"),
    "unknown": _T("reports", "a file of an unknown kind"),
}
MAX_JSON = 64_000_000  # bytes: the largest that any reader of JSON here takes
_FIRST_LINES = 20  # a chat shows what it is in its first lines


class WrongKind(InputError):
    """A file of another ``kind`` than the one that can be read here."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is {kind}, not a chat.")
    hint = QT_TRANSLATE_NOOP("errors", "Choose a .jsonl file from SillyTavern's chats folder.")


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
    return "memories" if is_sync(value) or is_risu(value) else "unknown"


def _is_worldbook(value: dict[str, Any]) -> bool:
    has_name = value.get("spec") == "lorebook_v3" or value.get("type") == "risu"
    return has_name or not value.keys().isdisjoint({"entries", "lorebookVersion"})
