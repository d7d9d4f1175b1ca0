"""Undo and redo of the chat shown. The menu names the step it would take back."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.labels import StepLabel
from engram_desktop.domain.reports import UndoStep
from engram_desktop.viewmodels.workspace import Workspace


def step_text(label: StepLabel) -> str:
    """Say a step's name in the window's language."""
    return QCoreApplication.translate("steps", label.text).format_map(label.params)


class UndoActions(QObject):
    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.undo_label: StepLabel | None = None
        self.redo_label: StepLabel | None = None
        workspace.chat_changed.connect(self.read)
        workspace.hub.changed.connect(self._on_changed)

    @property
    def undo_text(self) -> str:
        if self.undo_label is None:
            return self.tr("Undo")
        return self.tr("Undo: {step}").format(step=step_text(self.undo_label))

    @property
    def redo_text(self) -> str:
        if self.redo_label is None:
            return self.tr("Redo")
        return self.tr("Redo: {step}").format(step=step_text(self.redo_label))

    @Slot()
    def undo(self) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        if chat:
            self._space.change(self.tr("Undoing"), lambda _ctx: memory.undo(chat))

    @Slot()
    def redo(self) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        if chat:
            self._space.change(self.tr("Redoing"), lambda _ctx: memory.redo(chat))

    @Slot()
    def read(self) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        if not chat:
            self._show([])
            return
        job = self._space.look_up(lambda _ctx: memory.history(chat))
        job.succeeded.connect(self._show)

    @Slot(object)
    def _show(self, steps: list[UndoStep]) -> None:
        self.undo_label = next((s.label for s in steps if not s.is_undone), None)
        self.redo_label = next((s.label for s in reversed(steps) if s.is_undone), None)
        self.changed.emit()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if changes.chat_id == self._space.chat_id:
            self.read()
