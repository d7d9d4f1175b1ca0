"""A list of undo steps, newest first: what each did, and whether it is undone."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from engram_desktop.viewmodels.workspace.undo_actions import UndoActions, step_line
from engram_desktop.widgets.parts.look.look import Look


class StepList(QListWidget):
    def __init__(self, look: Look, undo: UndoActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._undo = undo
        self.setAccessibleName(self.tr("History"))
        self.setWordWrap(True)
        undo.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        self.clear()
        for step in self._undo.steps:
            icon = ("undo", "ink3") if step.is_undone else ("check", "green")
            self.addItem(QListWidgetItem(self._look.icon(*icon), step_line(step)))
