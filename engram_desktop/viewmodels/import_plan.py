"""Import files: look first, say what would happen, then do it. Nothing is overwritten, ever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.reports import ImportPreview, ImportReport
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.messages import Notice, describe
from engram_desktop.viewmodels.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Candidate:
    """One file and what was found in it, or why it cannot be read."""

    path: Path
    preview: ImportPreview | None
    trouble: KnownError | None = None

    @property
    def trouble_text(self) -> str:
        return " ".join(describe(self.trouble)).strip() if self.trouble else ""


def _look(ctx: JobContext, memory: Memory, paths: Sequence[Path]) -> list[Candidate]:
    found = []
    for path in paths:
        ctx.check()
        try:
            found.append(Candidate(path, memory.preview(ctx, path)))
        except KnownError as error:  # shown beside the file it concerns
            found.append(Candidate(path, None, error))
    return found


def _make_demo(ctx: JobContext, memory: Memory, story: Path) -> ImportReport:
    report = memory.import_file(ctx, story)
    if report.chat_id is None:
        return report
    made = memory.summarise(ctx, report.chat_id, None, "extractive")
    return replace(report, changes=report.changes | made.changes)


class ImportPlan(QObject):
    looked = Signal(object)  # list[Candidate]
    summarise_wanted = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace

    def look(self, paths: Sequence[Path]) -> None:
        memory = self._space.memory
        job = self._space.look_up(lambda ctx: _look(ctx, memory, paths))
        job.succeeded.connect(self._on_looked)

    def run(self, path: Path, *, into: str | None, name: str | None) -> None:
        """Import ``path``: into the chat it continues, or as a chat of its own."""
        memory = self._space.memory
        job = self._space.change(
            self.tr("Importing {name}").format(name=path.name),
            lambda ctx: memory.import_file(ctx, path, into=into, name=name),
            lane="network",
        )
        job.succeeded.connect(self._on_imported)

    def open_demo(self, story: Path) -> None:
        """Import the bundled story and make its events, without a model."""
        memory = self._space.memory
        job = self._space.change(
            self.tr("Opening the demo"),
            lambda ctx: _make_demo(ctx, memory, story),
            lane="network",
        )
        job.succeeded.connect(self._on_demo_made)

    @Slot(object)
    def _on_demo_made(self, report: ImportReport) -> None:
        if report.chat_id:
            self._space.show_chat(report.chat_id)

    @Slot(object)
    def _on_looked(self, found: list[Candidate]) -> None:
        self.looked.emit(found)

    @Slot(object)
    def _on_imported(self, report: ImportReport) -> None:
        text = self.tr("%n message(s) added", "", report.added)
        if report.warnings:
            text = self.tr(
                "{added}; %n line(s) could not be read", "", len(report.warnings)
            ).format(added=text)
        self._space.messages.show(
            Notice(
                "warning" if report.warnings else "success",
                text,
                "",
                self.tr("Summarise…") if report.added else "",
                self.summarise_wanted.emit if report.added else None,
            )
        )
        self._on_demo_made(report)
