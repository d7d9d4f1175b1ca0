"""A chat's memory as a folder of Markdown files: which folders there are, and what waits there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import FOLDER_FAULTS, FolderReport, KeptFolder, Side
from engram_desktop.qtjobs.handle import JobHandle, Work
from engram_desktop.viewmodels.workspace.messages import Notice, translated
from engram_desktop.viewmodels.workspace.workspace import Workspace


class MemoryFolders(QObject):
    """Commands run where the files are looked at by themselves: never two looks at once."""

    changed = Signal()  # other folders are kept, or a look came to something

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.rows: list[KeptFolder] = []
        self.reports: dict[str, FolderReport] = {}  # by folder, the last look
        workspace.folders.synced.connect(self._on_synced)

    def of_chat(self, chat_id: str) -> KeptFolder | None:
        """Return the folder a chat is kept in, if it is."""
        return next((row for row in self.rows if row.chat_id == chat_id), None)

    def read(self) -> None:
        """Read which folders are kept, and look at each."""
        memory = self._space.memory
        job = self._space.look_up(lambda _ctx: memory.care.folders.all())
        job.succeeded.connect(self._on_rows)

    def keep(self, chat_id: str, folder: Path) -> None:
        """Keep a chat in a new or empty folder from now on."""
        branch = self._space.branch_id if chat_id == self._space.chat_id else MAIN_BRANCH
        line, memory = Line(chat_id, branch), self._space.memory
        self._run(lambda ctx: memory.care.folders.keep(ctx, line, folder))

    def sync(self, folder: str, *, with_deletions: bool = False) -> None:
        """Look at a folder now; ``with_deletions``: files that are gone were meant to be."""
        memory = self._space.memory
        self._run(
            lambda ctx: memory.care.folders.sync(ctx, Path(folder), with_deletions=with_deletions)[
                0
            ]
        )

    def choose(self, folder: str, file: str, side: Side) -> None:
        """Let one side of a conflict stand."""
        memory = self._space.memory
        self._run(lambda ctx: memory.care.folders.choose(ctx, Path(folder), file, side))

    def stop(self, folder: str) -> None:
        """Keep a folder in step no more; its files stay."""
        memory = self._space.memory
        job = self._space.run(
            self.tr("Stopping to keep a folder"),
            lambda _ctx: memory.care.folders.stop(Path(folder)),
        )
        job.succeeded.connect(self._on_stopped)

    def trouble(self, row: KeptFolder) -> str:
        """Say why a folder is not in step; empty if it is."""
        return translated(Phrase(FOLDER_FAULTS[row.fault])) if row.fault else ""

    def _run(self, work: Work) -> JobHandle:
        job = self._space.run(self.tr("Keeping a folder in step"), work, lane="follow")
        job.succeeded.connect(self._on_looked)
        return job

    @Slot(object)
    def _on_rows(self, rows: list[KeptFolder]) -> None:
        self.rows = rows
        self.changed.emit()

    @Slot(object)
    def _on_looked(self, report: FolderReport) -> None:
        if report.edited + report.added + report.removed:
            self._space.hub.publish(report.changes, None)
        self._take([report])
        self._space.folders.look()
        self.read()

    @Slot(object)
    def _on_stopped(self, row: KeptFolder) -> None:
        self.reports.pop(row.path, None)
        self._space.folders.look()
        self.read()

    @Slot(object)
    def _on_synced(self, reports: list[FolderReport]) -> None:
        self._take(reports)
        for report in reports:
            self._tell(report)
        self.changed.emit()

    def _take(self, reports: list[FolderReport]) -> None:
        for report in reports:
            self.reports[report.folder.path] = report

    def _tell(self, report: FolderReport) -> None:
        """Tell what files changed here, and what waits for an answer."""
        name = Path(report.folder.path).name
        taken = report.edited + report.added + report.removed
        if taken:
            text = self.tr("%n memory(s) changed by files of {folder}", "", taken)
            self._space.messages.tell(text.format(folder=name))
        waiting = len(report.conflicts)
        if waiting or report.folder.fault:
            text = self.tr("%n file(s) of {folder} wait for your choice", "", waiting)
            text = text.format(folder=name) if waiting else f"{name}: {self.trouble(report.folder)}"
            hint = self.tr("See the chat's menu, Markdown folder.")
            topic = f"folder {report.folder.path}"
            self._space.messages.show(Notice("warning", text, hint, topic=topic))
