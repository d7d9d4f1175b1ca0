"""What a text completion model would get of the chat shown, by the templates of its SillyTavern."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.messages import describe
from engram_desktop.viewmodels.workspace.workspace import Workspace


class TextPromptModel(QObject):
    """Reads only while `set_active`. ``read`` gives the text, and in words why there is none."""

    read = Signal(str, str)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self._query = LiveQuery(
            workspace,
            "text prompt",
            self._ask,
            self._show,
            concerns=self._concerns,
            parent=self,
        )
        self._query.set_active(False)

    def set_active(self, *, active: bool) -> None:
        """Say whether the text is seen."""
        self._query.set_active(active)

    def _ask(self) -> Callable[[JobContext], tuple[str, str]] | None:
        line, memory = self._space.line, self._space.memory
        if not line.chat_id:
            self.read.emit("", self.tr("No chat is shown."))
            return None

        def work(_ctx: JobContext) -> tuple[str, str]:
            try:
                return memory.prompts.as_text(line), ""
            except InputError as error:  # most chats are of no folder that is followed
                return "", " ".join(filter(None, describe(error)))

        return work

    def _show(self, answer: tuple[str, str]) -> None:
        self.read.emit(*answer)

    def _concerns(self, changes: Changes) -> bool:
        return changes.chat_id == self._space.chat_id and changes.messages
