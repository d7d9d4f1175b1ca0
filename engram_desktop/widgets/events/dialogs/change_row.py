"""Draw one change of find and replace: its field, and its words; what goes, what comes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from engram_desktop.domain.text.words.word_diff import Piece
from engram_desktop.domain.text.words.word_places import units
from engram_desktop.viewmodels.events.event_replace import ChangeModel, ChangeRole, field_names
from engram_desktop.widgets.parts.cards.card_delegate import AnyIndex
from engram_desktop.widgets.parts.look.look import Look

HEIGHT = 52  # of a row: its field, and one line of words
MOST_SHOWN = 400  # characters of a line: more than the widest window shows


class ChangeRow(QStyledItemDelegate):
    def __init__(self, look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._body = QFont()
        self._body.setPixelSize(13)
        self._small = QFont()
        self._small.setPixelSize(12)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(200, HEIGHT)

    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        option.text = ""  # the words are drawn below, each in its colour

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().paint(painter, option, index)
        change = index.data(ChangeRole)
        style = option.widget.style()
        box = style.subElementRect(
            QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, option.widget
        )
        left = max(box.right() + 10, option.rect.left() + 30)
        inner = QRectF(option.rect).adjusted(left - option.rect.left(), 5, -8, -5)
        painter.save()
        painter.setFont(self._small)
        painter.setPen(self._look.color("ink2"))
        painter.drawText(
            QRectF(inner.left(), inner.top(), inner.width(), 18),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
            field_names()[change.field],
        )
        self._paint_words(painter, inner.adjusted(0, 20, 0, 0), ChangeModel.pieces(change))
        painter.restore()

    def _paint_words(self, painter: QPainter, box: QRectF, pieces: Sequence[Piece]) -> None:
        """Draw one line: what goes is struck through, what comes is underlined."""
        text = ""
        formats: list[QTextLayout.FormatRange] = []
        for piece in pieces:
            words = piece.text.replace("\n", " ")[: MOST_SHOWN - len(text)]
            span = QTextLayout.FormatRange()
            span.start, span.length = units(text), units(words)
            span.format = self._format(piece)
            formats.append(span)
            text += words
        layout = QTextLayout(text, self._body)
        layout.setFormats(formats)
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(QFontMetricsF(self._body).horizontalAdvance(text) * 2 + 100)
        layout.endLayout()
        painter.setPen(self._look.color("ink"))
        painter.setClipRect(box)
        layout.draw(painter, QPointF(box.left(), box.top()))

    def _format(self, piece: Piece) -> QTextCharFormat:
        words = QTextCharFormat()
        match piece.kind:
            case "gone":
                words.setForeground(self._look.color("red_ink"))
                words.setBackground(self._look.color("red_soft"))
                words.setFontStrikeOut(True)
            case "new":
                words.setForeground(self._look.color("green_ink"))
                words.setBackground(self._look.color("green_soft"))
                words.setFontUnderline(True)
            case "same":
                words.setForeground(self._look.color("ink"))
        return words
