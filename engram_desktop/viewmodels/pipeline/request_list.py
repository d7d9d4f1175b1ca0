"""The newest requests to models, as a list that keeps up with them."""

from __future__ import annotations

import json

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engram_desktop.domain.pipeline.model_call import ModelCall
from engram_desktop.viewmodels.workspace.workspace import Workspace

_LOOK_MS = 1_000  # between two looks at whether there were more


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
        """Read the list, if there were more requests; it is held in memory."""
        count = self._usage.request_count
        if count != self._count:
            self._count = count
            self.calls = self._usage.requests()
            self.changed.emit()


def readable(text: str) -> str:
    """Return JSON as lines, its texts with their line breaks; other text as it is."""
    try:
        value = json.loads(text)
    except ValueError:  # cut, or never JSON
        return text
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\\n", "\n")
