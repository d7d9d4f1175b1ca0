"""The guide as it is read: text with pictures."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QTextBrowser, QWidget
from typing_extensions import override


class GuideView(QTextBrowser):
    """Shows no picture but those it was given: none is read from a disk or a network here.

    A picture is never wider than the lines of text are.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pictures: Mapping[str, QImage] = {}

    @override
    def loadResource(self, kind: int, name: QUrl | str) -> object:
        picture = self.pictures.get(QUrl(name).toString())
        return None if picture is None else self._narrowed(picture)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        document = self.document()
        kind = QTextDocument.ResourceType.ImageResource
        for name, picture in self.pictures.items():
            document.addResource(kind.value, QUrl(name), self._narrowed(picture))
        document.markContentsDirty(0, document.characterCount())

    def _narrowed(self, picture: QImage) -> QImage:
        """A copy that is drawn with all its pixels, and no wider than a line."""
        room = self.viewport().width() - 2 * self.document().documentMargin()
        shown = picture.copy()
        shown.setDevicePixelRatio(max(1.0, picture.width() / max(room, 1)))
        return shown
