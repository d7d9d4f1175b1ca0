"""Draws one event as a card of constant height, and the list of such cards.

The lamp at the left edge of a card is a button. Cards are no widgets and query nothing: 100,000 of
them cost only what is on screen.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget
from typing_extensions import override

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.facets import Facet
from engram_desktop.viewmodels.events.event_list import EventList, EventListModel
from engram_desktop.viewmodels.private_note import NoteMarks, note_words
from engram_desktop.viewmodels.workspace.choice_texts import facet_value, floors_text, lamp_tip
from engram_desktop.viewmodels.workspace.live_query import KeyRole, RowRole
from engram_desktop.widgets.parts.cards import GAP, AnyIndex, CardDelegate, CardTable
from engram_desktop.widgets.parts.look import Look

LAMP = 44  # width of the lamp's button
MAX_CHIPS = 4
HEAD_ROOM = 96  # pixels reserved for the time of an event, left of its marks
BARS = 5


def lamp_role(event: EventNode) -> str:
    """Return the colour role of the lamp; its text is `lamp_words`."""
    if event.level >= 1:
        return "gold"
    return "green" if event.is_archived else "accent"


class EventCard(CardDelegate):
    """Draws an event as a card.

    ``noted``: keys of events with a private note; None: show no mark. ``is_extracted``: most events
    were made without a model. A card names the source of an event only if it differs from most.
    """

    lamp_clicked = Signal(object)  # key
    noted: NoteMarks | None = None
    is_extracted = False

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        event = index.data(RowRole)
        if event is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(option.rect).adjusted(1, 1, -1, -GAP)
        self.paint_frame(painter, card, option.state)
        self._paint_lamp(painter, card, event)
        inner = card.adjusted(LAMP + 6, 10, -16, -8)
        left = self._paint_right(painter, inner, event)
        self._paint_head(painter, QRectF(inner.left(), inner.top(), left - inner.left(), 20), event)
        self.paint_text(
            painter,
            inner.adjusted(0, 24, 0, 0),
            event.summary,
            lambda line: self._paint_keywords(painter, line, event),
        )
        painter.restore()

    @override
    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: AnyIndex,
    ) -> bool:
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            inside = self.lamp_rect(option.rect).contains(event.position().toPoint())
            if inside and event.type() == QEvent.Type.MouseButtonRelease:
                self.lamp_clicked.emit(index.data(KeyRole))
            return inside
        return False

    def tip(self, row: QRect, at: QPoint, event: EventNode) -> str:
        """Return the meaning of the lamp, or the whole summary; a second line mentions a note."""
        if self.lamp_rect(row).contains(at):
            return lamp_tip(event)
        has_note = self.noted is not None and self.noted.has_event(event.id)
        return f"{event.summary}\n\n{note_words()}" if has_note else event.summary

    @staticmethod
    def lamp_rect(row: QRect) -> QRect:
        return QRect(row.left(), row.top(), LAMP, row.height() - GAP)

    def _paint_lamp(self, painter: QPainter, card: QRectF, event: EventNode) -> None:
        role = lamp_role(event)
        center = QPointF(card.left() + LAMP / 2 + 2, card.top() + 20)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color(f"{role}_soft"))
        painter.drawEllipse(center, 11, 11)
        painter.setBrush(self._look.color(role))
        if event.level >= 1:  # an outline is a diamond: shape as well as colour
            painter.save()
            painter.translate(center)
            painter.rotate(45)
            painter.drawRoundedRect(QRectF(-4, -4, 8, 8), 1.5, 1.5)
            painter.restore()
        elif event.is_archived:  # a ring
            painter.setPen(QPen(self._look.color(role), 3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(center, 3.8, 3.8)
        else:
            painter.drawEllipse(center, 5.4, 5.4)

    def _paint_head(self, painter: QPainter, line: QRectF, event: EventNode) -> None:
        x = line.left()
        time = event.raw_data.timestamp
        most = 0.5 if event.raw_data.location else 0.7  # an outline's: from when to when
        share = most if line.width() > 2 * HEAD_ROOM else 1.0
        x = self.paint_words(painter, line, x, time, self._strong, "ink", share)
        x = self.paint_words(painter, line, x, event.raw_data.location, self._small, "ink2", 0.3)
        names = [e.name for e in event.raw_data.entities] or list(event.participants)
        others = [name for name in names if name != event.raw_data.location]
        for n, name in enumerate(others):
            text = name if n < MAX_CHIPS else f"+{len(others) - n}"
            width = min(QFontMetricsF(self._small).horizontalAdvance(text), 120.0) + 16
            if x + width > line.right():
                return
            self.paint_chip(painter, QRectF(x, line.top(), width, 20), text, "grey")
            x += width + 6
            if n >= MAX_CHIPS:
                return

    def _paint_right(self, painter: QPainter, inner: QRectF, event: EventNode) -> float:
        """Draw floors, significance and marks from the right; return the x where they begin."""
        metrics = QFontMetricsF(self._small)
        floors = floors_text(event)
        width = max(metrics.horizontalAdvance(floors), 84.0)
        box = QRectF(inner.right() - width, inner.top(), width, 20)
        painter.setFont(self._small)
        painter.setPen(self._look.color("ink2"))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, floors)
        x = box.left() - 16 - BARS * 6
        self._paint_bars(painter, QPointF(x, inner.top() + 16), event)
        x -= 26
        if event.is_locked:
            picture = self._look.pixmap("lock", "ink2", 16)
            painter.drawPixmap(QPointF(x, inner.top() + 2), picture)
            x -= 22
        if event.confidence == "confirmed":
            picture = self._look.pixmap("check", "green", 16)
            painter.drawPixmap(QPointF(x, inner.top() + 2), picture)
        if self.noted is not None and self.noted.has_event(event.id):
            x -= 22 if event.confidence == "confirmed" else 0
            picture = self._look.pixmap("note", "gold", 16)
            painter.drawPixmap(QPointF(x, inner.top() + 2), picture)
        for text, role, width in self.fitting_marks(event, x - inner.left()):
            x -= width + 6
            self.paint_chip(painter, QRectF(x, inner.top(), width, 20), text, role)
        return x - 8

    def fitting_marks(self, event: EventNode, room: float) -> list[tuple[str, str, float]]:
        """Return text, role and width of the marks that fit into ``room`` pixels beside the time.

        The mark of a stale event may take all the room, the others leave `HEAD_ROOM` for the time.
        """
        metrics = QFontMetricsF(self._small)
        fitting = []
        for text, role in self._marks(event):
            width = metrics.horizontalAdvance(text) + 18
            if room - width - 6 >= (0 if role == "red" else HEAD_ROOM):
                room -= width + 6
                fitting.append((text, role, width))
        return fitting

    def _marks(self, event: EventNode) -> list[tuple[str, str]]:
        marks = []
        if event.level >= 1:
            marks.append((self.tr("Outline {level}").format(level=event.level), "gold"))
        if event.is_stale:
            marks.append((self.tr("Stale"), "red"))
        if event.kind == "fact":
            marks.append((self.tr("Fact"), "accent"))
        other = "llm" if self.is_extracted else "extractive"
        if event.extractor == other and event.confidence != "confirmed":
            marks.append((facet_value(Facet("extractor", other)), "grey"))
        return marks

    def _paint_keywords(self, painter: QPainter, line: QRectF, event: EventNode) -> None:
        words = " · ".join(event.raw_data.keywords)
        metrics = QFontMetricsF(self._small)
        painter.setFont(self._small)
        painter.setPen(self._look.color("ink2"))
        painter.drawText(
            line,
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
            metrics.elidedText(words, Qt.TextElideMode.ElideRight, line.width()),
        )

    def _paint_bars(self, painter: QPainter, foot: QPointF, event: EventNode) -> None:
        lit = round(event.significance_score * BARS)
        painter.setPen(Qt.PenStyle.NoPen)
        for n in range(BARS):
            painter.setBrush(self._look.color(lamp_role(event) if n < lit else "line"))
            height = 4 + n * 2
            painter.drawRoundedRect(
                QRectF(foot.x() + n * 6, foot.y() - height, 3, height), 1.5, 1.5
            )


# The list of event cards: Space toggles the lamps of the selection, a click toggles one lamp.


class EventView(CardTable):
    toggle_wanted = Signal()

    def __init__(
        self,
        look: Look,
        events: EventList,
        parent: QWidget | None = None,
        *,
        rows: EventListModel | None = None,
    ) -> None:
        super().__init__(look, events.model if rows is None else rows, parent)
        self.setAccessibleName(self.tr("Events"))
        self._events = events
        self.card = EventCard(look, self)
        self.draw_with(self.card)
        events.noted.changed.connect(self.draw_again)
        events.usual_changed.connect(self._on_usual)

    def draw_with(self, card: EventCard) -> None:
        """Draw events with ``card`` from now on."""
        self.card = card
        card.noted = self._events.noted
        card.is_extracted = self._events.is_extracted
        card.lamp_clicked.connect(self._events.toggle_lamp)
        self.setItemDelegate(card)

    @Slot(bool)
    def _on_usual(self, is_extracted: bool) -> None:  # noqa: FBT001 - Qt's signal
        if is_extracted != self.card.is_extracted:
            self.card.is_extracted = is_extracted
            self.draw_again()

    @override
    def mark_words(self, words: Sequence[str]) -> None:
        """Mark these words in the cards."""
        if tuple(words) != self.card.marked:
            self.card.marked = tuple(words)
            self.viewport().update()

    def tip_at(self, at: QPoint) -> str:
        index = self.indexAt(at)
        event = index.data(RowRole) if index.isValid() else None
        return self.card.tip(self.visualRect(index), at, event) if event is not None else ""

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.toggle_wanted.emit()
            event.accept()
        else:
            super().keyPressEvent(event)
