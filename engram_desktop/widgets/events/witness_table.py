"""A grid of events and persons that shows who was there, edited by clicks, drags and keys."""

from __future__ import annotations

from array import array

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHeaderView,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.knowledge import knowing
from engram_desktop.viewmodels.events import witness_grid
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.widgets.parts.cards import CardTable
from engram_desktop.widgets.parts.fields.text_fields import LineField
from engram_desktop.widgets.parts.layouts import FlowLayout
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import kind_button, label

ROW_HEIGHT = 30  # pixels
COLUMN_WIDTH, WIDEST_COLUMN = 72, 140
SIGN = 16  # width and height of a sign
NAME_SHARE = 0.42  # of the grid's width for the event names, within these bounds
LEAST_NAME, MOST_NAME = 150, 380
PERSON_WIDTH = 132
KEYS: dict[int, knowing.GridState | None] = {
    Qt.Key.Key_1: "present",
    Qt.Key.Key_2: "knows",
    Qt.Key.Key_3: "kept",
    Qt.Key.Key_4: "unaware",
    Qt.Key.Key_Delete: "unaware",
    Qt.Key.Key_0: None,
    Qt.Key.Key_Backspace: None,
}


def paint_sign(painter: QPainter, look: Look, cell: knowing.GridCell, box: QRectF) -> None:
    """Draw the sign of a cell: disc, ring, crossed ring or dash; underlined if set by hand."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle, radius = box.center(), box.width() * 0.34
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if cell.state == "present":
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.color("green"))
        painter.drawEllipse(middle, radius, radius)
    elif cell.state == "knows":
        painter.setPen(QPen(look.color("accent"), 2.2))
        painter.drawEllipse(middle, radius - 1, radius - 1)
    elif cell.state == "kept":
        painter.setPen(QPen(look.color("red"), 2.0))
        painter.drawEllipse(middle, radius, radius)
        step = QPointF(radius * 0.7, radius * 0.7)
        painter.drawLine(middle - step, middle + step)
    else:
        painter.setPen(QPen(look.color("grey"), 1.6))
        painter.drawLine(middle - QPointF(3.5, 0), middle + QPointF(3.5, 0))
    if cell.is_leak:
        painter.setPen(QPen(look.color("red"), 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(0.8, 0.8, -0.8, -0.8))
    if cell.is_said:
        painter.setPen(QPen(look.color("ink2"), 1.4))
        painter.drawLine(
            QPointF(middle.x() - 5, box.bottom() - 0.7), QPointF(middle.x() + 5, box.bottom() - 0.7)
        )


class WitnessTable(CardTable):
    """The grid of witnesses: a click sets the state of the brush, a second click clears it.

    A drag fills a block. Arrows go from cell to cell, with Shift they select several; Space applies
    the brush, 1 to 4 set a state, 0 lets the program derive the cell again. Each action is one undo
    step for all its cells.
    """

    toggle_wanted = Signal()

    def __init__(
        self,
        look: Look,
        events: EventList,
        grid: witness_grid.WitnessGrid,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(look, events.model, parent, columns=grid)
        self._grid = grid
        self._signs: dict[tuple[str, bool, bool], QPixmap] = {}
        self._from: tuple[int, int] | None = None  # cell a drag began at
        self._to = (0, 0)
        self._column = 0
        self.brush: knowing.GridState | None = "present"
        self.setAccessibleName(self.tr("Who was there"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        self.setCornerWidget(QWidget(self))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for header, align in (
            (self.horizontalHeader(), Qt.AlignmentFlag.AlignCenter),
            (self.verticalHeader(), left),
        ):
            header.show()
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setTextElideMode(Qt.TextElideMode.ElideRight)
            header.setDefaultAlignment(align)
            header.setSectionsClickable(True)
            header.setHighlightSections(False)
            header.setResizeContentsPrecision(0)
        self._column_width = COLUMN_WIDTH
        self.horizontalHeader().setDefaultSectionSize(COLUMN_WIDTH)
        grid.modelReset.connect(self._fit_columns)
        self.horizontalHeader().setAccessibleName(self.tr("Persons"))
        self.verticalHeader().setAccessibleName(self.tr("Events"))
        look.changed.connect(self._signs.clear)
        self.selectionModel().currentRowChanged.connect(self._on_row)

    @override
    def update_density(self) -> None:
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.verticalScrollBar().setSingleStep(ROW_HEIGHT)
        self.viewport().update()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        whole = self.width()
        width = round(min(MOST_NAME, max(LEAST_NAME, whole * NAME_SHARE)))
        if self.verticalHeader().width() != width:
            self.verticalHeader().setFixedWidth(width)
        super().resizeEvent(event)
        self._fit_columns()

    @Slot()
    def _fit_columns(self) -> None:
        """Widen the columns for their names, if all of them have room."""
        header, count = self.horizontalHeader(), self.model().columnCount()
        room = self.viewport().width() // max(1, count)
        wanted = COLUMN_WIDTH
        if room > COLUMN_WIDTH:  # a long cast has none, and its names need not be measured
            names = (header.sectionSizeHint(number) for number in range(count))
            wanted = min(room, WIDEST_COLUMN, max(names, default=0))
        self._column_width = max(COLUMN_WIDTH, wanted)
        header.setDefaultSectionSize(self._column_width)

    # What the events page needs of each shape: here, of the event of the current cell.

    @override
    def selected_count(self) -> int:
        return 1 if self.currentIndex().isValid() else 0

    @override
    def selected_keys(self) -> array[int]:
        row = self.currentIndex().row()
        return self._rows.keys(row, row) if row >= 0 else array("q")

    @override
    def show_row(self, row: int) -> None:
        index = self.model().index(row, max(0, self.currentIndex().column()))
        if index.isValid():
            self.selectionModel().setCurrentIndex(
                index, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )

    @override
    def _on_selection_changed(self, _selected: QModelIndex, _deselected: QModelIndex) -> None:
        pass  # cells are selected here; the panel follows the row

    @Slot(QModelIndex, QModelIndex)
    def _on_row(self, _now: QModelIndex, _before: QModelIndex) -> None:
        if self._from is None:  # the panel opens when a drag ends, not under it
            self.chosen.emit(self.selected_count())

    @override
    def _keep(self) -> None:
        self._column = max(0, self.currentIndex().column())
        self._from = None
        super()._keep()

    @override
    def _restore(self) -> None:
        super()._restore()
        here = self.model().index(self.currentIndex().row(), self._column)
        if here.isValid():
            self.selectionModel().setCurrentIndex(
                here, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )

    # Setting the state of cells.

    def cells(self) -> list[tuple[int, int]]:
        """Return the selected cells, as (row, column)."""
        return [
            (row, column)
            for span in self._spans()
            for row in range(span.top(), span.bottom() + 1)
            for column in range(span.left(), span.right() + 1)
        ]

    def say(self, state: knowing.GridState | None) -> None:
        """Set this state for the selected cells."""
        self._grid.say(self.cells(), state)

    def _painted(self, row: int, column: int) -> knowing.GridState | None:
        """Return the state that the brush gives to this cell, and to all cells of its drag."""
        cell = self._grid.cell(row, column)
        is_same = cell is not None and self.brush is not None and cell.state == self.brush
        return "unaware" if is_same else self.brush

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        is_plain = not event.modifiers() & (
            Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
        )
        if event.button() == Qt.MouseButton.LeftButton and is_plain and index.isValid():
            self._from = self._to = (index.row(), index.column())
            self.selectionModel().setCurrentIndex(
                index, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
            self.viewport().update()
            event.accept()
        else:
            super().mousePressEvent(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is None:
            super().mouseMoveEvent(event)
            return
        at, room = event.position().toPoint(), self.viewport().rect()
        inside = QPoint(
            min(max(at.x(), room.left()), room.right()), min(max(at.y(), room.top()), room.bottom())
        )
        row, column = self.rowAt(inside.y()), self.columnAt(inside.x())
        last = (self.model().rowCount() - 1, self.model().columnCount() - 1)
        to = (row if row >= 0 else last[0], column if column >= 0 else last[1])
        if to != self._to:
            self._to = to
            self.scrollTo(self.model().index(*to))
            self.viewport().update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._from is None:
            super().mouseReleaseEvent(event)
            return
        span, first = self._dragged(), self._from
        self._from = None
        cells = [
            (row, column)
            for row in range(span.top(), span.bottom() + 1)
            for column in range(span.left(), span.right() + 1)
        ]
        self._grid.say(cells, self._painted(*first))
        self.viewport().update()
        self.chosen.emit(self.selected_count())

    def _dragged(self) -> QRect:
        """Return the block of cells of a drag: x is the column, y the row."""
        if self._from is None:
            return QRect()
        rows = sorted((self._from[0], self._to[0]))
        columns = sorted((self._from[1], self._to[1]))
        return QRect(QPoint(columns[0], rows[0]), QPoint(columns[1], rows[1]))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, current = event.key(), self.currentIndex()
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key == Qt.Key.Key_Escape and self._from is not None:
            self._from = None
            self.viewport().update()
        elif key == Qt.Key.Key_Space and current.isValid():
            self.say(self._painted(current.row(), current.column()))
        elif key in KEYS and is_plain:
            self.say(KEYS[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            QAbstractItemView.keyPressEvent(self, event)
            return
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    @Slot(QPoint)
    def open_menu(self, at: QPoint) -> None:
        """Open the menu of the selected cells, or of the cell below the pointer."""
        index = self.indexAt(at)
        if index.isValid() and not self.selectionModel().isSelected(index):
            self.selectionModel().setCurrentIndex(
                index, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
        if not self.currentIndex().isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        row, grid = self.currentIndex().row(), self._grid
        for number, (state, name) in enumerate(witness_grid.state_names().items(), start=1):
            action = menu.addAction(f"{name}\t{number}")
            action.triggered.connect(lambda _checked=False, s=state: self.say(s))
        menu.addAction(self.tr("As worked out") + "\t0").triggered.connect(
            lambda _checked=False: self.say(None)
        )
        menu.addSeparator()
        for icon, text, slot in (
            ("edit", self.tr("Edit"), self.edit_wanted.emit),
            ("books", self.tr("Read its messages"), lambda: grid.read_messages(row)),
            ("eye", self.tr("Who knows this…"), lambda: grid.ask_who(row)),
        ):
            action = menu.addAction(self._look.icon(icon), text)
            action.triggered.connect(lambda _checked=False, act=slot: act())
        menu.popup(self.viewport().mapToGlobal(at))

    # Painting: 900 cells of a large screen in some milliseconds; a delegate takes 25.

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        area = event.rect()
        rows, columns = self.model().rowCount(), self.model().columnCount()
        first, last = self.rowAt(area.top()), self.rowAt(area.bottom())
        if not rows or not columns or first < 0:
            return
        last = last if last >= 0 else rows - 1
        self._grid.seen(first, last)
        left, right = self.columnAt(area.left()), self.columnAt(area.right())
        left, right = max(left, 0), right if right >= 0 else columns - 1
        tops = [(row, self.rowViewportPosition(row)) for row in range(first, last + 1)]
        starts = [(n, self.columnViewportPosition(n)) for n in range(left, right + 1)]
        self._paint_selection(painter)
        end = min(area.right(), starts[-1][1] + self._column_width)
        painter.setPen(self._look.color("line"))
        for _row, top in tops:
            painter.drawLine(area.left(), top + ROW_HEIGHT - 1, end, top + ROW_HEIGHT - 1)
        ratio = self.devicePixelRatioF()
        across, down = (self._column_width - SIGN) // 2, (ROW_HEIGHT - SIGN) // 2
        for row, top in tops:
            for column, start in starts:
                cell = self._grid.cell(row, column)
                if cell is not None:
                    painter.drawPixmap(start + across, top + down, self._sign(cell, ratio))
        self._paint_current(painter)

    def _paint_selection(self, painter: QPainter) -> None:
        room = self.viewport().rect()
        blocks = [
            QRect(QPoint(s.left(), s.top()), QPoint(s.right(), s.bottom())) for s in self._spans()
        ]
        for block in [self._dragged()] if self._from is not None else blocks:
            painter.fillRect(self._box(block) & room, self._look.color("selection"))

    def _paint_current(self, painter: QPainter) -> None:
        current = self.currentIndex()
        if not current.isValid():
            return
        is_dragged = self._from is not None
        box = self._box(self._dragged()) if is_dragged else self.visualRect(current)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        strong = is_dragged or self.hasFocus()
        painter.setPen(QPen(self._look.color("accent" if strong else "line_strong"), 1.6))
        painter.drawRoundedRect(QRectF(box).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)

    def _box(self, block: QRect) -> QRect:
        """Return the rectangle of a block of cells on the viewport."""
        first = self.visualRect(self.model().index(block.top(), block.left()))
        return first | self.visualRect(self.model().index(block.bottom(), block.right()))

    def _sign(self, cell: knowing.GridCell, ratio: float) -> QPixmap:
        kind = (cell.state, cell.is_said, cell.is_leak)
        sign = self._signs.get(kind)
        if sign is None or sign.devicePixelRatio() != ratio:
            sign = self._signs[kind] = sign_of(self._look, cell, ratio)
        return sign


def sign_of(look: Look, cell: knowing.GridCell, ratio: float) -> QPixmap:
    """Return the sign of a cell as a picture."""
    picture = QPixmap(round(SIGN * ratio), round(SIGN * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    paint_sign(painter, look, cell, QRectF(0, 0, SIGN, SIGN))
    painter.end()
    return picture


class WitnessPage(QWidget):
    """The grid, and above it the brush: the state that a click or a drag sets."""

    def __init__(
        self,
        look: Look,
        grid: witness_grid.WitnessGrid,
        table: WitnessTable,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._grid = grid
        self._table = table
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(8)
        tools = QWidget()
        line = FlowLayout(tools, 6)
        self.group = QButtonGroup(self)
        self.brushes: dict[knowing.GridState | None, QToolButton] = {}
        for number, (state, name) in enumerate(witness_grid.state_names().items(), start=1):
            self._add_brush(line, state, name, str(number))
        self._add_brush(line, None, self.tr("As worked out"), "0")
        self.brushes["present"].setChecked(True)
        self.person = LineField()
        self.person.setPlaceholderText(self.tr("Add a person"))
        self.person.setAccessibleName(self.tr("Add a person"))
        self.person.setFixedWidth(PERSON_WIDTH)
        self.person.submitted.connect(self._add)
        line.addWidget(self.person)
        outer.addWidget(tools)
        self.empty = label("", "quiet", wrap=True)
        outer.addWidget(self.empty)
        outer.addWidget(table, 1)
        look.changed.connect(self._draw)
        grid.people_changed.connect(self._tell)
        self._draw()
        self._tell()

    def _add_brush(
        self, line: FlowLayout, state: knowing.GridState | None, name: str, key: str
    ) -> None:
        chip = kind_button("chip", name)
        chip.setToolTip(
            self.tr("What a click or a drag says: {name} (key {key})").format(name=name, key=key)
        )
        self.group.addButton(chip)
        chip.clicked.connect(lambda _checked=False: self._choose(state))
        self.brushes[state] = chip
        line.addWidget(chip)

    def _choose(self, state: knowing.GridState | None) -> None:
        self._table.brush = state
        self._table.setFocus()

    @Slot()
    def _draw(self) -> None:
        ratio = self.devicePixelRatioF()
        for state in knowing.GRID_STATES:
            self.brushes[state].setIcon(sign_of(self._look, knowing.GridCell(state), ratio))

    @Slot()
    def _tell(self) -> None:
        is_empty = self._grid.is_loaded and not self._grid.people
        nobody = self.tr("Nobody is known yet. Add a person to say who was there.")
        self.empty.setText(nobody if is_empty else "")
        self.empty.setVisible(is_empty)

    @Slot()
    def _add(self) -> None:
        name = self.person.text()
        self._grid.add_person(name)
        self.person.clear()
        column = self._grid.column_of(name)
        if column is not None and self._grid.rowCount():
            row = max(0, self._table.currentIndex().row())
            self._table.setCurrentIndex(self._grid.index(row, column))
            self._table.setFocus()
