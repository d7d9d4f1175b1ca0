"""What a page shows while there is nothing on it.

Soft grey blocks where rows are about to stand: something is being read, and nothing is said.

They appear only when it takes long enough to be noticed, so that a quick page does not flash, and
they stand still: a shimmer costs frames while the machine has other work.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.look.look import Look

PATIENCE_MS = 120  # before anything is shown: most pages are there by then
ROW_HEIGHT, GAP, MARGIN = 88, 8, 4  # pixels: about a card of the lists
BARS = (0.34, 0.86, 0.62)  # widths of the lines in a block, of its own


class Skeleton(QWidget):
    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Reading…"))
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._timer.timeout.connect(self.update)
        look.changed.connect(self.update)

    @property
    def is_drawn(self) -> bool:
        """Whether it has been waited long enough."""
        return self.isVisible() and not self._timer.isActive()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_drawn:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        top = MARGIN
        while top < self.height():
            box = QRectF(MARGIN, top, self.width() - 2 * MARGIN, ROW_HEIGHT)
            painter.setOpacity(max(0.15, 1 - top / max(1, self.height())))
            painter.setBrush(self._look.color("panel"))
            painter.drawRoundedRect(box, 10, 10)
            painter.setBrush(self._look.color("hover"))
            for number, share in enumerate(BARS):
                line = QRectF(box.left() + 20, box.top() + 16 + 22 * number, 0, 10)
                line.setWidth((box.width() - 40) * share)
                painter.drawRoundedRect(line, 5, 5)
            top += ROW_HEIGHT + GAP
        painter.end()


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
