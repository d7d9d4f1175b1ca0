"""How much of its screen a window may take."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QSize
from PySide6.QtWidgets import QWidget

FRAME = QMargins(8, 40, 8, 8)  # room for a frame and a title, in pixels: those of systems are less


def screen_room(window: QWidget) -> QSize:
    """Return the size a window may have beside the bars of its screen, without its frame."""
    return window.screen().availableGeometry().marginsRemoved(FRAME).size()
