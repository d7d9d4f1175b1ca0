"""The findings of a chat: what is over, untrue, contradicted or promised, and answers to it.

A list narrowed by kind and status; beside it what is chosen; below it the threads as lanes.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSignalBlocker, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QSlider,
    QStackedLayout,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.claims.claim import FINDING_KINDS, FindingKind
from engram_desktop.viewmodels.findings import (
    KIND_ROLES,
    FindingList,
    FindingRow,
    kind_names,
    status_names,
)
from engram_desktop.viewmodels.workspace.live_query import RowRole
from engram_desktop.widgets.findings.finding_detail import FindingDetail
from engram_desktop.widgets.findings.thread_lanes import ThreadLanes
from engram_desktop.widgets.parts.cards import GAP, AnyIndex, CardDelegate, CardTable
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import FlowLayout, PlainSplitter, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, Page, PageParts
from engram_desktop.widgets.parts.pieces import kind_button, label, text_button

ANSWER_KEYS = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_5)
LIST_WIDTH = 380
LOW = 560  # pixels below which the lanes leave more room to what is above them
FEW_LANES, MOST_LANES = 2, 5  # that are seen before they scroll


class FindingCard(CardDelegate):
    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row = index.data(RowRole)
        if row is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(option.rect).adjusted(1, 1, -1, -GAP)
        self.paint_frame(painter, card, option.state)
        inner = card.adjusted(12, 8, -12, -8)
        right = self._paint_right(painter, inner, row)
        head = QRectF(inner.left(), inner.top(), right - inner.left(), 20)
        name = kind_names()[row.finding.kind]
        width = QFontMetricsF(self._small).horizontalAdvance(name) + 18
        chip = QRectF(head.left(), head.top(), width, 20)
        self.paint_chip(painter, chip, name, KIND_ROLES[row.finding.kind])
        x = chip.right() + 8
        self.paint_words(painter, head, x, row.heading, self._strong, "ink", 1)
        quotes = " → ".join(quote.text for quote in row.finding.quotes)
        self.paint_text(painter, inner.adjusted(0, 26, 0, 0), quotes)
        painter.restore()

    def _paint_right(self, painter: QPainter, inner: QRectF, row: FindingRow) -> float:
        """Draw status and floors from the right; return where they begin."""
        text = row.floors_text
        if row.finding.kind != "superseded":  # all of them are over
            text = f"{status_names()[row.finding.status]} · {text}"
        if row.finding.answer:
            text = f"✓ {text}"
        width = QFontMetricsF(self._small).horizontalAdvance(text) + 2
        box = QRectF(inner.right() - width, inner.top(), width, 20)
        painter.setFont(self._small)
        painter.setPen(self._look.color("ink2"))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        return box.left() - 8


class FindingTable(CardTable):
    """Leaves to the page the keys that answer and move."""

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (*ANSWER_KEYS, Qt.Key.Key_J, Qt.Key.Key_K):
            event.ignore()
        else:
            super().keyPressEvent(event)


class FindingPage(Page):
    def __init__(self, look: Look, findings: FindingList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._findings = findings
        self._row = 0  # where the list stood: when what was there leaves it, the next one follows
        outer = column(self, 0, 8)
        outer.setContentsMargins(24, 16, 16, 8)
        outer.addWidget(self._make_filters())
        outer.addWidget(self._make_tools(look))
        self._body = QWidget()
        self._empty = EmptyState(look, "findings")
        self._empty.acted.connect(self._show_everything)
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)
        self._stack.addWidget(self._body)
        self._stack.addWidget(self._empty)
        self._fill_body(look)
        findings.found.connect(self._on_found)
        self._on_found()

    def _make_filters(self) -> QWidget:
        filters = QWidget()
        line = FlowLayout(filters)
        self.chips: dict[FindingKind | None, QToolButton] = {}
        for kind in (None, *FINDING_KINDS):
            chip = kind_button("chip", "")
            chip.clicked.connect(lambda _checked=False, k=kind: self._findings.filter_kind(k))
            self.chips[kind] = chip
            line.addWidget(chip)
        return filters

    def _make_tools(self, look: Look) -> QWidget:
        tools = QWidget()
        line = FlowLayout(tools, 10)
        self.search = SearchField(look, self.tr("Search findings"))
        self.search.setFixedWidth(150)
        self.search.textChanged.connect(self._findings.search)
        line.addWidget(self.search)
        self.status = QComboBox()
        self.status.setAccessibleName(self.tr("Status"))
        self.status.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.status.activated.connect(
            lambda _n: self._findings.filter_status(self.status.currentData())
        )
        line.addWidget(self.status)
        line.push()
        line.addWidget(label(self.tr("Up to floor"), "quiet"))
        self.floor = QSlider(Qt.Orientation.Horizontal)
        self.floor.setAccessibleName(self.tr("Up to floor"))
        self.floor.setPageStep(10)
        self.floor.setMinimumWidth(100)
        self.floor.valueChanged.connect(self._on_slid)
        line.addWidget(self.floor)
        self._at = label("", "quiet")
        self._at.setMinimumWidth(72)
        line.addWidget(self._at)
        self.now_button = text_button(self.tr("Now"))
        self.now_button.clicked.connect(lambda: self.floor.setValue(self.floor.maximum()))
        line.addWidget(self.now_button)
        return tools

    def _fill_body(self, look: Look) -> None:
        rows = self._rows = column(self._body, 0, 8)
        split = PlainSplitter()
        self.view = FindingTable(look, self._findings.model)
        self.view.setAccessibleName(self.tr("Findings"))
        self.view.setItemDelegate(FindingCard(look, self.view))
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.view.setMinimumWidth(200)
        self.view.chosen.connect(self._on_chosen)
        self.view.edit_wanted.connect(lambda: self._findings.read_source(0))
        self.view.doubleClicked.connect(lambda _index: self._findings.read_source(0))
        split.addWidget(self.view)
        self.detail = FindingDetail(look, self._findings)
        self.detail.answered.connect(self.answer)
        split.addWidget(self.detail)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setSizes([LIST_WIDTH, LIST_WIDTH * 3 // 2])
        rows.addWidget(split, 1)
        self.lanes = ThreadLanes(look)
        self.lanes.view.chosen.connect(self.view.show_key)
        self.lanes.view.opened.connect(lambda: self._findings.read_source(0))
        self._findings.shown.connect(self._on_shown)
        rows.addWidget(self.lanes)

    @override
    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @override
    def set_active(self, active: bool) -> None:
        self._findings.set_active(active)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low = self.height() < LOW
        self.lanes.show_most(FEW_LANES if is_low else MOST_LANES)
        self.detail.hint.setVisible(not is_low)
        self._rows.activate()  # now, not after a frame in which the lanes stand over their floors

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        choices, key = self._findings.choices(), event.key()
        if key in ANSWER_KEYS[: len(choices)]:
            self.answer(choices[ANSWER_KEYS.index(key)])
        elif key == Qt.Key.Key_J:
            self._move(1)
        elif key == Qt.Key.Key_K:
            self._move(-1)
        else:
            super().keyPressEvent(event)

    @Slot(str)
    def answer(self, answer: str) -> None:
        """Answer what is shown, and go to the next one."""
        if self._findings.answer(answer):
            if self.detail.isAncestorOf(self.focusWidget()):
                self.view.setFocus()  # the button that was pressed is gone
            self._move(1)

    def _move(self, step: int) -> None:
        last = self._findings.model.rowCount() - 1
        row = min(max(0, self.view.currentIndex().row() + step), last)
        self.view.show_row(row)
        self.view.scrollTo(self._findings.model.index(row))

    @Slot()
    def _on_found(self) -> None:
        findings = self._findings
        count = findings.model.rowCount()
        self._show_filters()
        self._show_floor()
        self._stack.setCurrentWidget(self._body if count else self._empty)
        if not count:
            self._say_empty()
        elif findings.wanted is not None and self.view.show_key(findings.wanted):
            findings.wanted = None
        elif not self.view.selected_count():
            self.view.show_row(min(self._row, count - 1))
        self.lanes.show_rows(findings.rows, findings.at, self.view.current_key())
        self._rows.activate()

    def _show_filters(self) -> None:
        counts, names = self._findings.counts(), kind_names()
        for kind, chip in self.chips.items():
            name = self.tr("All") if kind is None else names[kind]
            count = sum(counts.values()) if kind is None else counts[kind]
            chip.setText(f"{name} {count}")
            chip.setChecked(kind == self._findings.kind)
        blocker = QSignalBlocker(self.status)
        self.status.clear()
        self.status.addItem(self.tr("Any status"), "")
        for status, count in self._findings.statuses().items():
            self.status.addItem(f"{status_names()[status]} {count}", status)
        self.status.setCurrentIndex(max(0, self.status.findData(self._findings.status)))
        blocker.unblock()
        if not self._findings.words and self.search.text().strip():
            self.search.clear()  # another chat is shown

    def _show_floor(self) -> None:
        last = self._findings.last
        blocker = QSignalBlocker(self.floor)
        self.floor.setRange(0, max(0, last))
        self.floor.setValue(self._findings.at)
        blocker.unblock()
        self._say_floor()

    def _say_floor(self) -> None:
        here, last = self.floor.value(), self.floor.maximum()
        self._at.setText(self.tr("{floor} of {last}").format(floor=here, last=last))
        self.now_button.setEnabled(here < last)

    def _say_empty(self) -> None:
        findings = self._findings
        if not findings.is_loaded:
            self._empty.wait()
        elif not findings.is_known:
            self._empty.say(
                self.tr("Nothing is known of what {name} hears").format(name=findings.actor),
                self.tr("Nobody of that name speaks, is spoken to or acts in this story."),
            )
        elif findings.is_narrowed and any(findings.counts().values()):
            self._empty.say(
                self.tr("No finding matches"),
                self.tr("Try fewer words, or another kind."),
                self.tr("Show all"),
            )
        elif not findings.is_now:
            self._empty.say(self.tr("Nothing yet at this floor"), self.tr("Move the slider on."))
        elif findings.actor:
            self._empty.say(
                self.tr("Nothing that {name} knows of").format(name=findings.actor),
                self.tr("Only what follows from what {name} says, hears and thinks counts.").format(
                    name=findings.actor
                ),
            )
        else:
            self._empty.say(
                self.tr("Nothing found"),
                self.tr(
                    "Lies, mistakes, contradictions, promises and what is no longer so appear here "
                    "when the story tells of them. No model is needed."
                ),
            )

    @Slot(int)
    def _on_slid(self, floor: int) -> None:
        self._say_floor()
        self._findings.show_at(floor)

    @Slot(int)
    def _on_chosen(self, count: int) -> None:
        key = self.view.current_key() if count else None
        if count:
            self._row = self.view.currentIndex().row()
        self._findings.choose(key)

    @Slot(object)
    def _on_shown(self, row: FindingRow | None) -> None:
        self.lanes.show_key(row.key if row is not None else None)

    @Slot()
    def _show_everything(self) -> None:
        self.search.clear()
        self._findings.show_everything()


def make(parts: PageParts, parent: QWidget) -> FindingPage:
    return FindingPage(parts.look, parts.models.findings, parent)
