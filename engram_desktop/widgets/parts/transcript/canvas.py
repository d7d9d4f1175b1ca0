"""What a chat is painted on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget


class Canvas(QWidget):
    """The viewport: what the mouse rests on has a tip."""

    def __init__(self, tip: Callable[[QPoint], str]) -> None:
        super().__init__()
        self._tip = tip

    def tip_at(self, at: QPoint) -> str:
        return self._tip(at)
