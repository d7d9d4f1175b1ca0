"""Take what was chosen out of a SillyTavern folder, a row for each file: `import`, `tavern`."""

from __future__ import annotations

from typing import Any

from engram_desktop.cli.import_rows import import_row, unreadable_row
from engram_desktop.cli.verb import Call
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.tavern.folder import TavernChoice, TavernFolder


def take_folder(
    call: Call, folder: TavernFolder, choice: TavernChoice
) -> tuple[list[dict[str, Any]], list[InputError]]:
    """Take what was chosen out of a folder; returns a row for each file, and every trouble."""
    rows: list[dict[str, Any]] = []
    troubles: list[InputError] = []

    def on_trouble(file: str, error: InputError) -> None:
        rows.append(unreadable_row(file, error))
        troubles.append(error)

    call.memory.tavern.take(
        call.ctx, folder, choice, lambda report: rows.append(import_row(report)), on_trouble
    )
    return rows, troubles
