"""Files that were dropped, chosen or given at the start: where each kind of them goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from engram_desktop.domain import reports
from engram_desktop.widgets.window.opener import Dialogs


def take(paths: Sequence[Path], dialogs: Dialogs, look: Callable[[list[Path]], object]) -> None:
    """Offer a backup to take the library's place, and a folder as SillyTavern's.

    Of the other files ``look`` finds out what they hold.
    """
    folders = [path for path in paths if path.is_dir()]
    all_files = [path for path in paths if path not in folders]
    backups = [path for path in all_files if path.suffix.lower() == reports.BACKUP_ENDING]
    files = [path for path in all_files if path not in backups]
    if folders:
        dialogs.open_tavern(str(folders[0]))
    if backups:
        dialogs.open_restore(backups)
    if files:
        look(files)
