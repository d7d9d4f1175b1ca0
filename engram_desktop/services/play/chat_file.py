"""Write a chat as SillyTavern keeps one: a header, then a message a line, swipes and all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.formats.json_values import row_of
from engram_desktop.services.library.whole_file import write_new_parts
from engram_desktop.services.play.starting import sent_at_text
from engram_desktop.services.prompts.chat_variables import header_of

if TYPE_CHECKING:
    from engram_desktop.domain.memory.message import ParsedMessage
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.storage.chat.chat_store import ChatStore

_PAGE = 500  # messages read at a time
_NARRATOR = "narrator"  # the type of a message that nobody says


def write_chat(ctx: JobContext, store: ChatStore, branch_id: str, target: Path) -> int:
    """Write a line of a chat to a new file; returns how many messages it holds.

    Raises FileExists, NotFound, StorageError.
    """
    count = store.messages.count(branch_id)
    lines = _lines(ctx, store, branch_id)
    write_new_parts(target, (line.encode("utf-8", "replace") for line in lines))
    return count


def _lines(ctx: JobContext, store: ChatStore, branch_id: str) -> Iterator[str]:
    header = header_of(store, branch_id) or {
        "user_name": next(iter(store.messages.user_names()), "unused"),
        "character_name": "unused",
        "chat_metadata": {},
    }
    yield _line(header)
    count = store.messages.count(branch_id)
    for first in range(0, count, _PAGE):
        ctx.report(first, count, "export")
        for message in store.messages.as_parsed(branch_id, first, first + _PAGE - 1):
            yield _line(_row(message))


def _row(message: ParsedMessage) -> dict[str, object]:
    """Return a message as its file had it, with what was changed here since."""
    row = row_of(message.raw)
    row |= {
        "name": message.name,
        "is_user": message.role == "user",
        "is_system": message.is_hidden,
        "mes": message.text,
    }
    if "send_date" not in row and message.sent_at is not None:
        row["send_date"] = sent_at_text(message.sent_at)
    if message.role == "system" and not isinstance(row.get("extra"), dict):
        row["extra"] = {"type": _NARRATOR}
    return row


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
