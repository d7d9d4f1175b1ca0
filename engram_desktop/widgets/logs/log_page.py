"""The private logs of a chat: whose, what about, and a way to write one.

Draw one private log as a card: whose it is, how it felt, and what was thought.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QStackedLayout,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.memory.event import PrivateLog
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.logs import LogList, Owners, scope_names
from engram_desktop.viewmodels.workspace.live_query import RowRole
from engram_desktop.widgets.parts.cards import GAP, AnyIndex, CardDelegate, CardTable
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import FlowLayout, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, Page, PageParts
from engram_desktop.widgets.parts.pieces import kind_button, literal, text_button

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


MAX_OWNERS = 12


class LogPage(Page):
    def __init__(self, look: Look, logs: LogList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._logs = logs
        self._wanted_key: int | None = None
        outer = column(self, 0, 8)
        outer.setContentsMargins(24, 16, 16, 0)
        line = QHBoxLayout()
        self.search = SearchField(look, self.tr("Search private logs"))
        self.search.setMinimumWidth(130)
        self.search.setMaximumWidth(280)
        self.search.textChanged.connect(logs.search)
        line.addWidget(self.search, 1)
        owners = QWidget()
        self._owners = FlowLayout(owners)
        line.addWidget(owners, 2)
        self.reflect_button = text_button(self.tr("Look back…"))
        self.reflect_button.setToolTip(
            self.tr("Let a model note what characters keep to themselves, and what was missed")
        )
        line.addWidget(self.reflect_button, 0, Qt.AlignmentFlag.AlignTop)
        self.add_button = text_button(self.tr("Write…"))
        line.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignTop)
        outer.addLayout(line)
        self.view = CardTable(look, logs.model)
        self.view.setAccessibleName(self.tr("Private logs"))
        self.view.setItemDelegate(LogCard(look, self.view))
        self.view.chosen.connect(self._on_chosen)
        self.view.delete_wanted.connect(lambda: logs.delete(self.view.selected_keys()))
        self.view.customContextMenuRequested.connect(self._open_menu)
        self._empty = EmptyState(look, "logs")
        self._empty.acted.connect(self.add_button.click)
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._empty)
        logs.found.connect(self._on_found)
        logs.owners_read.connect(self._on_owners_read)
        logs.written.connect(self._on_written)
        logs.wanted.connect(self._on_wanted)
        self._on_found(logs.model.rowCount())

    @override
    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @override
    def set_active(self, active: bool) -> None:
        self._logs.set_active(active)

    @Slot(int)
    def _on_found(self, count: int) -> None:
        self._stack.setCurrentWidget(self.view if count else self._empty)
        if not count:
            query = self._logs.query
            if not self._logs.is_loaded:
                self._empty.wait()
            elif query.text or query.owner:
                self._empty.say(
                    self.tr("No private log matches"), self.tr("Try fewer words, or everybody.")
                )
            else:
                self._empty.say(
                    self.tr("No private logs yet"),
                    self.tr(
                        "What a character felt or thought and told nobody. Only that character "
                        "recalls it; you see everything."
                    ),
                    self.tr("Write one…"),
                )
        if self._wanted_key is not None and self.view.show_key(self._wanted_key):
            self._wanted_key = None

    @Slot(object)
    def _on_owners_read(self, owners: Owners) -> None:
        clear_layout(self._owners)
        total = sum(count for _name, count in owners)
        chips: list[tuple[str | None, str]] = [(None, self.tr("All {n}").format(n=total))]
        chips += [(name, f"{name} {count}") for name, count in owners[:MAX_OWNERS]]
        for name, text in chips if owners else []:
            chip = kind_button("chip", literal(text))
            chip.setChecked(name == self._logs.query.owner)
            chip.clicked.connect(lambda _checked=False, n=name: self._logs.filter_owner(n))
            self._owners.addWidget(chip)

    @Slot(int)
    def _on_written(self, key: int) -> None:
        self._wanted_key = key
        self._logs.read()

    @Slot(int)
    def _on_wanted(self, key: int) -> None:
        self.search.clear()
        self._on_written(key)

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        keys = self.view.selected_keys()
        if not len(keys):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        who = menu.addAction(self._look.icon("eye"), self.tr("Who knows this…"))
        who.triggered.connect(lambda _checked=False: self._logs.ask_who(keys))
        delete = menu.addAction(self._look.icon("trash"), self.tr("Delete"))
        delete.triggered.connect(lambda _checked=False: self._logs.delete(keys))
        menu.popup(self.view.viewport().mapToGlobal(at))

    @Slot(int)
    def _on_chosen(self, count: int) -> None:
        keys = self.view.selected_keys() if count == 1 else None
        self._logs.show_log(keys[0] if keys else None)


def make(parts: PageParts, parent: QWidget) -> LogPage:
    page = LogPage(parts.look, parts.models.logs, parent)
    page.add_button.clicked.connect(parts.doors.open_log)
    page.reflect_button.clicked.connect(parts.doors.open_reflect)
    return page
