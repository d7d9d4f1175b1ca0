"""Requests to models and their cost: totals, read when the page opens, and the newest requests."""

from __future__ import annotations

import json

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot

from engram_desktop.domain.pipeline.usage import DayUsage, ModelCall, UsageRow
from engram_desktop.domain.values import dataclass
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel


@dataclass(frozen=True, slots=True)
class UsageValues:
    """Totals of the page. ``cap`` 0: no limit is set."""

    rows: tuple[UsageRow, ...]
    today: DayUsage
    cap: int
    currency: str


def task_text(task: str) -> str:
    """Return the display name of the task of a request."""
    words = {
        "summary": QCoreApplication.translate("Usage", "Summaries"),
        "trim": QCoreApplication.translate("Usage", "Trimming"),
        "entity": QCoreApplication.translate("Usage", "Entity profiles"),
        "expand": QCoreApplication.translate("Usage", "Recall"),
        "triage": QCoreApplication.translate("Usage", "Triage"),
        "reflect": QCoreApplication.translate("Usage", "Reflection"),
        "play": QCoreApplication.translate("Usage", "Replies"),
    }
    return words.get(task, task)


def _read(memory: Memory) -> UsageValues:
    settings = memory.settings.read()
    rows = tuple(memory.usage.rows())
    return UsageValues(rows, memory.usage.today(), settings.llm_daily_tokens, settings.llm_currency)


class Usage(WorkspaceModel):
    read_done = Signal(object)  # UsageValues

    def read(self) -> None:
        memory = self._space.memory
        job = self._space.look_up(lambda _ctx: _read(memory))
        job.succeeded.connect(self.read_done)


_LOOK_MS = 1_000  # milliseconds between two checks for new requests


class RequestList(QObject):
    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._usage = workspace.memory.usage
        self.currency = workspace.memory.settings.read().llm_currency
        self.calls: list[ModelCall] = []
        self._count = -1
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    @Slot()
    def look(self) -> None:
        """Read the list again if there were new requests; the list is held in memory."""
        count = self._usage.request_count
        if count != self._count:
            self._count = count
            self.calls = self._usage.requests()
            self.changed.emit()


def readable(text: str) -> str:
    """Return JSON indented, with real line breaks in its texts; other text as it is."""
    try:
        value = json.loads(text)
    except ValueError:  # cut, or not JSON
        return text
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\\n", "\n")
