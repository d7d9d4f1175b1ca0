"""Base of pages with a list and the chosen item beside it, whose answers have keys."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QStackedLayout,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.workspace.live_query import PagedListModel, RowRole
from engram_desktop.viewmodels.workspace.undo_actions import Decided
from engram_desktop.widgets.parts.cards import GAP, AnyIndex, CardDelegate, CardTable, LiveCard
from engram_desktop.widgets.parts.layouts import FittedArea, FlowLayout, PlainSplitter, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, Page
from engram_desktop.widgets.parts.pieces import kind_button, label

MOST_SHOWN = 1_500  # characters of a quote; the rest is read in its messages
LOW = 560  # pixels: in a lower window the words need the room of the hint
ANSWER_KEYS: tuple[int, ...] = tuple(Qt.Key.Key_1 + n for n in range(5))


@dataclass(frozen=True, slots=True)
class KindWords:
    """Texts of a card: its kind in a chip of ``role``, and ``note`` at the right."""

    kind: str
    role: str
    title: str
    text: str
    note: str


class KindCard(CardDelegate):
    """A card of a row that has a kind: chip, title and note in a line, the text below it."""

    def words_of(self, row: Any) -> KindWords:
        raise NotImplementedError

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row = index.data(RowRole)
        if row is None:
            return
        words = self.words_of(row)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(option.rect).adjusted(1, 1, -1, -GAP)
        self.paint_frame(painter, card, option.state)
        inner = card.adjusted(12, 8, -12, -8)
        metrics = QFontMetricsF(self._small)
        chip = QRectF(inner.left(), inner.top(), metrics.horizontalAdvance(words.kind) + 18, 20)
        room = inner.right() - chip.right() - 16  # the title and the note each get half, if need be
        spare = max(room / 2, room - QFontMetricsF(self._strong).horizontalAdvance(words.title))
        noted = metrics.elidedText(words.note, Qt.TextElideMode.ElideRight, spare)
        is_below = noted != words.note and self._look.density == "comfortable"  # both would be cut
        width = 0.0 if is_below else metrics.horizontalAdvance(noted) + 10
        head = QRectF(inner.left(), inner.top(), inner.width() - width, 20)
        if not is_below:
            note = QRectF(head.right(), head.top(), width, head.height())
            self._paint_note(painter, noted, note)
        self.paint_chip(painter, chip, words.kind, words.role)
        self.paint_words(painter, head, chip.right() + 8, words.title, self._strong, "ink", 1)
        self.paint_text(
            painter,
            inner.adjusted(0, 26, 0, 0),
            words.text,
            partial(self._paint_note, painter, words.note) if is_below else None,
            keeps_line=is_below,
        )
        painter.restore()

    def _paint_note(self, painter: QPainter, note: str, box: QRectF) -> None:
        painter.setFont(self._small)
        painter.setPen(self._look.color("ink2"))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        metrics = QFontMetricsF(self._small)
        shown = metrics.elidedText(note, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, right, shown)


class AnswerTable(CardTable):
    """A table with one card selected. Keys that answer and move go to the page (``left``)."""

    def __init__(
        self,
        look: Look,
        model: PagedListModel[Any],
        left: Collection[int],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(look, model, parent)
        self._left = left
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setMinimumWidth(200)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in self._left:
            event.ignore()
        else:
            super().keyPressEvent(event)


class WordsCard(LiveCard):
    """Words to be judged, under ``head`` with the speaker. A click opens them in the messages."""

    def __init__(self, head: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        text = words[:MOST_SHOWN] + ("…" if len(words) > MOST_SHOWN else "")
        rows = column(self, 12, 6)
        if head:
            self.head = label(head, "quiet", wrap=True)
            rows.addWidget(self.head)
            self.setToolTip(self.tr("Read it in the text of the chat"))
        self.words = label(text, wrap=True)
        rows.addWidget(self.words)
        rows.addStretch(1)
        self.setAccessibleName(f"{head}: {text}" if head else text)


class AnswerDetail(QWidget):
    """The chosen item. Its words (`rows`) scroll; the answers (`below`) follow them, in sight."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.cards: list[WordsCard] = []
        outer = column(self, 0, 6)
        self._scroll = FittedArea()
        self._body = QWidget()
        self._rows = column(self._body, 0, 8)
        self._rows.setContentsMargins(16, 2, 4, 4)
        self._add_head()
        self._scroll.setWidget(self._body)
        outer.addWidget(self._scroll)
        self._foot = QWidget()
        self._below = column(self._foot, 0, 6)
        self._below.setContentsMargins(16, 0, 4, 4)
        self._answers = _flow_in(self._below, 6)
        outer.addWidget(self._foot)
        outer.addStretch(1)
        self.hint = label("", "hint", wrap=True)

    def _add_head(self) -> None:
        line = _flow_in(self._rows, 8)
        marks = QWidget()
        self._marks = QHBoxLayout(marks)
        self._marks.setContentsMargins(0, 0, 0, 0)
        self._marks.setSpacing(6)
        line.addWidget(marks)
        self.title = label("", "heading")
        line.addWidget(self.title)


def _flow_in(rows: QVBoxLayout, spacing: int) -> FlowLayout:
    holder = QWidget()
    rows.addWidget(holder)
    return FlowLayout(holder, spacing)


class AnswerList(Protocol):
    """The list of such a page, and its current item."""

    @property
    def model(self) -> PagedListModel[Any]: ...
    def filter_kind(self, kind: Any) -> object: ...
    def choose(self, key: int | None) -> object: ...
    def choices(self) -> Sequence[str]: ...


class AnswerPage(Page):
    """Chips of kinds, the list, and the chosen item. Keys of ``actions`` trigger them.

    J and K move; 1 to 5 give the answers in `AnswerList.choices`.
    """

    view: AnswerTable

    def __init__(
        self,
        look: Look,
        icon: str,
        listed: AnswerList,
        kinds: Iterable[Any],
        actions: Mapping[int, Callable[[], object]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._listed = listed
        self._wants_focus = False  # the page was opened: its keys should work at once
        self._row = 0  # current row: if its item leaves the list, the next one is chosen
        self._actions = dict(actions)
        self._actions |= {Qt.Key.Key_J: lambda: self._move(1), Qt.Key.Key_K: lambda: self._move(-1)}
        self._outer = column(self, 0, 8)
        self._outer.setContentsMargins(24, 16, 16, 8)
        self.chips: dict[Any, QToolButton] = {}  # by kind; None: all
        self._flow = _flow_in(self._outer, 6)
        for kind in (None, *kinds):
            self.chips[kind] = kind_button("chip", "")
            self.chips[kind].clicked.connect(lambda _checked=False, k=kind: listed.filter_kind(k))
            self._flow.addWidget(self.chips[kind])
        self._body = QWidget()
        self._empty = EmptyState(look, icon)
        self._stack = QStackedLayout()

    def _add_stack(self) -> None:
        """Add, below the widgets added so far, the list or the reason why it is empty."""
        self._outer.addLayout(self._stack, 1)  # first: a widget without a parent would be a window
        self._stack.addWidget(self._body)
        self._stack.addWidget(self._empty)

    def _make_view(self, look: Look, card: type[KindCard], name: str) -> AnswerTable:
        view = AnswerTable(look, self._listed.model, {*ANSWER_KEYS, *self._actions})
        view.setAccessibleName(name)
        view.setItemDelegate(card(look, view))
        view.chosen.connect(self._on_chosen)
        return view

    def _split(self, side: QWidget, detail: QWidget, width: int) -> PlainSplitter:
        """Place the list, initially ``width`` pixels wide, and the detail beside each other."""
        split = PlainSplitter()
        split.addWidget(side)
        split.addWidget(detail)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setSizes([width, width * 3 // 2])
        return split

    def begin(self, *, is_active: bool) -> None:
        """Focus the list of a page that was opened, as soon as it has rows."""
        self._wants_focus = is_active
        self.take_focus()

    def take_focus(self) -> None:
        if self._wants_focus and self.view.model().rowCount():
            self._wants_focus = False
            focus = self.window().focusWidget()
            is_searched = isinstance(focus, QLineEdit) and bool(focus.text())
            if not (is_searched and self.isAncestorOf(focus)):
                self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_taken_back(self, decided: Decided) -> bool:
        """Choose an item that an undo restored, once it is listed again."""
        if decided.wanted is None or not self.view.show_key(decided.wanted):
            return False
        decided.wanted = None
        return True

    @abstractmethod
    def answer(self, answer: str) -> None:
        """Answer the chosen item with one of its choices."""

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        choices, key = self._listed.choices(), event.key()
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in self._actions:
            self._actions[key]()
        elif key in ANSWER_KEYS[: len(choices)]:
            self.answer(choices[ANSWER_KEYS.index(key)])
        else:
            super().keyPressEvent(event)

    def _move(self, step: int) -> None:
        model = self.view.model()
        row = min(max(0, self.view.currentIndex().row() + step), model.rowCount() - 1)
        self.view.show_row(row)
        self.view.scrollTo(model.index(row, 0))

    @Slot(int)
    def _on_chosen(self, count: int) -> None:
        if count:
            self._row = self.view.currentIndex().row()
        self._listed.choose(self.view.current_key() if count else None)
