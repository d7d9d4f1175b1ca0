"""Commands on the worldbook made of the chat's memory: export, keep in files, merge."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.messages import Notice, translated
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.reports import ImportReport
    from engram_desktop.domain.worldbooks.merging import (
        KeptReport,
        KeptWorldbook,
        MergeEntry,
        MergePlan,
        MergeReport,
        Side,
        Uid,
    )
    from engram_desktop.domain.worldbooks.worldbook import Entry


class MemoryShelf(WorkspaceModel):
    """Commands on the shown chat's worldbook.

    ``changed``: the kept files or their states changed.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        workspace.kept.synced.connect(self._on_synced)

    @cached_property
    def merging(self) -> WorldbookMerge:
        merge = WorldbookMerge(self._space, self)
        merge.merged.connect(self.changed)
        return merge

    def export(self, target: Path) -> None:
        """Write the memory of the shown branch, as it is seen, to a new worldbook."""
        line, memory, names = self._space.line, self._space.memory, self._space.actors

        def work(ctx: JobContext) -> int:
            actors = memory.knowledge.askers(ctx, line, names)
            return memory.care.export(ctx, line, target, "worldbook", actors)

        job = self._space.run(self._title(names), work, lane="network")
        job.succeeded.connect(self._on_exported)

    def _title(self, names: Sequence[str]) -> str:
        """Return the title of the task, with the character the chat is seen as."""
        if not names:
            return self.tr("Exporting")
        return self.tr("Exporting what %1 knows").replace("%1", names[0])

    def keep(self, target: Path) -> None:
        """Write the worldbook to a new file, and keep the file in sync with the memory."""
        line, memory = self._space.line, self._space.memory
        job = self._space.run(
            self.tr("Keeping a world book in sync"),
            lambda ctx: memory.kept.keep(ctx, line, target),
            lane="network",
        )
        job.succeeded.connect(self._on_kept)

    def sync(self, file: Path) -> None:
        """Update a kept file now; a missing file is written again."""
        memory = self._space.memory
        job = self._space.run(
            self.tr("Syncing a world book"),
            lambda ctx: memory.kept.sync(ctx, file=file, is_asked=True),
            lane="network",
        )
        job.succeeded.connect(self._on_asked)

    def move(self, file: Path, target: Path) -> None:
        """Keep ``target`` in sync instead of a file that was edited; the edited file stays."""
        memory = self._space.memory
        job = self._space.run(
            self.tr("Keeping a world book in sync"),
            lambda ctx: memory.kept.keep_elsewhere(ctx, file, target),
            lane="network",
        )
        job.succeeded.connect(self._on_kept)

    def take(self, file: Path) -> None:
        """Import an edited kept file as a worldbook of its own."""
        memory = self._space.memory
        job = self._space.change(
            self.tr("Importing a world book"), lambda ctx: memory.kept.take(ctx, file)
        )
        job.succeeded.connect(self._on_taken)

    def stop(self, file: Path) -> None:
        """Stop keeping a file in sync; the file stays."""
        memory = self._space.memory
        job = self._space.run(
            self.tr("Stopping to sync a world book"), lambda _ctx: memory.kept.stop(file)
        )
        job.succeeded.connect(self.changed)

    @Slot(object)
    def _on_exported(self, count: int) -> None:
        text = self.tr("World book of %n entry(ies) written", "", count)
        self._space.messages.tell(text, kind="success")

    @Slot(object)
    def _on_kept(self, report: KeptReport) -> None:
        text = self.tr("{file} is kept in sync with this chat's memory now").format(
            file=Path(report.worldbook.path).name
        )
        hint = self.tr(
            "Bind it to the character in SillyTavern. Reload SillyTavern's page to see later "
            "changes: an open page has its old copy, and what it saves has to be merged."
        )
        self._space.messages.show(Notice("success", text, hint))
        self.changed.emit()

    @Slot(object)
    def _on_taken(self, report: ImportReport) -> None:
        text = self.tr("“{name}” is a world book of its own now").format(name=report.name)
        hint = self.tr(
            "The file is no longer kept in sync. To go on, keep this chat's memory in a new one."
        )
        self._space.messages.show(Notice("success", text, hint))
        self.changed.emit()

    @Slot(object)
    def _on_asked(self, reports: list[KeptReport]) -> None:
        for report in reports:
            if report.worldbook.fault:
                self._warn(report.worldbook)
            else:
                text = self.tr("{file} is in sync").format(file=Path(report.worldbook.path).name)
                self._space.messages.tell(text, kind="success")
        self.changed.emit()

    @Slot(object)
    def _on_synced(self, reports: list[KeptReport]) -> None:
        for report in reports:
            if report.worldbook.fault:
                self._warn(report.worldbook)
        self.changed.emit()

    def _warn(self, worldbook: KeptWorldbook) -> None:
        text = self.tr("{file} is not in sync").format(file=Path(worldbook.path).name)
        hint = translated(worldbook.trouble) if worldbook.trouble else ""
        if worldbook.fault == "changed":
            hint = self.tr("{why} Both are on the page of world books.").format(why=hint)
        self._space.messages.show(Notice("warning", text, hint, stays=True))


SHOWN = 20_000  # characters of an entry that are shown; the rest is merged without being shown


class WorldbookMerge(WorkspaceModel):
    """Merge of one kept file that was edited.

    ``planned``: the entries to decide; ``merged``: the merge is done.
    """

    planned = Signal(object)  # MergePlan
    failed = Signal()
    merged = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.plan: MergePlan | None = None
        self._sides: dict[Uid, Side] = {}

    def compare(self, file: Path) -> None:
        """Compare a kept file with the memory; emits `planned`."""
        self.plan, self._sides = None, {}
        memory = self._space.memory
        job = self._space.run(
            self.tr("Comparing a world book"),
            lambda ctx: memory.tavern.plan_merge(ctx, file),
            lane="network",
        )
        job.succeeded.connect(self._on_planned)
        job.failed.connect(self.failed)

    def side(self, entry: MergeEntry) -> Side:
        return self._sides.get(entry.uid, entry.suggested)

    def choose(self, entry: MergeEntry, side: Side) -> None:
        self._sides[entry.uid] = side

    def choose_all(self, side: Side) -> None:
        for entry in self.plan.entries if self.plan else ():
            self.choose(entry, side)

    def merge(self) -> None:
        """Merge with the chosen sides."""
        plan, memory = self.plan, self._space.memory
        if plan is None:
            return
        sides = {entry.uid: self.side(entry) for entry in plan.entries}
        job = self._space.change(
            self.tr("Merging a world book"),
            lambda ctx: memory.tavern.merge_worldbook(ctx, plan, sides),
        )
        job.succeeded.connect(self._on_merged)

    def words(self, entry: MergeEntry) -> str:
        """Return what happened to an entry, for the list."""
        texts = {
            "edited": self.tr("edited in the file"),
            "added": self.tr("added in the file"),
            "removed": self.tr("removed from the file"),
        }
        text = texts[entry.happened]
        if entry.is_both:
            text += self.tr(", and changed here")
        side = self.tr("the file's") if self.side(entry) == "there" else self.tr("the memory's")
        return f"{entry.title} · {text} → {side}"

    def text(self, entry: Entry | None) -> str:
        """Return the text of one side: its keywords, then its content."""
        if entry is None:
            return self.tr("(not there)")
        keys = ", ".join(entry.keys)
        head = self.tr("Keys: {keys}").format(keys=keys) + "\n\n" if keys else ""
        whole = head + entry.content
        return whole if len(whole) <= SHOWN else f"{whole[:SHOWN]}…"

    @Slot(object)
    def _on_planned(self, plan: MergePlan) -> None:
        self.plan = plan
        self.planned.emit(plan)

    @Slot(object)
    def _on_merged(self, report: MergeReport) -> None:
        text = self.tr(
            "{file} is merged: %n entry(ies) of it added to the memory", "", report.taken
        )
        hint = self.tr(
            "Reload SillyTavern's page now: while it is open it has its old copy, and would save"
            " that over the file again."
        )
        file = Path(report.worldbook.path).name
        notice = Notice("success", text.format(file=file), hint, stays=True)
        self._space.messages.show(notice)
        self.merged.emit()
