"""Take in a character card with its worldbook and its regex scripts, in one step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engram_desktop.domain.cards.character import CharacterRow
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Unreadable
from engram_desktop.domain.labels import IMPORT_CARD, StepLabel
from engram_desktop.domain.reports import ImportPreview, ImportReport
from engram_desktop.formats.cards.card import CardFile, read_card
from engram_desktop.formats.cards.card_worldbook import stored_form
from engram_desktop.formats.worldbooks.world_info import WorldbookFile, worldbook_of
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.prompts import scripts
from engram_desktop.services.worldbooks.stored import store_worldbook
from engram_desktop.storage.library.library import Library


def import_card(
    library: Library,
    ctx: JobContext,
    path: Path,
    *,
    with_worldbook: bool = True,
    is_allowed: bool = False,
    keeps_older: bool = False,
) -> ImportReport:
    """Take a card in. ``is_allowed``: the user let its scripts run already. Raises InputError.

    ``keeps_older``: what the same file brought before stays a character of its own.
    """
    file = read_file(path)

    def unit() -> ImportReport:
        with library.step(StepLabel(IMPORT_CARD, {"name": file.character.name})):
            report = store_card(
                library, file, path, with_worldbook=with_worldbook, keeps_older=keeps_older
            )
            return scripts.take_from_card(library, report, is_allowed=is_allowed)

    return ctx.write(unit)


def preview(library: Library, path: Path) -> ImportPreview:
    """Say what importing a card would do."""
    file = read_file(path)
    same = library.characters.same_as(file.original)
    older = library.characters.newer_of(file.character.name, path.name)
    worldbook = _worldbook(file, path)
    character = file.character
    samples = ((character.name, character.description), (character.name, character.first_mes))
    return ImportPreview(
        file=str(path),
        kind="card",
        name=character.name,
        characters=(character.name,),
        messages=0,
        hidden=0,
        swipes=0,
        first_at=None,
        last_at=None,
        sample=tuple((who, text[:200]) for who, text in samples if text),
        chat_id=None,
        chat_name=same.name if same else None,
        new_messages=0,
        entries=len(worldbook.parsed.worldbook.entries) if worldbook else 0,
        clash=character.name if older is not None and same is None else "",
    )


def read_file(path: Path) -> CardFile:
    """Read a card. Raises InputError."""
    try:
        return read_card(path)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e


def store_card(
    library: Library,
    file: CardFile,
    path: Path,
    *,
    with_worldbook: bool,
    keeps_older: bool = False,
) -> ImportReport:
    """Store a character and its worldbook. The same file changes nothing, a newer one replaces it.

    With ``keeps_older`` it does not: the new one counts as of another file.

    Writes: it runs inside a step.
    """
    name = file.character.name
    avatar = path.name
    same = library.characters.same_as(file.original)
    older = same or library.characters.newer_of(name, avatar)
    if keeps_older and same is None:
        avatar, older = _free_avatar(library, name, path), None
    row = same or library.characters.save(
        file.character,
        (file.original, file.card),
        (avatar, path.name, file.spec),
        older,
    )
    report = ImportReport(
        file=str(path),
        kind="card",
        chat_id=None,
        messages=0,
        added=0,
        skipped=0,
        changes=Changes(worldbooks=same is None),
        name=name,
    )
    worldbook = _worldbook(file, path) if with_worldbook else None
    if worldbook is None:
        return report
    _forget_untouched(library, row, worldbook)
    title = worldbook.title or f"{name}'s Lorebook"
    stored = store_worldbook(library, worldbook, title, path, row.id)
    return replace(
        report,
        added=stored.added,
        skipped=stored.skipped,
        warnings=stored.warnings,
        changes=report.changes | stored.changes,
    )


def _free_avatar(library: Library, name: str, path: Path) -> str:
    """Return the name of a file that no character of this name was read from."""
    avatar, number = path.name, 2
    while library.characters.newer_of(name, avatar) is not None:
        avatar, number = f"{path.stem} ({number}){path.suffix}", number + 1
    return avatar


def _worldbook(file: CardFile, path: Path) -> WorldbookFile | None:
    """Read the card's own worldbook; a card without entries has none."""
    if not file.worldbook or not file.worldbook["entries"]:
        return None
    return stored_form(file.worldbook, path.name)


def _forget_untouched(library: Library, row: CharacterRow, new: WorldbookFile) -> None:
    """Delete the worldbook that an older card brought, unless somebody changed it here."""
    for old in library.worldbooks.of_characters([row.id]):
        original = library.worldbooks.original(old.id)
        was = worldbook_of(original, old.name, "character_book")
        if original != new.original and library.worldbooks.content(old.id) == was.content:
            library.worldbooks.delete(old.id)
