"""Undo, redo and history at the foot of a dialog that changes the library, not a chat."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.widgets.parts.basics.pieces import literal, text_button
from engram_desktop.widgets.parts.look.look import Look


class UndoStrip(QWidget):
    def __init__(self, look: Look, undo: UndoActions, parent: QWidget) -> None:
        super().__init__(parent)
        self._undo = undo
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(2)
        self.undo_action = self._action(look, "undo", undo.undo, "Ctrl+Z")
        self.redo_action = self._action(look, "redo", undo.redo, "Ctrl+Y", "Ctrl+Shift+Z")
        for action in (self.undo_action, self.redo_action):
            button = QToolButton()
            button.setDefaultAction(action)
            button.setIconSize(QSize(18, 18))
            line.addWidget(button)
        self.history_button = text_button(self.tr("History…"))
        self.history_button.clicked.connect(undo.history_wanted)
        line.addSpacing(4)
        line.addWidget(self.history_button)
        undo.changed.connect(self._show)
        self._show()

    def _action(self, look: Look, icon: str, slot: Callable[[], object], *keys: str) -> QAction:
        action = QAction(self)
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.triggered.connect(lambda _checked=False: slot())
        look.dress(action, icon)
        self.window().addAction(action)
        return action

    @Slot()
    def _show(self) -> None:
        show_undo(self._undo, self.undo_action, self.redo_action)


def show_undo(undo: UndoActions, undo_action: QAction, redo_action: QAction) -> None:
    """Let two actions say what they would do."""
    for action, text, undone, keys in (
        (undo_action, undo.undo_text, undo.undo_label, "Ctrl+Z"),
        (redo_action, undo.redo_text, undo.redo_label, "Ctrl+Y"),
    ):
        action.setText(literal(text))
        action.setToolTip(f"{text} ({keys})")
        action.setEnabled(undone is not None)
