"""Find the memories other tools left: in the messages of a chat, in its file's header, in files.

Reads only. Of a state, or a summary of all so far, only the newest one is returned.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.adopt import (
    horae,
    memorybooks,
    mvu,
    openvault,
    qvink,
    summarize,
    tables,
    timeline,
)
from engram_desktop.formats.adopt.files import read_file
from engram_desktop.formats.json_values import row_of, table_of
from engram_desktop.formats.tavern.folder import NoTavern, find_handles
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.state.beginning import begins_with
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.library.library import Library

BATCH = 500  # messages read at once, so that a job can be cancelled in between
_MARKS = (
    '"qvink_memory"',
    '"horae_meta"',
    '"memory"',
    '"stat_data"',
    '"TavernDB_ACU_',
    '"hash_sheets"',
    '"dataTable"',
)


def find_memories(
    store: ChatStore,
    ctx: JobContext,
    branch_id: str,
    files: Sequence[Path] = (),
    initial: Callable[[], Iterable[str]] = tuple,
    first: int = 0,
) -> list[Adopted]:
    """Return what other tools left of a line, from floor ``first`` on, and in ``files``.

    ``initial`` returns what worldbooks say of the state a story begins with. Raises InputError.
    """
    in_messages = _MessageMemories(_metadata(store, branch_id))
    for floor, row in _rows(store, ctx, branch_id, first):
        in_messages.take(row, floor)
    last = max(0, store.messages.count(branch_id) - 1)
    memories = [*in_messages.noted, *in_messages.rolling(), *_in_header(in_messages.metadata, last)]
    memories += in_messages.state() or mvu.of_state(begins_with(store, branch_id, initial), 0)
    for file in files:
        ctx.check()
        memories += read_handed(file)
    return memories


def read_handed(file: Path) -> list[Adopted]:
    """Return the memories in a file that somebody chose. Raises NoMemories, InputError."""
    return [replace(memory, is_handed=True) for memory in read_file(file)]


def sources_of(library: Library, store: ChatStore, branch_id: str) -> frozenset[str]:
    """Names, without their ending, of the chat files a line and its ancestors were read from."""
    main = {chat_id: source for chat_id, _name, source, _at in library.chat_rows()}
    path = {branch for branch, _highest in store.branches.path(branch_id)}
    sources = [main.get(store.chat_id, "")]
    sources += [source for branch, *_rest, source in store.branches.rows() if branch in path]
    return frozenset(PurePath(source).stem for source in sources if source)


def in_worldbook(content: bytes, name: str, chats: Collection[str]) -> list[Adopted]:
    """Return the memories in a worldbook that are of one of these chats, or of no named one."""
    if memorybooks.MARK not in content:
        return []
    worldbook = row_of(content.decode("utf-8", "replace"))
    return [replace(one, place=name) for one in memorybooks.of_worldbook(worldbook, chats)]


def in_folder(folder: Path, chats: Collection[str]) -> list[Adopted]:
    """Return what the Engram extension synced of these chats into their SillyTavern folder."""
    memories: list[Adopted] = []
    try:
        handles = find_handles(folder)
    except NoTavern:  # such as a drive that is not there now
        return memories
    for handle in handles:
        for chat in sorted(chats):
            file = handle / "user" / "files" / f"Engram_sync_{chat}.json"
            if file.is_file() and not file.is_symlink():
                with contextlib.suppress(InputError):  # nobody chose it: it is left out
                    memories += read_file(file)
    return memories


class _MessageMemories:
    """What was noted at messages so far; newer ones replace what rolls on."""

    def __init__(self, metadata: dict[str, Any]) -> None:
        self.metadata = metadata
        self.noted: list[Adopted] = []
        self._summary: Adopted | None = None
        self._sheets: dict[str, list[Adopted]] = {}
        self._tables: list[Adopted] = []
        self._state: tuple[dict[str, Any], int] = ({}, 0)

    def take(self, row: dict[str, Any], floor: int) -> None:
        memory = qvink.of_message(row, floor)
        self.noted += [memory] if memory else []
        self.noted += horae.of_message(row, floor)
        self._summary = summarize.of_message(row, floor) or self._summary
        self._sheets |= tables.acu_in(row, floor)
        noted_tables = tables.enhancement_in(row, self.metadata, floor)
        self._tables = self._tables if noted_tables is None else noted_tables
        state = mvu.state_in(row)
        self._state = (state, floor) if state else self._state

    def rolling(self) -> Iterator[Adopted]:
        if self._summary is not None:
            yield self._summary
        for sheet in self._sheets.values():
            yield from sheet
        yield from self._tables

    def state(self) -> list[Adopted]:
        return list(mvu.of_state(*self._state))


def _in_header(metadata: dict[str, Any], last: int) -> Iterator[Adopted]:
    yield from openvault.of_metadata(metadata, last)
    yield from timeline.of_metadata(metadata)


def _metadata(store: ChatStore, branch_id: str) -> dict[str, Any]:
    return table_of(row_of(store.branches.header(branch_id)).get("chat_metadata"))


def _rows(
    store: ChatStore, ctx: JobContext, branch_id: str, first: int
) -> Iterator[tuple[int, dict[str, Any]]]:
    count = store.messages.count(branch_id)
    for start in range(first, count, BATCH):
        ctx.report(start, count, "adopt")
        parts = store.messages.as_parsed(branch_id, start, min(count, start + BATCH) - 1)
        for floor, message in enumerate(parts, start):
            if any(mark in message.raw for mark in _MARKS):
                yield floor, row_of(message.raw)
