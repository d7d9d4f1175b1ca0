"""What every card of a list shares: its frame, its fonts, chips, and lines of text.

Nothing here is a widget and nothing here fetches: 100,000 cards cost what is on screen.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from engram_desktop.domain.text.words.word_places import units, word_places
from engram_desktop.widgets.parts.look.look import Look

AnyIndex = QModelIndex | QPersistentModelIndex
GAP = 8  # between cards
SHOWN = 600  # characters of a text that a card may show


class CardDelegate(QStyledItemDelegate):
    """Subclasses paint one row out of these parts."""

    def __init__(self, look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.marked: tuple[str, ...] = ()  # words of a search
        self._body = QFont()
        self._strong = QFont()
        self._small = QFont()
        self.update_fonts()

    def update_fonts(self) -> None:
        for font, size, weight in (
            (self._body, 13, QFont.Weight.Normal),
            (self._strong, 13, QFont.Weight.DemiBold),
            (self._small, 12, QFont.Weight.Normal),
        ):
            font.setPixelSize(size)
            font.setWeight(weight)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(240, self._look.card_height)

    def paint_frame(self, painter: QPainter, card: QRectF, state: QStyle.StateFlag) -> None:
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        under = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.setBrush(self._look.color("selection" if chosen else "panel"))
        edge = "accent" if chosen else "line_strong" if under else "line"
        painter.setPen(QPen(self._look.color(edge), 1.6 if focused and chosen else 1.0))
        painter.drawRoundedRect(card, 10, 10)

    def paint_words(
        self,
        painter: QPainter,
        line: QRectF,
        x: float,
        text: str,
        font: QFont,
        role: str,
        share: float,
    ) -> float:
        if not text or x >= line.right():
            return x
        metrics = QFontMetricsF(font)
        room = max(0.0, min(line.width() * share, line.right() - x))
        visible_text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setPen(self._look.color(role))
        painter.drawText(
            QRectF(x, line.top(), room + 1, line.height()),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
            visible_text,
        )
        return x + metrics.horizontalAdvance(visible_text) + 12

    def paint_chip(self, painter: QPainter, box: QRectF, text: str, role: str) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color(f"{role}_soft"))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setFont(self._small)
        painter.setPen(self._look.color(f"{role}_ink"))
        metrics = QFontMetricsF(self._small)
        visible_text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width() - 14)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, visible_text)

    def paint_text(
        self,
        painter: QPainter,
        box: QRectF,
        text: str,
        below: Callable[[QRectF], None] | None = None,
    ) -> None:
        """Draw as many lines as the density allows; ``below`` may use one that is left over."""
        lines = 2 if self._look.density == "comfortable" else 1
        painter.setPen(self._look.color("ink"))
        layout = QTextLayout(" ".join(text[:SHOWN].split()), self._body)
        layout.setFormats(self._marks_in(layout.text()))
        metrics = QFontMetricsF(self._body)
        layout.beginLayout()
        y = box.top()
        for number in range(lines):
            line = layout.createLine()
            if not line.isValid():
                if number and below is not None:
                    below(QRectF(box.left(), y, box.width(), 18))
                break
            line.setLineWidth(box.width())
            end = line.textStart() + line.textLength()
            if number == lines - 1 and end < len(layout.text()):
                rest = layout.text()[line.textStart() :]
                visible_text = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, box.width())
                self._paint_line(painter, QPointF(box.left(), y), visible_text)
            else:
                line.draw(painter, QPointF(box.left(), y))
            y += 20
        layout.endLayout()

    def _paint_line(self, painter: QPainter, at: QPointF, text: str) -> None:
        """Draw one line whose end is cut off, with its marks."""
        layout = QTextLayout(text, self._body)
        layout.setFormats(self._marks_in(text))
        layout.beginLayout()
        line = layout.createLine()
        line.setNumColumns(len(text))
        layout.endLayout()
        line.draw(painter, at)

    def _marks_in(self, text: str) -> list[QTextLayout.FormatRange]:
        """Say where the words of the search stand in ``text``."""
        spans = []
        for first, last in word_places(text, self.marked):
            span = QTextLayout.FormatRange()
            span.start, span.length = units(text[:first]), units(text[first:last])
            words = QTextCharFormat()
            words.setBackground(self._look.color("gold_soft"))
            words.setForeground(self._look.color("gold_ink"))
            words.setFontUnderline(True)  # a sign beside the colour
            span.format = words
            spans.append(span)
        return spans
