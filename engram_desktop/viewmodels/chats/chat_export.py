"""Write a chat's memory to a file: all of it, or what some of its story all know."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.workspace import Workspace

if TYPE_CHECKING:
    from engram_desktop.domain.reports import ExportForm


class ChatExport(QObject):
    """Exports of whole chats. ``names`` are read when they are asked for."""

    names_read = Signal(object)  # list[str], those who perceive most first

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self._reading = NewestAnswer(workspace.jobs, self)
        self._reading.answered.connect(self.names_read)
        self._reading.failed.connect(workspace.messages.show_error)

    @property
    def actors(self) -> tuple[str, ...]:
        """As whom the chat that is shown is seen."""
        return self._space.actors

    def line(self, chat_id: str) -> Line:
        """Return the line of a chat that is exported: the one shown, else its main branch."""
        return self._space.line if chat_id == self._space.chat_id else Line.main(chat_id)

    def name(self, chat_id: str) -> str:
        return self._space.memory.chats.name(chat_id)

    def read_names(self, chat_id: str) -> None:
        """Ask who is in the story of a chat; `names_read` answers."""
        line, memory = self.line(chat_id), self._space.memory
        self._reading.ask(lambda ctx: memory.knowledge.actors(ctx, line))

    def export(self, chat_id: str, target: Path, form: ExportForm, names: Sequence[str]) -> None:
        """Write to ``target``, which must be new, what all of ``names`` know; all with no name."""
        memory, line = self._space.memory, self.line(chat_id)
        if not target.suffix:
            target = target.with_suffix(".md" if form == "markdown" else ".json")

        def work(ctx: JobContext) -> int:
            actors = memory.knowledge.askers(ctx, line, tuple(names))
            return memory.care.export(ctx, line, target, form, actors)

        title = self.tr("Exporting")
        if names:
            comma = self.tr(", ", "between names")
            title = self.tr("Exporting what %1 knows").replace("%1", comma.join(names))
        job = self._space.run(title, work, lane="network")
        job.succeeded.connect(
            self._on_worldbook_exported if form == "worldbook" else self._on_exported
        )

    @Slot(object)
    def _on_exported(self, count: int) -> None:
        self._space.messages.tell(self.tr("%n event(s) exported", "", count), kind="success")

    @Slot(object)
    def _on_worldbook_exported(self, count: int) -> None:
        text = self.tr("World book of %n entry(ies) written", "", count)
        where = self.tr(
            "Put the file into SillyTavern's “worlds” folder, or import it on its World Info page."
        )
        self._space.messages.show(Notice("success", text, where))
