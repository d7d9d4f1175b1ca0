"""Stopped imports: how much of each file was imported, and what is missing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.reports import StoppedImport
from engram_desktop.services.chats import import_chat

if TYPE_CHECKING:
    from engram_desktop.storage.library.followed import BegunImport
    from engram_desktop.storage.library.library import Library

_CHATS = frozenset({"chat_jsonl", "chat_json"})


def stopped_imports(library: Library) -> list[StoppedImport]:
    """Return the stopped imports; those whose messages are all there are forgotten instead."""
    found = []
    for begun in library.begun.left():
        stopped = _look(library, begun)
        if stopped is None:
            library.begun.forget(begun.file)
        else:
            found.append(stopped)
    return found


def _look(library: Library, begun: BegunImport) -> StoppedImport | None:
    """Compare a file with what was imported of it; None if nothing is missing."""
    unknown = StoppedImport(begun.file, begun.into, begun.name)
    into = _chat(library, begun)
    name = begun.name if into is None else None
    try:
        source = import_chat.open_source(begun.file)
        kind = import_chat.kind_of(source)
        if kind not in _CHATS:
            return unknown
        preview = import_chat.preview(library, source, into, name=name)
    except InputError:
        return replace(unknown, is_readable=False)
    except KnownError:  # of the library
        return unknown
    there = preview.messages - preview.new_messages
    if kind == "chat_json" and (preview.chats > 1 or not preview.new_messages):
        return unknown  # it may hold memories, too
    if not preview.new_messages:
        return None
    return StoppedImport(
        begun.file,
        preview.chat_id,
        None if preview.chat_id else name,
        there=there,
        count=preview.messages,
        chat_name=preview.chat_name or "",
    )


def _chat(library: Library, begun: BegunImport) -> str | None:
    """Return the id of the chat the file was imported into, if it is known and still exists."""
    try:
        return library.find_chat(begun.into or begun.name or "")
    except KnownError:
        return None
