"""Check, repair, reindex, back up and restore the library."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import DamagedDatabase, PartlyBackedUp
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.messages import Notice, translated
from engram_desktop.viewmodels.workspace.workspace import WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.reports import BackupFile, CheckResult


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Repaired:
    """The faults found, and what was repaired."""

    findings: list[CheckResult]
    changes: Changes
    backup: Path | None = None  # made before; None if the damage prevents copying


def _repaired(ctx: JobContext, memory: Memory, changes: Changes) -> Repaired:
    """Back the library up, then repair what can be repaired."""
    try:
        backup = memory.backups.make(ctx)
    except PartlyBackedUp as e:
        backup = Path(str(e.params["path"]))
    except DamagedDatabase as e:  # this damage is what will be repaired
        logger.warning("What is repaired is not backed up first: %s", e)
        backup = None
    return Repaired(memory.care.doctor(ctx, repair=True), changes, backup)


class LibraryHealth(WorkspaceModel):
    checked = Signal(object, bool)  # list[CheckResult]; whether a repair was made
    told = Signal(str)  # progress or result, in words
    backups_found = Signal(object)  # list[BackupFile]
    wanted = Signal()  # the health dialog is wanted
    prepared = Signal()  # a backup will replace the library at its next opening

    def show_repairs(self) -> None:
        """Show what opening the library repaired and what it could not; nothing without a fault."""
        findings = self._space.memory.care.repaired_at_opening()
        if not findings:
            return
        left = sum(not finding.repaired for finding in findings)
        text = (
            self.tr("%n thing(s) in the library need attention.", "", left)
            if left
            else self.tr("Opening the library repaired %n thing(s).", "", len(findings))
        )
        lines = [f"{finding.where}: {translated(finding.what)}" for finding in findings]
        self._space.messages.show(
            Notice("warning", text, "\n".join(lines), self.tr("Library health…"), self.ask)
        )

    def ask(self) -> None:
        """Ask for the health dialog."""
        self.wanted.emit()

    def check(self, *, repair: bool) -> None:
        memory, chat = self._space.memory, self._space.chat_id or None
        if not repair:
            title = self.tr("Checking the library")
            job = self._space.run(
                title, lambda ctx: memory.care.doctor(ctx, repair=False), lane="network"
            )
            job.succeeded.connect(lambda findings: self.checked.emit(findings, False))
            return
        # a repair may have changed any chat; pages show one
        changes = Changes.of_memory(chat) | Changes(library=True, index=True)
        job = self._space.change(
            self.tr("Repairing the library"),
            lambda ctx: _repaired(ctx, memory, changes),
        )
        job.succeeded.connect(self._tell_backup)
        job.succeeded.connect(lambda repaired: self.checked.emit(repaired.findings, True))

    @Slot()
    def backup(self) -> None:
        title, memory = self.tr("Backing up"), self._space.memory
        job = self._space.run(title, memory.backups.make, lane="network")
        self._tell_of(job, title)
        job.succeeded.connect(
            lambda path: self._tell(self.tr("Backed up to {file}").format(file=path.name))
        )

    def find_backups(self) -> None:
        memory = self._space.memory
        job = self._space.look_up(lambda _ctx: memory.backups.all())
        job.succeeded.connect(self._on_backups_found)

    def restore(self, archive: Path) -> None:
        """Prepare a backup to replace the library at its next opening."""
        memory = self._space.memory
        job = self._space.run(
            self.tr("Restoring {file}").format(file=archive.name),
            lambda ctx: memory.backups.prepare_restore(ctx, archive),
        )
        job.succeeded.connect(self._on_prepared)

    def repair_from_backup(self) -> None:
        """Prepare unreadable chats to be replaced from a backup when the library opens next."""
        title, memory = self.tr("Taking back what is damaged"), self._space.memory
        job = self._space.run(title, memory.backups.prepare_repair)
        self._tell_of(job, title)
        job.succeeded.connect(self._on_prepared)

    @property
    def chat_name(self) -> str:
        """Return the name of the shown chat, whose index is rebuilt; empty if none is shown."""
        chat = self._space.chat_id
        return self._space.memory.chats.name(chat) if chat else ""

    @Slot()
    def reindex(self) -> None:
        """Rebuild the index of the shown chat, and check the library again."""
        chat, memory, name = self._space.chat_id, self._space.memory, self.chat_name

        def work(ctx: JobContext) -> Changes:
            memory.index.rebuild(ctx, chat)
            return Changes(chat_id=chat, index=True)

        title = self.tr("Rebuilding the index of “{chat}”").format(chat=name)
        job = self._space.change(title, work, lane="network")
        self._tell_of(job, title)
        done = self.tr("The index of “{chat}” is rebuilt.").format(chat=name)
        job.succeeded.connect(lambda _changes: self._tell(done))
        job.succeeded.connect(lambda _changes: self.check(repair=False))

    def _tell_of(self, job: JobHandle, title: str) -> None:
        """Show that a job runs; clear the text if it is cancelled or fails."""
        self.told.emit(f"{title}…")
        job.cancelled.connect(lambda: self.told.emit(""))
        job.failed.connect(lambda _error: self.told.emit(""))

    def _tell(self, text: str) -> None:
        self._space.messages.tell(text, kind="success")
        self.told.emit(text)

    @Slot(object)
    def _tell_backup(self, repaired: Repaired) -> None:
        if repaired.backup is not None:
            text = self.tr("Backed up to {file} before the repair")
            self._space.messages.tell(text.format(file=repaired.backup.name), kind="info")

    @Slot(object)
    def _on_backups_found(self, backups: list[BackupFile]) -> None:
        self.backups_found.emit(backups)

    @Slot(object)
    def _on_prepared(self, _nothing: object) -> None:
        self.prepared.emit()
