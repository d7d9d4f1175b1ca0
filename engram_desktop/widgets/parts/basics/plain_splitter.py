"""A splitter of the window: its handle is seen only under the pointer.

It takes its colour from the palette: a style sheet on it would be one on all that stands in it.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle
from typing_extensions import override


class PlainHandle(QSplitterHandle):
    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self.underMouse():
            QPainter(self).fillRect(self.rect(), self.palette().highlight())

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.HoverEnter, QEvent.Type.HoverLeave):
            self.update()
        return super().event(event)


class PlainSplitter(QSplitter):
    """Puts its parts beside each other."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setHandleWidth(1)

    @override
    def createHandle(self) -> QSplitterHandle:
        return PlainHandle(self.orientation(), self)
