"""A part of a form that folds away under its name."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QRect, Slot
from PySide6.QtWidgets import QScrollArea, QWidget

from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import kind_button
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.look.motion import Travel


class Fold(QWidget):
    """``inner`` takes the fields; ``head`` is the button that shows and hides them."""

    def __init__(
        self, look: Look, name: str, parent: QWidget | None = None, *, is_open: bool = False
    ) -> None:
        super().__init__(parent)
        self._look = look
        rows = column(self, 0, 4)
        self.head = kind_button("plain", name, checkable=False)
        self.head.setAccessibleName(name)
        rows.addWidget(self.head)
        self.inner = QWidget()
        rows.addWidget(self.inner)
        self.head.clicked.connect(self.toggle)
        self.set_open(is_open=is_open)

    def set_open(self, *, is_open: bool) -> None:
        self._is_open = is_open
        self.inner.setVisible(is_open)
        self._look.dress(self.head, "down" if is_open else "right")

    @Slot()
    def toggle(self) -> None:
        """Open or close it; what stands below is seen to make room, or to close up."""
        scene = self._scene()
        height = self.inner.height()

        def travel() -> Travel:
            top = self.head.mapTo(scene, QPoint(0, self.head.height())).y()
            below = QRect(0, top, scene.width(), scene.height() - top)
            room = self.inner.height() if self._is_open else height
            return Travel(below, QPoint(0, room), comes=not self._is_open)

        change = partial(self.set_open, is_open=not self._is_open)
        self._look.motion.change(scene, change, travel)

    def _scene(self) -> QWidget:
        """What is seen of the form it stands in."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        return above.viewport() if above is not None else self.window()
