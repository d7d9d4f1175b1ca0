"""What the foot of the window says of the chat shown: index, visible tokens, automation."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import IndexHealth
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.workspace import Workspace

POLL_MS = 5000  # the index catches up on its own, and says so only when asked
CATCHING_UP = {"starting", "behind", "changing"}


@dataclass(frozen=True, slots=True)
class StatusValues:
    line: Line
    floors: int
    index: IndexHealth
    visible_tokens: int
    visible_limit: int
    untold: int  # archived events that no outline tells of
    mode: str


def _read(memory: Memory, line: Line) -> StatusValues:
    settings = memory.settings.read(line.chat_id)
    visible = memory.events.always_visible(line)
    return StatusValues(
        line,
        memory.messages.count(line),
        memory.index.health(line.chat_id),
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
        self.values: StatusValues | None = None
        self._query = LiveQuery(
            workspace,
            "status",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._poll = QTimer(self, interval=POLL_MS)
        self._poll.timeout.connect(self._on_poll)
        self._poll.start()

    @property
    def floors(self) -> int:
        """How many floors the line shown has; 0 before it was read."""
        return self.values.floors if self.values else 0

    @Slot()
    def read(self) -> None:
        self._query.read()

    def _ask(self) -> Callable[[JobContext], StatusValues] | None:
        line, memory = self._space.line, self._space.memory
        return (lambda _ctx: _read(memory, line)) if line.chat_id else None

    def _show(self, values: StatusValues | None) -> None:
        if values != self.values:
            self.values = values
            self.changed.emit(values)

    def _forget(self) -> None:
        if not self._space.chat_id:
            self._show(None)

    def _concerns(self, changes: Changes) -> bool:
        is_touched = changes.has_memory or changes.messages or changes.logs or changes.index
        return changes.settings or (is_touched and changes.chat_id == self._space.chat_id)

    @Slot()
    def _on_poll(self) -> None:
        if self.values is not None and self.values.index.state in CATCHING_UP:
            self._query.refresh()
