"""Backups of a library: made, listed, and put back in its place."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import DamagedDatabase
from engram_desktop.services.library import backups

if TYPE_CHECKING:
    from engram_desktop.domain.reports import BackupFile
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session

logger = logging.getLogger(__name__)


class BackupService:
    """Backups. What is restored over is itself backed up first."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def make(self, ctx: JobContext) -> Path:
        """Back up the library; returns the new file."""
        return backups.backup(self._session.library, ctx)

    def make_if_due(self, ctx: JobContext) -> Path | None:
        """Back up if the newest backup is older than the settings allow."""
        library, folder = self._session.library, self._session.folder / "backups"
        hours = self._session.settings().backup_hours
        if not library.chat_rows() or not backups.is_due(folder, library.clock(), hours):
            return None
        return self.make(ctx)

    def restore(self, ctx: JobContext, archive_file: Path) -> Changes:
        """Put a backup in place of the library, which is backed up first and kept in the trash.

        Raises InputError, DamagedDatabase, NewerDatabase, DiskFull, LibraryBusy; then nothing was
        replaced.
        """
        self.prepare_restore(ctx, archive_file)
        self._session.reopen()
        everything = Changes(library=True, settings=True, messages=True, branches=True)
        return Changes.of_memory(None) | everything

    def prepare_restore(self, ctx: JobContext, archive_file: Path) -> None:
        """As `restore`, but the backup takes its place when the library is opened next."""
        self._session.library.lock.check_alone()
        folder = self._session.folder
        backups.stage(folder, archive_file)
        try:
            self._back_up_before(ctx)
            backups.commit(folder)
        except BaseException:
            backups.give_up(folder)
            raise

    def _back_up_before(self, ctx: JobContext) -> None:
        try:
            self.make(ctx)
        except DamagedDatabase as e:  # the very reason to restore
            logger.warning("What is restored over is not backed up, only kept: %s", e)

    def all(self) -> list[BackupFile]:
        """List the backups of this library, the newest first."""
        return backups.found_in(self._session.folder)
