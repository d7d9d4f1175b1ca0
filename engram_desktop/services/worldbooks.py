"""World books of a library: taken in, changed, written out. Files of the user's are only read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import FileExists, NotFound, Unreadable
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import FileWarning, ImportPreview, ImportReport
from engram_desktop.domain.worldbook import Book, BookFault, BookRow, Entry, with_fields
from engram_desktop.formats import world_info
from engram_desktop.formats.png_chunks import is_book_in
from engram_desktop.formats.world_info import BookFile
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.books import BookStore, NewBook
from engram_desktop.storage.database import file_errors

_T = QT_TRANSLATE_NOOP
MAX_WARNINGS = 20
_NO_ENTRY = _T("reports", "Entry {uid} is no entry; it is kept in the file and not used.")
_BAD_FIELD = _T("reports", "Entry {uid}: “{field}” holds nothing usable; its default is used.")
_MORE = _T("reports", "{count} more warnings like these")
_RENAMED = _T("reports", "There is another book of this name: it was stored as “{name}”.")
_SAMPLE = 3


def read_file(path: Path) -> BookFile:
    """Read a book. Raises InputError."""
    try:
        return world_info.read_book(path)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e


def is_book_picture(path: Path) -> bool:
    """Whether a PNG holds a world book of NovelAI's and no card. Raises InputError."""
    try:
        return is_book_in(path.read_bytes(), path.name)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e


def preview(store: BookStore, path: Path) -> ImportPreview:
    """Say what importing a book would do."""
    found = read_file(path)
    entries = found.parsed.book.entries
    known = store.same_as(found.original, None)
    return ImportPreview(
        file=str(path),
        kind="worldbook",
        name=path.stem,
        characters=(),
        messages=0,
        hidden=0,
        swipes=0,
        first_at=None,
        last_at=None,
        sample=tuple((entry.title, entry.content[:200]) for entry in entries[:_SAMPLE]),
        chat_id=None,
        chat_name=known.name if known else None,
        new_messages=0,
        warnings=_warnings(found.parsed.faults),
        entries=len(entries),
    )


def import_book(store: BookStore, ctx: JobContext, path: Path, name: str | None) -> ImportReport:
    """Store a book, unless the very same file is there already."""
    found = read_file(path)
    return store_book(store, ctx, found, name or path.stem, path)


def store_book(
    store: BookStore,
    ctx: JobContext,
    found: BookFile,
    name: str,
    path: Path,
    character_id: str | None = None,
) -> ImportReport:
    """Store what was read of ``path`` under ``name``; the same bytes are stored once."""
    count = len(found.parsed.book.entries)
    warnings = _warnings(found.parsed.faults)
    known = store.same_as(found.original, character_id)
    row = known or ctx.write(
        lambda: store.add(
            NewBook(
                name,
                found.title,
                found.kind,
                path.name,
                found.original,
                found.content,
                count,
                character_id,
            )
        )
    )
    if known is None and row.name != name:
        warnings = (FileWarning(0, Phrase(_RENAMED, name=row.name)), *warnings)
    return ImportReport(
        file=str(path),
        kind="worldbook",
        chat_id=None,
        messages=0,
        added=0 if known else count,
        skipped=count if known else 0,
        warnings=warnings,
        changes=Changes(books=known is None),
        name=row.name,
    )


def _warnings(faults: Collection[BookFault]) -> tuple[FileWarning, ...]:
    told = [
        Phrase(_BAD_FIELD, uid=fault.uid, field=fault.field)
        if fault.field
        else Phrase(_NO_ENTRY, uid=fault.uid)
        for fault in list(faults)[:MAX_WARNINGS]
    ]
    if len(faults) > MAX_WARNINGS:
        told.append(Phrase(_MORE, count=len(faults) - MAX_WARNINGS))
    return tuple(FileWarning(0, text) for text in told)


def read(store: BookStore, row: BookRow) -> Book:
    """Read the entries of a stored book."""
    return world_info.parse_book(store.content(row.id), row.name).book


def write_file(store: BookStore, row: BookRow, target: Path, *, original: bool) -> int:
    """Write a stored book to a new file, or the one it came from; returns its entries."""
    write_new(target, store.original(row.id) if original else store.content(row.id))
    return row.entries


def write_new(target: Path, content: bytes) -> None:
    """Make a file of ``content``. Raises InputError if it exists, NotFound, StorageError."""
    if not target.parent.is_dir():
        raise NotFound("folder", target.parent)
    with file_errors(target):
        try:
            file = target.open("xb")
        except FileExistsError:
            raise FileExists(path=target) from None
        try:
            with file:
                file.write(content)
        except OSError:
            target.unlink()  # half a file looks like a whole one
            raise


def change_entries(
    store: BookStore, row: BookRow, uids: Collection[int | str], fields: Mapping[str, Any]
) -> Changes:
    """Give every entry of ``uids`` these fields. Raises NotFound for one that is not there."""
    book = read(store, row)
    chosen = _chosen(book, uids)
    pairs = [(entry, with_fields(entry, fields)) for entry in chosen]
    return _save(store, row, lambda content: world_info.edited(content, pairs))


def add_entry(store: BookStore, row: BookRow, entry: Entry) -> tuple[Entry, Changes]:
    """Add an entry; returns it with the number it got."""
    content, made = world_info.added(store.content(row.id), entry)
    store.replace(row.id, content, row.entries + 1)
    return made, Changes(books=True)


def delete_entries(store: BookStore, row: BookRow, uids: Collection[int | str]) -> Changes:
    chosen = _chosen(read(store, row), uids)
    return _save(store, row, lambda content: world_info.without(content, chosen))


def restore(store: BookStore, row: BookRow, content: bytes) -> Changes:
    """Give a book a content it had before."""
    return _save(store, row, lambda _now: content)


def _chosen(book: Book, uids: Collection[int | str]) -> list[Entry]:
    known = {entry.uid: entry for entry in book.entries}
    for uid in uids:
        if uid not in known:
            raise NotFound("entry", uid)
    return [known[uid] for uid in dict.fromkeys(uids)]


def _save(store: BookStore, row: BookRow, change: Callable[[bytes], bytes]) -> Changes:
    content = change(store.content(row.id))
    entries = world_info.parse_book(content, row.name).book.entries  # what cannot be read, is not
    store.replace(row.id, content, len(entries))
    return Changes(books=True)
