"""Says above every page that the library is seen as somebody of the story knows it."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from engram_desktop.viewmodels.knowledge.viewpoint import Viewpoint
from engram_desktop.widgets.parts.basics.elided_label import ElidedLabel
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.look.look import Look


class ViewpointStrip(QFrame):
    """Hidden while the curator looks, who sees everything."""

    def __init__(self, look: Look, viewpoint: Viewpoint, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("viewpoint")
        self._look = look
        self._viewpoint = viewpoint
        line = QHBoxLayout(self)
        line.setContentsMargins(24, 6, 16, 6)
        line.setSpacing(10)
        self._picture = label()
        line.addWidget(self._picture)
        self._text = ElidedLabel("viewpoint")
        line.addWidget(self._text)
        self.back_button = text_button(self.tr("Back to everything"))
        self.back_button.clicked.connect(self._go_back)
        line.addWidget(self.back_button)
        line.addStretch(1)
        viewpoint.changed.connect(self._show_name)
        look.changed.connect(self._draw)
        self._draw()
        self._show_name(viewpoint.current)

    @Slot(str)
    def _show_name(self, name: str) -> None:
        self.setVisible(bool(name))
        self._text.set_text(
            self.tr("Seen as {name}: only what {name} knows").format(name=name) if name else ""
        )

    @Slot()
    def _go_back(self) -> None:
        self._viewpoint.view_as("")

    def _draw(self) -> None:
        self._picture.setPixmap(self._look.pixmap("eye", "gold_ink", 18))
