"""How a row of the panel is drawn: a heading, or an icon, a name and a line of text with marks.

Text is drawn, never read as markup: a story may hold any.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from engram_desktop.domain.search.hit import Passage
from engram_desktop.viewmodels.search.quick_rows import QuickRow
from engram_desktop.viewmodels.workspace.paged_list import RowRole
from engram_desktop.widgets.parts.look.look import Look

HEADING, ONE_LINE, TWO_LINES = 30, 38, 58  # pixels high
_LEFT = 44  # where text begins: the icon stands before it
_LAMPS = {"blue": "accent", "green": "green", "stale": "red", "locked": "gold"}


class QuickCard(QStyledItemDelegate):
    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look

    @override
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        row = index.data(RowRole)
        if row is None or row.is_heading:
            return QSize(200, HEADING)
        return QSize(200, TWO_LINES if row.passage.text else ONE_LINE)

    @override
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row = index.data(RowRole)
        if row is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect)
        if row.is_heading:
            self._paint_heading(painter, box, row)
        else:
            state = option.state
            self._paint_row(painter, box.adjusted(6, 1, -6, -1), row, state)
        painter.restore()

    def _paint_heading(self, painter: QPainter, box: QRectF, row: QuickRow) -> None:
        font = self._font(12, QFont.Weight.DemiBold)
        line = box.adjusted(16, 8, -16, -2)
        end = self._paint_line(painter, line, row.title, font, "ink2")
        counted = line.adjusted(end - line.left() + 8, 0, 0, 0)
        self._paint_line(painter, counted, Passage(row.aside), self._font(12), "ink2")

    def _paint_row(
        self, painter: QPainter, box: QRectF, row: QuickRow, state: QStyle.StateFlag
    ) -> None:
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        if is_chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.color("selection" if is_chosen else "side"))
            painter.drawRoundedRect(box, 8, 8)
        height = 22.0
        top = box.top() + (7 if row.passage.text else (box.height() - height) / 2)
        line = QRectF(box.left() + _LEFT - 6, top, box.width() - _LEFT - 6, height)
        pixmap = self._look.pixmap(row.icon, "accent" if is_chosen else "ink2", 16)
        painter.drawPixmap(QPointF(box.left() + 11, top + 3), pixmap)
        aside = self._font(12)
        room = min(QFontMetricsF(aside).horizontalAdvance(row.aside), line.width() * 0.45)
        place = QRectF(line.right() - room, line.top(), room + 1, line.height())
        self._paint_line(painter, place, Passage(row.aside), aside, "ink2")
        x = self._paint_lamps(painter, line, row)
        name = QRectF(x, line.top(), place.left() - 12 - x, line.height())
        weight = QFont.Weight.DemiBold if row.passage.text else QFont.Weight.Normal
        self._paint_line(painter, name, row.title, self._font(13, weight), "ink")
        below = line.translated(0, height)
        self._paint_line(painter, below, row.passage, self._font(13), "ink2")

    def _paint_lamps(self, painter: QPainter, line: QRectF, row: QuickRow) -> float:
        x = line.left()
        for tint in row.tints:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.color(_LAMPS[tint]))
            painter.drawEllipse(QRectF(x, line.center().y() - 4, 8, 8))
            x += 14
        return x

    def _paint_line(
        self, painter: QPainter, box: QRectF, passage: Passage, font: QFont, role: str
    ) -> float:
        """Draw one line, cut where it ends, its marks behind the words; return where it ends."""
        if not passage.text or box.width() < 8:
            return box.left()
        metrics = QFontMetricsF(font)
        text = metrics.elidedText(passage.text, Qt.TextElideMode.ElideRight, box.width())
        layout = QTextLayout(text, font)
        layout.setFormats(self._marks(passage, text))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(box.width() + metrics.averageCharWidth() * 2)
        layout.endLayout()
        painter.setPen(self._look.color(role))
        y = box.top() + (box.height() - line.height()) / 2
        layout.draw(painter, QPointF(box.left(), y))
        return box.left() + line.naturalTextWidth()

    def _marks(self, passage: Passage, shown: str) -> list[QTextLayout.FormatRange]:
        """Return what is marked of the line as it is shown, counted as Qt counts characters."""
        marks = []
        kept = len(shown) - (0 if shown == passage.text else 1)
        for start, end in passage.marks:
            if start >= kept:
                break
            one = QTextLayout.FormatRange()
            one.start = _utf16(passage.text[:start])
            one.length = _utf16(passage.text[start : min(end, kept)])
            look = QTextCharFormat()
            look.setBackground(QColor(self._look.color("gold_soft")))
            look.setForeground(QColor(self._look.color("gold_ink")))
            look.setFontWeight(QFont.Weight.DemiBold)
            one.format = look
            marks.append(one)
        return marks

    @staticmethod
    def _font(size: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        font = QFont()
        font.setPixelSize(size)
        font.setWeight(weight)
        return font


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
