"""The key of a further endpoint: which one, the key, and whether it has one."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QWidget

from engram_desktop.viewmodels.settings.upstream_keys import Rows, UpstreamKeys
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, set_tone, text_button
from engram_desktop.widgets.parts.fields.text_fields import LineField


class UpstreamKeyForm(QWidget):
    """Hidden while there is no further endpoint."""

    def __init__(self, keys: UpstreamKeys, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self._has_key: dict[str, bool] = {}
        rows = column(self, 0, 4)
        rows.addWidget(label(self.tr("Key of a further endpoint")))
        line = QHBoxLayout()
        line.setSpacing(8)
        self.name = QComboBox()
        self.name.setAccessibleName(self.tr("Further endpoint"))
        self.name.currentIndexChanged.connect(lambda _n: self._show_state())
        line.addWidget(self.name)
        self.key = LineField()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setAccessibleName(self.tr("API key"))
        self.key.submitted.connect(self._save)
        line.addWidget(self.key, 1)
        self.save_button = text_button(self.tr("Keep the key"))
        self.save_button.clicked.connect(self._save)
        line.addWidget(self.save_button)
        rows.addLayout(line)
        self.state = label("", "hint", wrap=True)
        rows.addWidget(self.state)
        keys.read.connect(self._show_rows)
        keys.refused.connect(self._show_trouble)
        self.hide()
        keys.look()

    @Slot()
    def _save(self) -> None:
        if self.name.currentText() and self.key.text().strip():
            self._keys.save(self.name.currentText(), self.key.text())
            self.key.clear()

    @Slot(object)
    def _show_rows(self, rows: Rows) -> None:
        chosen, self._has_key = self.name.currentText(), dict(rows)
        self.name.clear()
        self.name.addItems(list(self._has_key))
        self.name.setCurrentIndex(max(0, self.name.findText(chosen)))
        self.setVisible(bool(rows))
        self._show_state()

    def _show_state(self) -> None:
        set_tone(self.state, "hint")
        has_key = self._has_key.get(self.name.currentText(), False)
        self.key.setPlaceholderText("••••••••" if has_key else "")
        self.state.setText(
            self.tr("A key is stored. Type to replace it.")
            if has_key
            else self.tr("Without a key of its own it is asked without one.")
        )

    @Slot(str)
    def _show_trouble(self, words: str) -> None:
        set_tone(self.state, "bad")
        self.state.setText(words)
