"""Take a character card in with all that came with it, in one step: its book, its regex scripts."""

from __future__ import annotations

from pathlib import Path

from engram_desktop.domain.labels import IMPORT_CARD, StepLabel
from engram_desktop.domain.reports import ImportReport
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.characters import characters
from engram_desktop.services.prompts import scripts
from engram_desktop.storage.library.library import Library


def import_card(
    library: Library,
    ctx: JobContext,
    path: Path,
    *,
    with_book: bool = True,
    is_allowed: bool = False,
) -> ImportReport:
    """Take a card in. ``is_allowed``: the user let its scripts run already. Raises InputError."""
    found = characters.read_file(path)

    def unit() -> ImportReport:
        with library.step(StepLabel(IMPORT_CARD, {"name": found.character.name})):
            report = characters.store_card(library, found, path, with_book=with_book)
            return scripts.take_from_card(library, report, is_allowed=is_allowed)

    return ctx.write(unit)
