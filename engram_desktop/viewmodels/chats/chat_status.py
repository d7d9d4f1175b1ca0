"""What the foot of the window says of the chat shown: index, visible tokens, automation."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.reports import IndexHealth
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.workspace import Workspace

POLL_MS = 5000  # the index catches up on its own, and says so only when asked


@dataclass(frozen=True, slots=True)
class StatusValues:
    chat_id: str
    branch_id: str
    floors: int
    index: IndexHealth
    visible_tokens: int
    visible_limit: int
    untold: int  # archived events that no outline tells of
    mode: str


def _read(memory: Memory, chat: str, branch: str) -> StatusValues:
    settings = memory.settings.read(chat)
    visible = memory.events.always_visible(chat, branch)
    return StatusValues(
        chat,
        branch,
        memory.messages.count(chat, branch),
        memory.index.health(chat),
        visible.tokens,
        settings.visible_tokens,
        visible.untold,
        settings.memory_mode,
    )


class ChatStatus(QObject):
    changed = Signal(object)  # StatusValues or None

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self._asked: tuple[str, str] | None = None  # the line being read
        self.values: StatusValues | None = None
        workspace.chat_changed.connect(self.read)
        workspace.hub.changed.connect(self._on_changed)
        self._poll = QTimer(self, interval=POLL_MS)
        self._poll.timeout.connect(self._on_poll)
        self._poll.start()

    @property
    def floors(self) -> int:
        """How many floors the line shown has; 0 before it was read."""
        return self.values.floors if self.values else 0

    @Slot()
    def read(self) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        if not chat:
            self._show(None)
            return
        if self._asked:
            return
        branch = self._space.branch_id
        self._asked = (chat, branch)
        job = self._space.look_up(lambda _ctx: _read(memory, chat, branch))
        job.succeeded.connect(self._show)
        job.finished.connect(self._on_read_finished)

    @Slot(object)
    def _show(self, values: StatusValues | None) -> None:
        shown = (self._space.chat_id, self._space.branch_id)
        is_current = values is None or (values.chat_id, values.branch_id) == shown
        if is_current and values != self.values:
            self.values = values
            self.changed.emit(values)

    @Slot()
    def _on_read_finished(self) -> None:
        asked, self._asked = self._asked, None
        if asked != (self._space.chat_id, self._space.branch_id):
            self.read()

    @Slot()
    def _on_poll(self) -> None:
        if self.values is not None and self.values.index.state in {
            "starting",
            "behind",
            "changing",
        }:
            self.read()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if changes.settings or changes.chat_id == self._space.chat_id:
            self.read()
