"""What a text completion model would get of the chat, to be read and copied. Plain text."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.viewmodels.prompts.text_prompt import TextPromptModel
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.fields.text_fields import TextField


class CompletionPage(QWidget):
    def __init__(self, model: TextPromptModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        rows = column(self, 0, 8)
        hint = self.tr(
            "The chat as SillyTavern would write it for a text completion model: by its story"
            " string, instruct template and system prompt. World info and notes among the messages"
            " are not in it."
        )
        rows.addWidget(label(hint, "quiet", wrap=True))
        self.text = TextField(self.tr("Prompt"))
        self.text.setReadOnly(True)
        rows.addWidget(self.text, 1)
        self.fault = label("", "bad", wrap=True)
        self.fault.hide()
        rows.addWidget(self.fault)
        model.read.connect(self._show)

    @Slot(str, str)
    def _show(self, text: str, fault: str) -> None:
        self.text.setPlainText(text)
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
