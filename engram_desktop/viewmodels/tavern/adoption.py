"""Memories other tools left: find them in a chat and in files, show them, take the ticked over."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.tavern.adopted import Adopted, AdoptPlan, AdoptReport
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.messages import Notice, describe
from engram_desktop.viewmodels.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class AdoptTarget:
    """The chat memories are taken over into."""

    line: Line
    name: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found, in the order found, and what of it is new. ``troubles`` are unread files."""

    memories: tuple[Adopted, ...]
    plan: AdoptPlan
    troubles: tuple[tuple[str, KnownError], ...] = ()

    def of_tool(self, tool: str) -> list[Adopted]:
        return [one for one in self.memories if one.tool == tool]

    def new_of(self, tools: Collection[str]) -> list[Adopted]:
        return [one for one in self.plan.new if one.tool in tools]

    @property
    def tools(self) -> list[str]:
        return list(dict.fromkeys(one.tool for one in self.memories))

    @property
    def trouble_text(self) -> str:
        return "\n".join(
            f"{file}: {' '.join(describe(error)).strip()}" for file, error in self.troubles
        )


def _find(ctx: JobContext, memory: Memory, target: AdoptTarget, files: Sequence[Path]) -> Findings:
    """Look through a chat and each file; a file that cannot be read does not hide the others."""
    troubles: list[tuple[str, KnownError]] = []
    readable = []
    for file in files:
        try:
            memory.adopt.preview_file(file)
        except KnownError as error:
            troubles.append((file.name, error))
        else:
            readable.append(file)
    memories = memory.adopt.find(ctx, target.line, readable)
    plan = memory.adopt.plan(target.line, memories)
    return Findings(tuple(memories), plan, tuple(troubles))


class Adoption(QObject):
    found = Signal(object)  # Findings
    applied = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace

    def target(self, chat_id: str) -> AdoptTarget:
        """Name a chat; of the one shown, the branch that is shown."""
        branch = self._space.branch_id if chat_id == self._space.chat_id else MAIN_BRANCH
        return AdoptTarget(Line(chat_id, branch), self._space.memory.chats.name(chat_id))

    def find(self, target: AdoptTarget, files: Sequence[Path] = ()) -> None:
        """Look through the messages of a chat and through files."""
        memory = self._space.memory
        job = self._space.look_up(lambda ctx: _find(ctx, memory, target, files))
        job.succeeded.connect(self.found)

    def run(self, target: AdoptTarget, memories: Sequence[Adopted]) -> None:
        memory = self._space.memory
        job = self._space.change(
            self.tr("Taking over memories"),
            lambda ctx: memory.adopt.take_over(ctx, target.line, memories),
        )
        job.succeeded.connect(self._on_adopted)

    @Slot(object)
    def _on_adopted(self, report: AdoptReport) -> None:
        parts = [self.tr("%n memory(s) taken over", "", report.added)]
        if report.replaced:
            parts.append(self.tr("%n outdated one(s) replaced", "", report.replaced))
        if report.skipped:
            parts.append(self.tr("%n known already", "", report.skipped))
        self._space.messages.show(
            Notice("success", " · ".join(parts), self.tr("One undo takes it back."))
        )
        self.applied.emit()
