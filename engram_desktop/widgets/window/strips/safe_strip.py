"""Says above every page that the program runs in safe mode, and leads out of it."""

from __future__ import annotations

from PySide6.QtCore import Signal, SignalInstance, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from engram_desktop.widgets.parts.basics.elided_label import ElidedLabel
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.look.look import Look


class SafeStrip(QFrame):
    """Made hidden or seen once: another mode is another start."""

    wanted = Signal(bool)  # to begin anew in safe mode, or out of it

    def __init__(self, look: Look, parent: QWidget | None = None, *, is_safe: bool) -> None:
        super().__init__(parent)
        self.setObjectName("viewpoint")
        self._look = look
        line = QHBoxLayout(self)
        line.setContentsMargins(24, 6, 16, 6)
        line.setSpacing(10)
        self._picture = label()
        line.addWidget(self._picture)
        self.text = ElidedLabel("viewpoint")
        self.text.set_text(
            self.tr("Safe mode: no automation, no scripts, no server, nothing by itself")
        )
        line.addWidget(self.text)
        self.leave_button = text_button(self.tr("Leave safe mode"))
        self.leave_button.clicked.connect(self.change)
        line.addWidget(self.leave_button)
        line.addStretch(1)
        look.changed.connect(self._draw)
        self._draw()
        self._is_safe = is_safe
        self.setVisible(is_safe)

    def follow(self, *doors: SignalInstance) -> None:
        """Change the mode when one of these is emitted."""
        for door in doors:
            door.connect(self.change)

    @Slot()
    def change(self) -> None:
        """Begin again in the other mode."""
        self.wanted.emit(not self._is_safe)

    def _draw(self) -> None:
        self._picture.setPixmap(self._look.pixmap("warning", "gold_ink", 18))
