"""Take a chat file into the library: nothing twice, nothing lost, nothing of the user's touched.

A file continues the chat whose messages begin as its own do. What comes after the common beginning
is appended; where the file tells it differently, the library follows the file and what was derived
from the old messages is marked stale. One undo takes that back.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.domain.labels import IMPORT, REPLACE_TAIL, StepLabel
from engram_desktop.domain.message import ParsedMessage
from engram_desktop.domain.reports import ImportPreview, ImportReport
from engram_desktop.formats.chat_jsonl import ChatFile, read_chat
from engram_desktop.formats.sniff import require_chat
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.chat_store import ChatStore
from engram_desktop.storage.library import Library

BATCH = 500  # about 30 ms of writing
MIN_COMMON = 3  # fewer equal messages prove nothing: a greeting opens many chats
MAX_UNDOABLE = 20_000


@dataclass(frozen=True, slots=True)
class _Match:
    """The chat a file continues, and how many messages they begin with in common."""

    chat_id: str
    name: str
    common: int
    held: int


def preview(library: Library, path: Path, into: str | None) -> ImportPreview:
    """Say what importing ``path`` would do. Raises InputError."""
    chat = _read(path)
    match = _match(library, chat, into)
    messages = chat.messages
    times = [m.sent_at for m in messages if m.sent_at is not None]
    return ImportPreview(
        file=str(path),
        kind="chat",
        name=chat.name,
        characters=chat.characters,
        messages=len(messages),
        hidden=sum(m.is_hidden for m in messages),
        swipes=sum(m.swipes > 1 for m in messages),
        first_at=min(times, default=None),
        last_at=max(times, default=None),
        sample=tuple((m.name, m.text[:200]) for m in messages[:5]),
        chat_id=match.chat_id if match else None,
        chat_name=match.name if match else None,
        new_messages=len(messages) - (match.common if match else 0),
        warnings=tuple(chat.warnings),
    )


def import_chat(
    library: Library, ctx: JobContext, path: Path, *, into: str | None, name: str | None
) -> ImportReport:
    """Import ``path``; cancelling keeps the messages taken in so far. Raises InputError."""
    chat = _read(path)
    if not chat.messages:
        raise InputError(f"There is no message in {path.name}.")
    match = None if name and not into else _match(library, chat, into)
    if match is None:
        store = ctx.write(lambda: library.create_chat(name or chat.name, path.name))
        common = held = 0
    else:
        store = library.chat(match.chat_id)
        common, held = match.common, match.held
    if held > common and common < len(chat.messages):
        changes = ctx.write(lambda: _replace_tail(store, common, chat.messages[common:]))
        added = len(chat.messages) - common
    else:
        changes, added = _append(store, ctx, held, chat.messages[common:])
    if added:
        ctx.write(lambda: library.touch_chat(store.chat_id))
    return ImportReport(
        file=str(path),
        kind="chat",
        chat_id=store.chat_id,
        messages=len(chat.messages),
        added=added,
        skipped=len(chat.messages) - added,
        warnings=tuple(chat.warnings),
        changes=changes | Changes(chat_id=store.chat_id, library=match is None, messages=added > 0),
    )


def _read(path: Path) -> ChatFile:
    require_chat(path)
    try:
        return read_chat(path)
    except OSError as e:
        raise InputError(f"{path} cannot be read: {e.strerror or e}.") from e


def _match(library: Library, chat: ChatFile, into: str | None) -> _Match | None:
    hashes = [m.swipe_hash for m in chat.messages]
    if into is not None:
        chat_id = library.find_chat(into)
        return _compare(library, chat_id, library.chat_name(chat_id), hashes)
    best: _Match | None = None
    for chat_id, name, source, _updated in library.chat_rows():
        found = _compare(library, chat_id, name, hashes)
        shorter = min(found.held, len(hashes))
        is_same = found.common == shorter and (
            found.common >= MIN_COMMON or (source == chat.path.name and found.common > 0)
        )
        is_edited = source == chat.path.name and found.common >= MIN_COMMON
        if (is_same or is_edited) and (best is None or found.common > best.common):
            best = found
    return best


def _compare(library: Library, chat_id: str, name: str, hashes: Sequence[str]) -> _Match:
    held = library.chat(chat_id).messages.hashes(MAIN_BRANCH)
    pairs = zip(held, hashes, strict=False)
    common = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
    return _Match(chat_id, name, common, len(held))


def _append(
    store: ChatStore, ctx: JobContext, first: int, messages: Sequence[ParsedMessage]
) -> tuple[Changes, int]:
    """Append in short transactions; a small addition to a chat is one undoable step."""
    label = StepLabel(IMPORT, {"count": len(messages)})
    is_step = first > 0 and len(messages) <= MAX_UNDOABLE
    group: int | None = None
    for start in range(0, len(messages), BATCH):
        ctx.report(start, len(messages), "import")
        part = messages[start : start + BATCH]

        def write(
            at: int = first + start,
            rows: Sequence[ParsedMessage] = part,
            group: int | None = group,
        ) -> int | None:
            if not is_step:
                with store.database.writing():
                    store.messages.append(MAIN_BRANCH, at, rows)
                return None
            with store.step(label, group) as joined:
                store.messages.append(MAIN_BRANCH, at, rows)
            return joined

        group = ctx.write(write)
    ctx.report(len(messages), len(messages), "import")
    undo_label = label if is_step and messages else None
    return Changes(chat_id=store.chat_id, undo_label=undo_label), len(messages)


def _replace_tail(store: ChatStore, first: int, messages: Sequence[ParsedMessage]) -> Changes:
    label = StepLabel(REPLACE_TAIL, {"first": first + 1})
    with store.step(label):
        store.messages.remove_from(MAIN_BRANCH, first)
        stale = store.events.mark_stale(MAIN_BRANCH, first, store.clock())
        store.messages.append(MAIN_BRANCH, first, messages)
    return Changes(chat_id=store.chat_id, events=frozenset(stale), messages=True, undo_label=label)
