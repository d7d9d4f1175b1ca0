"""Beside a scroll bar that is dragged: the floor that would be read where it is let go."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtWidgets import QStyle, QStyleOptionSlider, QWidget

from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.transcript.chat_view import ChatView

GAP = 6  # pixels between the bubble and the bar


class FloorBubble(QWidget):
    """Seen only while the bar's handle is held."""

    def __init__(self, view: ChatView) -> None:
        super().__init__(view)
        self._view = view
        self._text = label("", "bubble")
        column(self, 0, 0).addWidget(self._text)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        bar = view.verticalScrollBar()
        bar.sliderPressed.connect(self._follow)
        bar.sliderMoved.connect(lambda _value: self._follow())
        bar.sliderReleased.connect(self.hide)

    @Slot()
    def _follow(self) -> None:
        floors = self._view.visible_floors()
        if not floors:
            return
        self._text.setText(self.tr("Floor {floor}").format(floor=floors[0]))
        self.adjustSize()
        bar = self._view.verticalScrollBar()
        option = QStyleOptionSlider()
        bar.initStyleOption(option)
        part = QStyle.SubControl.SC_ScrollBarSlider
        handle = bar.style().subControlRect(QStyle.ComplexControl.CC_ScrollBar, option, part, bar)
        middle = bar.mapTo(self._view, handle.center())
        y = max(0, min(middle.y() - self.height() // 2, self._view.height() - self.height()))
        x = bar.mapTo(self._view, QPoint(0, 0)).x() - self.width() - GAP
        self.move(x, y)
        self.show()
        self.raise_()
