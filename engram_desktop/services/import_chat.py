"""Take a chat file into the library: nothing twice, nothing lost, nothing of the user's touched.

A file continues the chat whose messages begin as its own do. What comes after the common beginning
is appended; where the file tells it differently, the library follows the file and what was derived
from the old messages is marked stale. One undo takes that back.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, StorageError
from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.domain.labels import IMPORT, REPLACE_TAIL, StepLabel
from engram_desktop.domain.message import ParsedMessage
from engram_desktop.domain.reports import ImportPreview, ImportReport
from engram_desktop.formats.chat_jsonl import ChatFile, read_chat
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.chat_store import ChatStore
from engram_desktop.storage.library import Library

logger = logging.getLogger(__name__)

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
    sample = tuple((m.name, m.text[:200]) for m in itertools.islice(chat.messages(), 5))
    return ImportPreview(
        file=str(path),
        kind="chat",
        name=chat.name,
        characters=chat.characters,
        messages=chat.count,
        hidden=chat.hidden,
        swipes=chat.swiped,
        first_at=chat.first_at,
        last_at=chat.last_at,
        sample=sample,
        chat_id=match.chat_id if match else None,
        chat_name=match.name if match else None,
        new_messages=chat.count - (match.common if match else 0),
        warnings=chat.warnings,
    )


def import_chat(
    library: Library, ctx: JobContext, path: Path, *, into: str | None, name: str | None
) -> ImportReport:
    """Import ``path``; cancelling keeps the messages taken in so far. Raises InputError."""
    chat = _read(path)
    if not chat.count:
        raise InputError(f"There is no message in {path.name}.")
    match = None if name and not into else _match(library, chat, into)
    if match is None:
        store = ctx.write(lambda: library.create_chat(name or chat.name, path.name))
        common = held = 0
    else:
        store = library.chat(match.chat_id)
        common, held = match.common, match.held
    new = itertools.islice(chat.messages(), common, None)
    added = chat.count - common
    if held > common and added:
        tail = list(new)
        changes = ctx.write(lambda: _replace_tail(store, common, tail))
    else:
        changes = _append(store, ctx, held, new, added)
    if added:
        ctx.write(lambda: library.touch_chat(store.chat_id))
    return ImportReport(
        file=str(path),
        kind="chat",
        chat_id=store.chat_id,
        messages=chat.count,
        added=added,
        skipped=chat.count - added,
        warnings=chat.warnings,
        changes=changes | Changes(chat_id=store.chat_id, library=match is None, messages=added > 0),
    )


def _read(path: Path) -> ChatFile:
    try:
        return read_chat(path)
    except OSError as e:
        raise InputError(f"{path} cannot be read: {e.strerror or e}.") from e


def _match(library: Library, chat: ChatFile, into: str | None) -> _Match | None:
    hashes = [m.swipe_hash for m in chat.messages()]
    if into is not None:
        chat_id = library.find_chat(into)
        return _compare(library, chat_id, library.chat_name(chat_id), hashes)
    best: _Match | None = None
    for chat_id, name, source, _updated in library.chat_rows():
        try:
            found = _compare(library, chat_id, name, hashes)
        except StorageError as e:  # one damaged chat must not keep others from growing
            logger.warning("Chat %s was not compared: %s", chat_id, e)
            continue
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
    store: ChatStore, ctx: JobContext, first: int, messages: Iterator[ParsedMessage], count: int
) -> Changes:
    """Append in short transactions; a small addition to a chat is one undoable step."""
    label = StepLabel(IMPORT, {"count": count})
    is_step = first > 0 and count <= MAX_UNDOABLE
    group: int | None = None
    at = first
    while part := list(itertools.islice(messages, BATCH)):
        ctx.report(at - first, count, "import")

        def write(
            at: int = at, rows: Sequence[ParsedMessage] = part, group: int | None = group
        ) -> int | None:
            if not is_step:
                with store.database.writing():
                    store.messages.append(MAIN_BRANCH, at, rows)
                return None
            with store.step(label, group) as joined:
                store.messages.append(MAIN_BRANCH, at, rows)
            return joined

        group = ctx.write(write)
        at += len(part)
    ctx.report(count, count, "import")
    return Changes(chat_id=store.chat_id, undo_label=label if is_step and count else None)


def _replace_tail(store: ChatStore, first: int, messages: Sequence[ParsedMessage]) -> Changes:
    label = StepLabel(REPLACE_TAIL, {"first": first})
    with store.step(label):
        store.messages.remove_from(MAIN_BRANCH, first)
        stale = store.events.mark_stale(MAIN_BRANCH, first, store.clock())
        store.messages.append(MAIN_BRANCH, first, messages)
    return Changes(chat_id=store.chat_id, events=frozenset(stale), messages=True, undo_label=label)
