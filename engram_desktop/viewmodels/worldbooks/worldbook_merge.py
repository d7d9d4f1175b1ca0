"""Merging a kept worldbook that was changed: what is another there, and which side stays."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.worldbooks.merging.worldbook_merge import (
    MergeEntry,
    MergePlan,
    MergeReport,
    Side,
    Uid,
)
from engram_desktop.domain.worldbooks.worldbook import Entry
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.viewmodels.workspace.workspace import Workspace

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
