"""Commands on the worldbook of the chat's memory: write it out, keep it in files, merge it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.messages import Notice, translated
from engram_desktop.viewmodels.workspace.workspace import Workspace

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


class MemoryShelf(QObject):
    """Commands on the chat shown. ``changed``: other files are kept now, or they fare otherwise."""

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        workspace.kept.synced.connect(self._on_synced)

    @cached_property
    def merging(self) -> WorldbookMerge:
        merge = WorldbookMerge(self._space, self)
        merge.merged.connect(self.changed)
        return merge

    def export(self, target: Path) -> None:
        """Write the memory of the branch shown, as it is seen, to a new worldbook."""
        line, memory, names = self._space.line, self._space.memory, self._space.actors

        def work(ctx: JobContext) -> int:
            actors = memory.knowledge.askers(ctx, line, names)
            return memory.care.export(ctx, line, target, "worldbook", actors)

        job = self._space.run(self._title(names), work, lane="network")
        job.succeeded.connect(self._on_exported)

    def _title(self, names: Sequence[str]) -> str:
        """Say for whom it is written, where the chat is seen as somebody sees it."""
        if not names:
            return self.tr("Exporting")
        return self.tr("Exporting what %1 knows").replace("%1", names[0])

    def keep(self, target: Path) -> None:
        """Write it to a new file that follows the memory from now on."""
        line, memory = self._space.line, self._space.memory
        job = self._space.run(
            self.tr("Keeping a world book in sync"),
            lambda ctx: memory.kept.keep(ctx, line, target),
            lane="network",
        )
        job.succeeded.connect(self._on_kept)

    def sync(self, file: Path) -> None:
        """Bring a kept file to what memory says now; one that is gone is written anew."""
        memory = self._space.memory
        job = self._space.run(
            self.tr("Syncing a world book"),
            lambda ctx: memory.kept.sync(ctx, file=file, is_asked=True),
            lane="network",
        )
        job.succeeded.connect(self._on_asked)

    def move(self, file: Path, target: Path) -> None:
        """Keep a new file in the place of one that somebody changed; that one stays."""
        memory = self._space.memory
        job = self._space.run(
            self.tr("Keeping a world book in sync"),
            lambda ctx: memory.kept.keep_elsewhere(ctx, file, target),
            lane="network",
        )
        job.succeeded.connect(self._on_kept)

    def take(self, file: Path) -> None:
        """Make what somebody changed in a kept file a worldbook of its own."""
        memory = self._space.memory
        job = self._space.change(
            self.tr("Importing a world book"), lambda ctx: memory.kept.take(ctx, file)
        )
        job.succeeded.connect(self._on_taken)

    def stop(self, file: Path) -> None:
        """Keep a file in sync no more; it stays."""
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
            "The file is kept in sync no more. To go on, keep this chat's memory in a new one."
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


# Merging a kept worldbook that was changed: what is another there, and which side stays.


SHOWN = 20_000  # characters of an entry that are shown; the rest is merged unseen


class WorldbookMerge(QObject):
    """One file at a time. ``planned``: what there is to decide; ``merged``: it is done."""

    planned = Signal(object)  # MergePlan
    failed = Signal()
    merged = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.plan: MergePlan | None = None
        self._sides: dict[Uid, Side] = {}

    def compare(self, file: Path) -> None:
        """Compare a kept file with the memory; `planned` brings the answer."""
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
        """Do what was chosen."""
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
        """What happened to an entry, for a list."""
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
        """What one side says: its keys, then its text."""
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
        text = self.tr("{file} is merged: %n entry(ies) taken into the memory", "", report.taken)
        hint = self.tr(
            "Reload SillyTavern's page now: while it is open it has its old copy, and would save"
            " that over the file again."
        )
        file = Path(report.worldbook.path).name
        notice = Notice("success", text.format(file=file), hint, stays=True)
        self._space.messages.show(notice)
        self.merged.emit()
