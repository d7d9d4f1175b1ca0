"""What a group of SillyTavern's says of its chats: its name, and until 2025 their metadata.

A group's chats are called after a moment, and the oldest of them have no header line; so the group
is looked up that names the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engram_desktop.formats.json_values import table_of, text_of
from engram_desktop.formats.lenient_json import read_value
from engram_desktop.formats.plain_file import read_json_text

CHATS, GROUPS = "group chats", "groups"
MAX_GROUPS = 2_000  # files: bounds the time of one look
MAX_SIZE = 8_000_000  # bytes of one: bounds the reading; not measured


def metadata_in_group(group: dict[str, Any], chat: str) -> dict[str, Any]:
    """Return what a group says of one of its chats: the one open last, or an earlier one."""
    if str(group.get("chat_id")) == chat and table_of(group.get("chat_metadata")):
        return table_of(group.get("chat_metadata"))
    return table_of(table_of(group.get("past_metadata")).get(chat))


def header_of(chat_file: Path) -> str:
    """Return the header a group chat without one would have today; empty if no group has it."""
    for group in _groups(chat_file):
        metadata = metadata_in_group(group, chat_file.stem)
        if metadata:
            return json.dumps({"chat_metadata": metadata}, ensure_ascii=False)
    return ""


_BETWEEN = " – "  # the name of a group and that of its chat


def name_of(chat_file: Path) -> str:
    """Return what a chat is called: after its group too, if it is one's."""
    for group in _groups(chat_file):
        chats = group.get("chats")
        name = text_of(group.get("name"))
        if name and chat_file.stem in (
            chats if isinstance(chats, list) else [group.get("chat_id")]
        ):
            return f"{name}{_BETWEEN}{chat_file.stem}"
    return chat_file.stem


def is_named_after(name: str, chat_file: Path) -> bool:
    """Whether ``name`` is what `name_of` made of a file, under whatever name of its group."""
    return name == chat_file.stem or name.endswith(f"{_BETWEEN}{chat_file.stem}")


def _groups(chat_file: Path) -> Iterator[dict[str, Any]]:
    """Yield the groups beside a group chat; none beside other files."""
    if chat_file.parent.name == CHATS:
        for path in sorted((chat_file.parent.parent / GROUPS).glob("*.json"))[:MAX_GROUPS]:
            yield _group(path)


def _group(path: Path) -> dict[str, Any]:
    try:
        if path.is_symlink() or path.stat().st_size > MAX_SIZE:
            return {}
        return table_of(read_value(read_json_text(path, MAX_SIZE))[0])
    except (OSError, ValueError, RecursionError):  # the folder's listing tells of it
        return {}
