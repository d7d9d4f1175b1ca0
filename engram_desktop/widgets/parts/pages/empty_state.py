"""What a page shows while there is nothing on it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.skeleton import Skeleton


class EmptyState(QWidget):
    """What a page says when there is nothing to show: why, and what to do next.

    While it is not known whether there is anything it waits, and says nothing.
    """

    acted = Signal()

    def __init__(self, look: Look, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._icon = icon
        self._picture = label()
        self._title = label(tone="heading", wrap=True)
        self._hint = label(tone="quiet", wrap=True)
        self.button = text_button("", "main")
        self.button.clicked.connect(self.acted)
        self.skeleton = Skeleton(look, self)
        self.skeleton.hide()
        outer = column(self, 0, 0)
        outer.addWidget(self.skeleton)
        self._words = QWidget(self)
        outer.addWidget(self._words)
        inner = column(self._words, 24, 10)
        inner.addStretch(2)
        for part in (self._picture, self._title, self._hint):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
            inner.addWidget(part)
        inner.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        inner.addStretch(3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        look.changed.connect(self._draw)
        self._draw()

    @override
    def hasHeightForWidth(self) -> bool:
        """It fills what is left, and asks for none where something else of its place is shown."""
        return False

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def wait(self) -> None:
        """Say nothing yet: it is being read."""
        self._words.hide()
        self.skeleton.show()

    def say(self, title: str, hint: str, action: str = "") -> None:
        self.skeleton.hide()
        self._words.show()
        self._title.setText(title)
        self._hint.setText(hint)
        self.button.setText(action)
        self.button.setVisible(bool(action))

    def _draw(self) -> None:
        self._picture.setPixmap(self._look.pixmap(self._icon, "ink3", 40))
