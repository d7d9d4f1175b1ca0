"""A label of one line that is elided where it does not fit."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from typing_extensions import override


class ElidedLabel(QLabel):
    """One line of text, elided where it does not fit; the tooltip then has all of it."""

    def __init__(
        self, tone: str, max_width: int | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("tone", tone)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(60)
        if max_width is not None:
            self.setMaximumWidth(max_width)

    def set_text(self, text: str) -> None:
        self._whole = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._elide()

    @override
    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        hint.setWidth(self.fontMetrics().horizontalAdvance(self._whole) + 4)
        return hint

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        text = self.fontMetrics().elidedText(
            self._whole, Qt.TextElideMode.ElideRight, max(60, self.width())
        )
        if text != self.text():
            self.setText(text)
        self.setToolTip("" if text == self._whole else self._whole)
