"""Worldbooks of a SillyTavern folder: taken in once, renewed when the file is newer, bound.

A worldbook SillyTavern uses in every chat is for every chat here; one a card names is for its
chats. Which one a chat names is read from the chat itself. What was changed here is never replaced:
a newer file then stands beside it.
"""

from __future__ import annotations

from pathlib import Path

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.labels import BIND_WORLDBOOK, IMPORT_WORLDBOOK, StepLabel
from engram_desktop.domain.reports import ImportReport
from engram_desktop.domain.worldbooks.worldbook import WorldbookRow
from engram_desktop.formats.worldbooks.world_info import WorldbookFile, worldbook_of
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.worldbooks import stored
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.worldbooks import NewWorldbook


def take_worldbook(
    library: Library, ctx: JobContext, path: Path, *, is_global: bool
) -> ImportReport:
    """Make the worldbook at ``path`` one of the library, or the one it is already newer."""
    file = stored.read_file(path)
    is_here = library.worldbooks.same_file(file.original, path.name) is not None
    older = None if is_here else _untouched(library, path)
    if older is not None:
        return _renew(library, ctx, path, file, older)

    def unit() -> ImportReport:
        with library.step(StepLabel(IMPORT_WORLDBOOK, {"name": path.stem})):
            report = stored.store_worldbook(library, file, path.stem, path)
            if report.changes.worldbooks and is_global:
                library.worldbooks.set_global(
                    library.worldbooks.find(report.name).id, is_global=True
                )
            return report

    return ctx.write(unit)


def worldbook_of_file(library: Library, name: str) -> WorldbookRow | None:
    """The worldbook that was made of the worldbook ``name`` of a folder, the newest if several."""
    rows = [
        row for row in library.worldbooks.rows() if row.source == f"{name}.json" and not row.owner
    ]
    return max(rows, key=lambda row: row.updated_at, default=None)


def bind(library: Library, ctx: JobContext, name: str, character_id: str) -> Changes:
    """Let the chats of a character use the worldbook made of the file ``name``."""
    row = worldbook_of_file(library, name)
    if row is None or library.bindings.has(row.id, character_id):
        return Changes()
    character = library.characters.find(character_id).name

    def unit() -> None:
        with library.step(StepLabel(BIND_WORLDBOOK, {"name": row.name, "character": character})):
            library.bindings.bind(row.id, character_id)

    ctx.write(unit)
    return Changes(worldbooks=True)


def _untouched(library: Library, path: Path) -> WorldbookRow | None:
    """The worldbook made of an earlier state of this file, unless somebody changed it here."""
    row = worldbook_of_file(library, path.stem)
    if row is None:
        return None
    try:
        was = worldbook_of(library.worldbooks.original(row.id), path.name)
    except NotFound:  # deleted this moment
        return None
    return row if library.worldbooks.content(row.id) == was.content else None


def _renew(
    library: Library, ctx: JobContext, path: Path, file: WorldbookFile, older: WorldbookRow
) -> ImportReport:
    count = len(file.parsed.worldbook.entries)
    new = NewWorldbook(
        older.name, file.title, file.kind, path.name, file.original, file.content, count
    )

    def unit() -> None:
        with library.step(StepLabel(IMPORT_WORLDBOOK, {"name": older.name})):
            library.worldbooks.renew(older.id, new)

    ctx.write(unit)
    return ImportReport(
        file=str(path),
        kind="worldbook",
        chat_id=None,
        messages=0,
        added=count,
        skipped=0,
        changes=Changes(worldbooks=True),
        name=older.name,
    )
