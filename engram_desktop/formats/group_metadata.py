"""The metadata of group chats before 2025: it stood in the group's own file, not in the chat's.

Such chats have no header line; for them the group is looked up that names the file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engram_desktop.formats.adopt.values import table_of
from engram_desktop.formats.chat_row import loads

CHATS, GROUPS = "group chats", "groups"
MAX_GROUPS = 2_000
MAX_SIZE = 8_000_000


def metadata_in_group(group: dict[str, Any], chat: str) -> dict[str, Any]:
    """Return what a group says of one of its chats: the one open last, or an earlier one."""
    if str(group.get("chat_id")) == chat and table_of(group.get("chat_metadata")):
        return table_of(group.get("chat_metadata"))
    return table_of(table_of(group.get("past_metadata")).get(chat))


def header_of(chat_file: Path) -> str:
    """Return the header a group chat without one would have today; empty if no group names it."""
    if chat_file.parent.name != CHATS:
        return ""
    for path in sorted((chat_file.parent.parent / GROUPS).glob("*.json"))[:MAX_GROUPS]:
        metadata = metadata_in_group(_group(path), chat_file.stem)
        if metadata:
            return json.dumps({"chat_metadata": metadata}, ensure_ascii=False)
    return ""


def _group(path: Path) -> dict[str, Any]:
    try:
        if path.is_symlink() or path.stat().st_size > MAX_SIZE:
            return {}
        return table_of(loads(path.read_text("utf-8-sig", "replace").lstrip())[0])
    except (OSError, ValueError, RecursionError):  # the folder's listing tells of it
        return {}
