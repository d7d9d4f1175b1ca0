"""Lists of cards: painted row by row, or made of widgets."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOption,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.text import words as text_words
from engram_desktop.viewmodels.workspace.live_query import PagedListModel, SlowRelease
from engram_desktop.widgets.parts.layouts import clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import text_button

# A list of cards, as a table with one column: a QListView lays out every row in 170 ms each time.
#
# (Measured at 100,000 rows: first layout 170 ms against 1 ms, Ctrl+A 82 ms against none.)


MAX_KEPT = 5000  # a selection up to this size survives a new answer


class CardTable(QTableView):
    """The selection is read and restored by keys; subclasses set the delegate that draws a card."""

    chosen = Signal(int)  # number of selected cards
    edit_wanted = Signal()
    delete_wanted = Signal()

    def __init__(
        self,
        look: Look,
        model: PagedListModel[Any],
        parent: QWidget | None = None,
        *,
        columns: QAbstractItemModel | None = None,
    ) -> None:
        """``columns``: show the rows of ``model`` with more than one column."""
        super().__init__(parent)
        self._rows = model
        self._kept: tuple[int | None, array[int], int] = (None, array("q"), 0)
        self._leaving: tuple[frozenset[int], int] = (frozenset(), 0)  # keys, and the first row
        self.setModel(model if columns is None else columns)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._look = look
        self.update_density()
        look.changed.connect(self.update_density)
        self.model().modelAboutToBeReset.connect(self._keep)
        self.model().modelReset.connect(self._restore)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)

    def update_density(self) -> None:
        if self.verticalHeader().defaultSectionSize() != self._look.card_height:
            self.verticalHeader().setDefaultSectionSize(self._look.card_height)
        self.verticalScrollBar().setSingleStep(self._look.card_height // 2)
        self.draw_again()

    def draw_again(self) -> None:
        """Repaint all visible cards.

        Not while a window is made: the first `viewport` of a program takes PySide 10 ms.
        """
        if self.isVisible():
            self.viewport().update()

    def selected_keys(self) -> array[int]:
        """Return the selected keys, by ranges: selectedRows() takes seconds at 100,000 rows."""
        keys = array("q")
        for span in self._spans():
            keys += self._rows.keys(span.top(), span.bottom())
        return keys

    def selected_count(self) -> int:
        return sum(span.height() for span in self._spans())

    def current_key(self) -> int | None:
        row = self.currentIndex().row()
        return self._rows.keys(row, row)[0] if row >= 0 else None

    def show_key(self, key: int) -> bool:
        """Select and show ``key``. Return False if it is not in the list."""
        row = self._rows.row_of(key)
        if row is None:
            return False
        self.show_row(row)
        self.scrollTo(self.model().index(row, 0), QAbstractItemView.ScrollHint.PositionAtCenter)
        return True

    def show_row(self, row: int) -> None:
        """Select this row alone, whatever modifier keys are held."""
        index = self.model().index(row, 0)
        if index.isValid():
            self.selectionModel().setCurrentIndex(
                index, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )

    def follow_leaving(self) -> None:
        """Note that the selection is about to be deleted: the row after it is selected then."""
        rows = [span.top() for span in self._spans()]
        self._leaving = (frozenset(self.selected_keys()), min(rows, default=0))

    def mark_words(self, words: Sequence[str]) -> None:
        """Mark these words in the rows, if the delegate can."""

    def show_from_the_top(self, *, is_search: bool) -> None:
        """Scroll to the first row after a search; otherwise centre the current row, if any."""
        current = self.currentIndex()
        if is_search or not current.isValid():
            self.scrollToTop()
        else:
            self.scrollTo(current, self.ScrollHint.PositionAtCenter)

    def invert_selection(self) -> None:
        last = self.model().rowCount() - 1
        if last >= 0:
            span = QItemSelection(self.model().index(0, 0), self.model().index(last, 0))
            self.selectionModel().select(span, QItemSelectionModel.SelectionFlag.Toggle)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Delete:
                self.follow_leaving()
                self.delete_wanted.emit()
            case Qt.Key.Key_F2 | Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.edit_wanted.emit()
            case Qt.Key.Key_Escape if self.selected_count() > 1:
                self.show_row(self.currentIndex().row())
            case Qt.Key.Key_Home:
                self.show_row(0)
            case Qt.Key.Key_End:
                self.show_row(self.model().rowCount() - 1)
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    def _spans(self) -> list[QItemSelectionRange]:
        selection = self.selectionModel().selection()
        return [selection.at(n) for n in range(selection.count())]

    def _keep(self) -> None:
        """Store the row and position on screen, before an answer replaces the rows."""
        count = self.selected_count()
        keys = self.selected_keys() if count <= MAX_KEPT else array("q")
        self._kept = (self.current_key(), keys, self.verticalScrollBar().value())

    def _restore(self) -> None:
        current, keys, scroll = self._kept
        model = self._rows
        selection = QItemSelection()
        for row in (model.row_of(key) for key in keys):
            if row is not None:
                index = self.model().index(row, 0)
                selection.select(index, index)
        row = model.row_of(current) if current is not None else None
        self.verticalScrollBar().setValue(scroll)
        if row is not None:
            index = self.model().index(row, 0)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        if not selection.isEmpty():
            self.selectionModel().select(
                selection, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
        elif current in self._leaving[0] and row is None:
            self.show_row(min(self._leaving[1], self.model().rowCount() - 1))
        self.chosen.emit(self.selected_count())

    def _on_selection_changed(self, _selected: QModelIndex, _deselected: QModelIndex) -> None:
        self.chosen.emit(self.selected_count())


# Common base of cards: frame, fonts, chips, and lines of text.
#
# No widgets and no queries: 100,000 cards cost only what is on screen.


AnyIndex = QModelIndex | QPersistentModelIndex
GAP = 8  # between cards
SHOWN = 600  # characters of a text that a card may show
BEFORE_HIT = 16  # characters shown before a hit that is too far from the beginning
SURELY_SEEN = 0.9  # of the lines: their ends stay ragged


class IconDelegate(QStyledItemDelegate):
    """Draws an icon before the text of a cell: the one that `icon_of` names, if it names one."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look

    def icon_of(self, index: AnyIndex) -> tuple[str, str] | None:  # noqa: ARG002 - of overrides
        """Return the icon's name and its colour role; None for no icon."""
        return None

    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        icon = self.icon_of(index)
        if icon is not None:
            option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
            option.icon = self._look.icon(*icon)


class CardDelegate(QStyledItemDelegate):
    """Base of delegates that paint a card; subclasses paint one row with these methods."""

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
        if visible_text in ("", "…"):
            return x  # an ellipsis alone has no meaning
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
        *,
        keeps_line: bool = False,
    ) -> None:
        """Draw as many lines as the density allows; ``below`` may use one line that is left.

        With ``keeps_line`` the second of two lines is left to it, whatever the text.
        """
        lines = 2 if self._look.density == "comfortable" else 1
        if lines == 2 and keeps_line:
            lines = 1
            if below is not None:
                below(QRectF(box.left(), box.top() + 20, box.width(), 18))
        painter.setPen(self._look.color("ink"))
        layout = QTextLayout(self.part_shown(text, lines * box.width()), self._body)
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

    def part_shown(self, text: str, room: float) -> str:
        """Return the beginning of ``text``, or the part around a hit that is farther back.

        ``room`` is the total width of all lines, in pixels.
        """
        text = " ".join(text.split())
        place = next(iter(text_words.word_places(text, self.marked)), None)
        if place is not None:
            first, last = place
            width = QFontMetricsF(self._body).horizontalAdvance(text[: min(last, SHOWN)])
            if last > SHOWN or width > room * SURELY_SEEN:
                start = max(0, first - BEFORE_HIT)
                next_word = text.find(" ", start, first) + 1
                if start and next_word and text[start - 1].isascii() and text[start - 1] != " ":
                    start = next_word  # not within an English word
                text = f"…{text[start:]}"
        return text[:SHOWN]

    def _paint_line(self, painter: QPainter, at: QPointF, text: str) -> None:
        """Draw one elided line with its marks."""
        layout = QTextLayout(text, self._body)
        layout.setFormats(self._marks_in(text))
        layout.beginLayout()
        line = layout.createLine()
        line.setNumColumns(len(text))
        layout.endLayout()
        line.draw(painter, at)

    def _marks_in(self, text: str) -> list[QTextLayout.FormatRange]:
        """Return where the words of the search are in ``text``."""
        spans = []
        for first, last in text_words.word_places(text, self.marked):
            span = QTextLayout.FormatRange()
            span.start, span.length = (
                text_words.units(text[:first]),
                text_words.units(text[first:last]),
            )
            words = QTextCharFormat()
            words.setBackground(self._look.color("gold_soft"))
            words.setForeground(self._look.color("gold_ink"))
            words.setFontUnderline(True)  # underlined, as colour alone is not enough
            span.format = words
            spans.append(span)
        return spans


# Cards in a column, made a few at a time, and a button for the rest.
#
# A card with its labels takes a millisecond to make: forty of them at once are two frames too
# many.


TURN_SECONDS = 0.006  # of making cards before a frame has its turn
FIRST = 10  # cards shown first
MORE = 40  # cards added by one press


class CardColumn(QWidget):
    """Cards in the layout ``cards``."""

    def __init__(self, parent: QWidget | None = None, *, first: int = FIRST) -> None:
        super().__init__(parent)
        self._first = first
        self._makers: Sequence[Callable[[], QWidget]] = ()
        self._shown = self._made = 0
        outer = column(self, 0, 6)
        self._inner = QWidget()
        self.cards = column(self._inner, 0, 6)
        outer.addWidget(self._inner)
        self.more_button = text_button("")
        self.more_button.clicked.connect(self._show_more)
        self.more_button.hide()
        outer.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._make_some)
        self._release = SlowRelease(self)

    def show_cards(self, makers: Sequence[Callable[[], QWidget]]) -> None:
        """Show the cards that these functions make, replacing the previous ones."""
        self._next.stop()
        clear_layout(self.cards)
        before, self._makers = self._makers, makers
        self._release.take(before)
        self._made, self._shown = 0, min(self._first, len(makers))
        self._make_some()

    @Slot()
    def _show_more(self) -> None:
        self._shown = min(self._shown + MORE, len(self._makers))
        self._make_some()

    @Slot()
    def _make_some(self) -> None:
        until = time.perf_counter() + TURN_SECONDS
        while self._made < self._shown:
            self.cards.addWidget(self._makers[self._made]())
            self._made += 1
            if time.perf_counter() > until:
                break
        if self._made < self._shown:
            self._next.start()
        left = len(self._makers) - self._shown
        self._inner.setVisible(self._made > 0)
        self.more_button.setVisible(left > 0)
        self.more_button.setText(self.tr("Show %n more", "", min(left, MORE)))


# A card that is a widget, and a button as a whole.


class LiveCard(QAbstractButton):
    """A card that is a button: a click, Enter or Space opens it. Its words may wrap.

    It needs an accessible name.
    """

    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setProperty("live", "true")
        preferred = QSizePolicy.Policy.Preferred  # like a frame: a button has a fixed size
        self.setSizePolicy(preferred, preferred)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._open)

    @Slot()
    def _open(self) -> None:
        self.opened.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
