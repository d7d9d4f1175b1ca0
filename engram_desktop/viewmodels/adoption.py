"""Take over memories that other tools left in a chat: say what there is first, then do it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from engram_desktop.domain.adopted import Adopted, AdoptReport, by_tool
from engram_desktop.viewmodels.messages import Notice
from engram_desktop.viewmodels.workspace import Workspace


class Adoption(QObject):
    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace

    @Slot(str)
    def look(self, chat_id: str) -> None:
        """Look through the messages of a chat, and offer what was found."""
        memory = self._space.memory
        job = self._space.look_up(lambda ctx: memory.find_adoptable(ctx, chat_id))
        job.succeeded.connect(lambda found: self._offer(chat_id, found))

    def run(self, chat_id: str, found: list[Adopted]) -> None:
        memory = self._space.memory
        job = self._space.change(
            self.tr("Taking over memories"), lambda ctx: memory.adopt(ctx, chat_id, found)
        )
        job.succeeded.connect(self._on_adopted)

    def _offer(self, chat_id: str, found: list[Adopted]) -> None:
        if not found:
            text = self.tr("No memories of other tools were found in the messages of this chat.")
            self._space.messages.show(Notice("info", text))
            return
        tools = " · ".join(f"{tool} {count}" for tool, count in by_tool(found).items())
        self._space.messages.show(
            Notice(
                "info",
                self.tr("Memories of other tools were found: {tools}").format(tools=tools),
                self.tr("They become events marked as imported. One undo takes it back."),
                self.tr("Take over"),
                lambda: self.run(chat_id, found),
                stays=True,
            )
        )

    @Slot(object)
    def _on_adopted(self, report: AdoptReport) -> None:
        text = self.tr("%n memory(s) taken over", "", report.added)
        if report.skipped:
            known = self.tr("%n known already", "", report.skipped)
            text = f"{text} · {known}"
        self._space.messages.show(Notice("success", text))
