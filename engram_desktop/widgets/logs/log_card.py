"""Draw one private log as a card: whose it is, how it felt, and what was thought."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem
from typing_extensions import override

from engram_desktop.domain.memory.private_log import PrivateLog
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.logs.log_list import scope_names
from engram_desktop.viewmodels.workspace.paged_list import RowRole
from engram_desktop.widgets.parts.cards.card_delegate import GAP, AnyIndex, CardDelegate

BADGE = 24
MAX_TAGS = 4


class LogCard(CardDelegate):
    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        log = index.data(RowRole)
        if log is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(option.rect).adjusted(1, 1, -1, -GAP)
        self.paint_frame(painter, card, option.state)
        badge = QRectF(card.left() + 12, card.top() + 9, BADGE, BADGE)
        self.paint_chip(painter, badge, log.owner[:1], "accent")
        inner = card.adjusted(BADGE + 26, 10, -16, -8)
        right = self._paint_right(painter, inner, log)
        self._paint_head(painter, QRectF(inner.left(), inner.top(), right - inner.left(), 20), log)
        self.paint_text(painter, inner.adjusted(0, 24, 0, 0), log.content)
        painter.restore()

    def _paint_head(self, painter: QPainter, line: QRectF, log: PrivateLog) -> None:
        x = self.paint_words(painter, line, line.left(), log.owner, self._strong, "ink", 0.5)
        metrics = QFontMetricsF(self._small)
        for tag in log.emotion_tags[:MAX_TAGS]:
            width = min(metrics.horizontalAdvance(tag), 120.0) + 16
            if x + width > line.right():
                return
            self.paint_chip(painter, QRectF(x, line.top(), width, 20), tag, "grey")
            x += width + 6

    def _paint_right(self, painter: QPainter, inner: QRectF, log: PrivateLog) -> float:
        """Draw floors and marks from the right; return where they begin."""
        metrics = QFontMetricsF(self._small)
        span = log.source_range
        floors = floors_words(span.start_index, span.end_index)
        width = max(metrics.horizontalAdvance(floors), 84.0)
        box = QRectF(inner.right() - width, inner.top(), width, 20)
        painter.setFont(self._small)
        painter.setPen(self._look.color("ink2"))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, floors)
        x = box.left() - 10
        marks = [(self.tr("Stale"), "red")] if log.is_stale else []
        if log.scope != "private":
            marks.append((scope_names()[log.scope], "green"))
        for text, role in marks:
            width = metrics.horizontalAdvance(text) + 18
            x -= width + 6
            self.paint_chip(painter, QRectF(x, inner.top(), width, 20), text, role)
        return x - 8
