"""What became of one message on its way to a model, step by step. Plain text."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSplitter, QWidget

from engram_desktop.domain.text.text_steps import TextStep
from engram_desktop.viewmodels.prompts.script_list import ScriptList, step_text
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import TextField


class StepsDialog(FramedDialog):
    def __init__(self, scripts: ScriptList, floor: int, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=820)
        self.set_title(self.tr("Floor {floor} as a model reads it").format(floor=floor))
        self.setMinimumHeight(480)
        hint = self.tr("The message itself stays as it was written. Choose a step to see its text.")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setObjectName("steps")
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Steps"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text = TextField(self.tr("Text after this step"))
        self.text.setReadOnly(True)
        split.addWidget(self.list)
        split.addWidget(self.text)
        split.setSizes([320, 500])
        self.body.addWidget(split, 1)
        self.fault = label("", "bad", wrap=True)
        self.fault.hide()
        self.body.addWidget(self.fault)
        self.add_close(self.tr("Close"))
        self._steps: list[TextStep] = []
        self.list.currentRowChanged.connect(self._show)
        scripts.steps_read.connect(self._on_read)
        scripts.ask_steps(floor)

    @Slot(object)
    def _on_read(self, steps: list[TextStep]) -> None:
        self._steps = steps
        self.list.clear()
        for step in steps:
            item = QListWidgetItem(self._line(step))
            item.setToolTip(item.text())
            self.list.addItem(item)
        self.list.setCurrentRow(len(steps) - 1)

    def _line(self, step: TextStep) -> str:
        name = step_text(step)
        if step.kind == "original":
            return name
        if step.fault:
            return self.tr("{name}: not done").format(name=name)
        if step.is_changed:
            return self.tr("{name}: changed").format(name=name)
        return self.tr("{name}: nothing to do").format(name=name)

    @Slot(int)
    def _show(self, row: int) -> None:
        if 0 <= row < len(self._steps):
            step = self._steps[row]
            self.text.setPlainText(step.text)
            self.fault.setText(step.fault)
            self.fault.setVisible(bool(step.fault))
