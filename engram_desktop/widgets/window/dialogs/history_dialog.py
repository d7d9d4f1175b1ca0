"""What was done, newest first: in the chat shown, or to the library; and one step back or again."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.dialogs.step_list import StepList
from engram_desktop.widgets.parts.look.look import Look


class HistoryDialog(FramedDialog):
    def __init__(self, look: Look, undo: UndoActions, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=620)
        self.setMinimumHeight(460)
        self._undo = undo
        title, hint = self.tr("History of this chat"), ""
        if undo.is_library:
            title = self.tr("History of the library")
            hint = self.tr(
                "What was done to world books, characters, regex scripts and prompts. Chats have a"
                " history each; settings have none."
            )
        self.set_title(title)
        if hint:
            self.body.addWidget(label(hint, "quiet", wrap=True))
        self.list = StepList(look, undo)
        self.body.addWidget(self.list, 1)
        self._none = label(self.tr("Nothing was done yet."), "quiet")
        self.body.addWidget(self._none)
        self.redo_button = self.add_button(self.tr("Redo"), left=True)
        self.undo_button = self.add_button(self.tr("Undo the newest step"), left=True)
        self.undo_button.clicked.connect(undo.undo)
        self.redo_button.clicked.connect(undo.redo)
        self.add_close(self.tr("Close"))
        undo.changed.connect(self._show)
        self._show()
        undo.read()

    @Slot()
    def _show(self) -> None:
        self._none.setVisible(not self._undo.steps)
        self.undo_button.setEnabled(self._undo.undo_label is not None)
        self.undo_button.setToolTip(self._undo.undo_text)
        self.redo_button.setEnabled(self._undo.redo_label is not None)
        self.redo_button.setToolTip(self._undo.redo_text)
