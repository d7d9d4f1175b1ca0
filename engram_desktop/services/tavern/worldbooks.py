"""World books of a SillyTavern folder: taken in once, renewed when the file is newer, bound.

A book SillyTavern uses in every chat is for every chat here; one a card names is for its chats.
Which one a chat names is read from the chat itself. What was changed here is never replaced: a
newer file then stands beside it.
"""

from __future__ import annotations

from pathlib import Path

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.labels import BIND_BOOK, IMPORT_BOOK, StepLabel
from engram_desktop.domain.reports import ImportReport
from engram_desktop.domain.worldbooks.worldbook import BookRow
from engram_desktop.formats.worldbooks.world_info import BookFile, book_of
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.worldbooks import stored as worldbooks
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.worldbooks import NewWorldbook


def take_book(library: Library, ctx: JobContext, path: Path, *, is_global: bool) -> ImportReport:
    """Make the book at ``path`` one of the library, or the one it is already newer."""
    file = worldbooks.read_file(path)
    is_here = library.books.same_file(file.original, path.name) is not None
    older = None if is_here else _untouched(library, path)
    if older is not None:
        return _renew(library, ctx, path, file, older)

    def unit() -> ImportReport:
        with library.step(StepLabel(IMPORT_BOOK, {"name": path.stem})):
            report = worldbooks.store_book(library, file, path.stem, path)
            if report.changes.books and is_global:
                library.books.set_global(library.books.find(report.name).id, is_global=True)
            return report

    return ctx.write(unit)


def book_of_file(library: Library, name: str) -> BookRow | None:
    """The book that was made of the world book ``name`` of a folder, the newest if several."""
    rows = [row for row in library.books.rows() if row.source == f"{name}.json" and not row.owner]
    return max(rows, key=lambda row: row.updated_at, default=None)


def bind(library: Library, ctx: JobContext, name: str, character_id: str) -> Changes:
    """Let the chats of a character use the book made of the file ``name``."""
    row = book_of_file(library, name)
    if row is None or library.bindings.has(row.id, character_id):
        return Changes()
    character = library.characters.find(character_id).name

    def unit() -> None:
        with library.step(StepLabel(BIND_BOOK, {"name": row.name, "character": character})):
            library.bindings.bind(row.id, character_id)

    ctx.write(unit)
    return Changes(books=True)


def _untouched(library: Library, path: Path) -> BookRow | None:
    """The book made of an earlier state of this file, unless somebody changed it here."""
    row = book_of_file(library, path.stem)
    if row is None:
        return None
    try:
        was = book_of(library.books.original(row.id), path.name)
    except NotFound:  # deleted this moment
        return None
    return row if library.books.content(row.id) == was.content else None


def _renew(
    library: Library, ctx: JobContext, path: Path, file: BookFile, older: BookRow
) -> ImportReport:
    count = len(file.parsed.book.entries)
    new = NewWorldbook(
        older.name, file.title, file.kind, path.name, file.original, file.content, count
    )

    def unit() -> None:
        with library.step(StepLabel(IMPORT_BOOK, {"name": older.name})):
            library.books.renew(older.id, new)

    ctx.write(unit)
    return ImportReport(
        file=str(path),
        kind="worldbook",
        chat_id=None,
        messages=0,
        added=count,
        skipped=0,
        changes=Changes(books=True),
        name=older.name,
    )
