"""The blocks a summary could not read: why, and what the model really said."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListWidget, QWidget

from engram_desktop.domain.reports import FailedRange
from engram_desktop.viewmodels.event_list import floors_words
from engram_desktop.viewmodels.messages import translated
from engram_desktop.viewmodels.pipeline import Pipeline
from engram_desktop.widgets.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts import TextField, label


class FailuresDialog(FramedDialog):
    def __init__(
        self, pipeline: Pipeline, failed: Sequence[FailedRange], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=640)
        self._pipeline = pipeline
        self._failed = tuple(failed)
        self.set_title(self.tr("Blocks that failed"))
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Blocks that failed"))
        self.list.setMaximumHeight(140)
        for block in self._failed:
            self.list.addItem(floors_words(block.start_index, block.end_index))
        self.body.addWidget(self.list)
        self._reason = label("", "bad", wrap=True)
        self.body.addWidget(self._reason)
        self.body.addWidget(label(self.tr("The model's own answer"), "section"))
        self.raw = TextField(self.tr("The model's own answer"))
        self.raw.setReadOnly(True)
        self.raw.setMinimumHeight(220)
        self.body.addWidget(self.raw, 1)
        copy = self.add_button(self.tr("Copy"), left=True)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.raw.toPlainText()))
        self.add_close(self.tr("Close"))
        self.again_button = self.add_button(self.tr("Try this block again"), "main")
        self.again_button.clicked.connect(self._again)
        self.list.currentRowChanged.connect(self._show)
        self.list.setCurrentRow(0)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, row: int) -> None:
        if 0 <= row < len(self._failed):
            self._reason.setText(translated(self._failed[row].reason))
            self.raw.setPlainText(self._failed[row].raw or self.tr("There was no answer."))

    def _again(self) -> None:
        block = self._failed[self.list.currentRow()]
        self._pipeline.summarise((block.start_index, block.end_index), "auto")
        self.close()
