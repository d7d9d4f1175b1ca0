"""The list of entries of a worldbook, with its delegates, menus and budget meter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QDateTime,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QLocale,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QDropEvent, QHoverEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.worldbooks.listed import Budget
from engram_desktop.domain.worldbooks.merging import KeptWorldbook
from engram_desktop.domain.worldbooks.worldbook import EntryMode
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.viewmodels.worldbooks.entry_table import (
    COLUMNS,
    EntryTable,
    HeadingRole,
    HeadingRow,
    ModeRole,
    mode_names,
)
from engram_desktop.viewmodels.worldbooks.memory_shelf import MemoryShelf
from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList
from engram_desktop.widgets.parts.cards import AnyIndex, IconDelegate
from engram_desktop.widgets.parts.layouts import clear_layout, column, given_way
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import (
    ElidedLabel,
    ProgressBar,
    icon_button,
    label,
    literal,
    text_button,
)

# The table of a worldbook's entries: keys, moves by drag, headings that fold.


LEAST_TEXT = 84  # pixels of a column of words in a narrow table: six letters of Chinese
TEXTS = frozenset({"title", "keys"})


LEFT_OUT = ("tokens", "order", "keys")  # hidden in this order without room: the panel shows them


class EntryView(QTableView):
    """A table and not a tree: a tree asks the model for each row at every layout, 4 µs each."""

    delete_wanted = Signal()
    fold_wanted = Signal(str)  # heading
    step_wanted = Signal(int)  # move the selection one place up (-1) or down (1)
    dropped = Signal(int)  # the selection was dropped before this row

    def __init__(self, look: Look, table: EntryTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._scrolled = 0
        self._heading = ""  # heading of the current row, while rows are made again
        self._hovered = -1  # row
        self._wanted: dict[int, int] = {}  # wanted pixels of each column but the last
        self._is_fitting = False
        self.setObjectName("rows")
        self.setModel(table)
        self.setItemDelegate(_RowDelegate(look, self))
        self.setItemDelegateForColumn(0, _TitleDelegate(look, self))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDragDropOverwriteMode(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.header()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(False)  # it would be squeezed below its title
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.sectionResized.connect(self._on_resized)
        self.clicked.connect(self._on_clicked)
        table.modelAboutToBeReset.connect(self._keep_place)
        table.modelReset.connect(self._restore_place)

    def header(self) -> QHeaderView:
        return self.horizontalHeader()

    def is_hovered(self, row: int) -> bool:
        return row == self._hovered

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._fit_rows()

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        """Highlight the row under the pointer."""
        match event.type():
            case QEvent.Type.HoverMove if isinstance(event, QHoverEvent):
                self._hover(self.indexAt(event.position().toPoint()).row())
            case QEvent.Type.HoverLeave | QEvent.Type.Leave:
                self._hover(-1)
        return super().viewportEvent(event)

    @override
    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Move from row to row, as in a list, not from cell to cell."""
        match action:
            case self.CursorAction.MoveHome:
                return self._table.index(0, 0)
            case self.CursorAction.MoveEnd:
                return self._table.index(self._table.rowCount() - 1, 0)
            case self.CursorAction.MoveLeft | self.CursorAction.MoveRight:
                return self.currentIndex()
        return super().moveCursor(action, modifiers)

    def _hover(self, row: int) -> None:
        before, self._hovered = self._hovered, row
        if row != before:
            for changed in (before, row):
                top = self.rowViewportPosition(changed) if changed >= 0 else -1
                if top >= 0:
                    width, height = self.viewport().width(), self.rowHeight(changed)
                    self.viewport().update(0, top, width, height)

    def _fit_rows(self) -> None:
        """Give all rows the height of the first."""
        height = self.sizeHintForRow(0) if self._table.rowCount() else 0
        if height > 0 and height != self.verticalHeader().defaultSectionSize():
            self.verticalHeader().setDefaultSectionSize(height)

    @Slot(int, int, int)
    def _on_resized(self, section: int, _old: int, new: int) -> None:
        if not self._is_fitting:  # by hand
            self._wanted[section] = new
            self._fit(section)

    def _fit(self, held: int | None = None) -> None:
        """Let the columns before the last give way to it, except the mode and ``held``.

        If that is not enough, those of `LEFT_OUT` are hidden, so that there is no scrolling
        sideways.
        """
        header = self.header()
        self._is_fitting = True
        for name in LEFT_OUT:
            header.setSectionHidden(COLUMNS.index(name), False)  # a hidden one has no size
        titles = [header.sectionSizeHint(number) for number in range(header.count())]
        *before, last = range(header.count())
        wanted = {n: self._wanted.get(n, header.sectionSize(n)) for n in before}
        least = {n: max(titles[n], LEAST_TEXT if COLUMNS[n] in TEXTS else 0) for n in before}
        for number in before:
            if number == held or COLUMNS[number] == "mode":
                least[number] = wanted[number]
        room = self.viewport().width()
        for number in map(COLUMNS.index, LEFT_OUT):
            if sum(least.values()) + titles[last] > room:
                del least[number]
                header.setSectionHidden(number, True)
        widths = given_way([wanted[n] for n in least], [*least.values()], room - titles[last])
        for number, width in zip(least, widths, strict=True):
            header.resizeSection(number, width)
        header.resizeSection(last, max(titles[last], room - sum(widths)))
        self._is_fitting = False

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, is_alt = event.key(), event.modifiers() == Qt.KeyboardModifier.AltModifier
        heading = self._table.heading_at(self.currentIndex().row())
        match key:
            case Qt.Key.Key_Delete:
                self.delete_wanted.emit()
            case Qt.Key.Key_Up | Qt.Key.Key_Down if is_alt:
                self.step_wanted.emit(-1 if key == Qt.Key.Key_Up else 1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space if heading is not None:
                self.fold_wanted.emit(heading.name)
            case Qt.Key.Key_Left | Qt.Key.Key_Right if heading is not None:
                if heading.is_open == (key == Qt.Key.Key_Left):
                    self.fold_wanted.emit(heading.name)
            case _:
                super().keyPressEvent(event)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        """Emit where the selection was dropped; the list changes when the move is saved."""
        row = self.row_below(event.position().toPoint().y())
        event.setDropAction(Qt.DropAction.IgnoreAction)  # Qt itself removes nothing here
        event.accept()
        self.dropped.emit(row)

    def select_entries(self, uids: Sequence[int | str]) -> None:
        """Select these entries if they are listed; if none is, the selection stays."""
        selection = QItemSelection()
        for row in map(self._table.row_of, uids):
            if row is not None:
                index = self._table.index(row, 0)
                selection.select(index, index)
        if not selection.isEmpty():
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().select(selection, flags.ClearAndSelect | flags.Rows)

    def row_below(self, y: int) -> int:
        """Return the row before which a drop at ``y`` inserts; on a heading, the row below it."""
        index = self.indexAt(QPoint(4, y))
        if not index.isValid():
            return self._table.rowCount()
        if self._table.heading_at(index.row()) is not None:
            return index.row() + 1
        return index.row() + (y > self.visualRect(index).center().y())

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        heading = self._table.heading_at(index.row())
        if heading is not None:
            self.fold_wanted.emit(heading.name)

    @Slot()
    def _keep_place(self) -> None:
        self._scrolled = self.verticalScrollBar().value()
        heading = self._table.heading_at(self.currentIndex().row())
        self._heading = heading.name if heading is not None else ""

    @Slot()
    def _restore_place(self) -> None:
        """Restore position and heading spans after the rows were read again."""
        self.clearSpans()
        for row, heading in self._table.heading_rows():
            if heading.name == self._heading:
                no_change = QItemSelectionModel.SelectionFlag.NoUpdate
                self.selectionModel().setCurrentIndex(self._table.index(row, 0), no_change)
            self.setSpan(row, 0, 1, len(COLUMNS))
        self._fit_rows()
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(self._scrolled)


_NO_FOCUS = ~QStyle.StateFlag.State_HasFocus


class _RowDelegate(IconDelegate):
    """Draws a cell with the hover colour of its whole row, and without its own focus frame."""

    def __init__(self, look: Look, view: EntryView) -> None:
        super().__init__(look, view)
        self._view = view

    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        row = index.row()
        if row == self._view.currentIndex().row():  # flags take a microsecond each
            option.state &= _NO_FOCUS
        if self._view.is_hovered(row):
            option.state |= QStyle.StateFlag.State_MouseOver


class _TitleDelegate(_RowDelegate):
    """Draws titles, which may differ in their last letters only; headings with an arrow, bold."""

    @override
    def icon_of(self, index: AnyIndex) -> tuple[str, str] | None:
        heading = index.data(HeadingRole)
        if not isinstance(heading, HeadingRow):
            return None
        return ("down" if heading.is_open else "right", "ink2")

    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle
        if isinstance(index.data(HeadingRole), HeadingRow):
            option.font.setBold(True)


# The lamps of entries: blue is constant, green triggered, a link is found by meaning.


# Icon and its colour role.
LAMPS: dict[EntryMode, tuple[str, str]] = {
    "constant": ("lamp", "accent"),
    "selective": ("lamp", "green"),
    "vectorized": ("link", "gold"),
    "disabled": ("lamp_off", "ink3"),
}


class ModeDelegate(_RowDelegate):
    """Draws the lamp before the word, which names the mode."""

    @override
    def icon_of(self, index: AnyIndex) -> tuple[str, str] | None:
        return LAMPS.get(index.data(ModeRole))


# The context menu of an entry and of a heading in the list of entries.


Uid = int | str


class EntryMenu(QObject):
    large_wanted = Signal()
    heading_wanted = Signal(object)  # uids of entries for which a heading is to be named
    rename_wanted = Signal(str)  # a heading

    def __init__(self, look: Look, worldbooks: WorldbookList, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._worldbooks = worldbooks
        self._widget = parent

    def open(self, heading: HeadingRow | None, uids: Sequence[Uid], where: QPoint) -> None:
        """Open the menu for what is at the point; it is freed when it closes."""
        if self._worldbooks.row is None or (heading is None and not uids):
            return
        menu = QMenu(self._widget)
        if heading is not None:
            self._fill_for_heading(menu, heading)
        else:
            self._fill_for_entries(menu, uids)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(where)

    def _fill_for_heading(self, menu: QMenu, heading: HeadingRow) -> None:
        arranging = self._worldbooks.arranging
        on, off = self.tr("Switch all of it on"), self.tr("Switch all of it off")
        self._add(menu, on, lambda: arranging.switch(heading, is_on=True), "lamp", "green")
        self._add(menu, off, lambda: arranging.switch(heading, is_on=False), "lamp_off", "ink3")
        menu.addSeparator()
        rename = self.tr("Rename the heading…")
        self._add(menu, rename, lambda: self.rename_wanted.emit(heading.name), "edit")
        dissolve = self.tr("Take the heading away, keep its entries")
        self._add(menu, dissolve, lambda: arranging.rename(heading.name, ""), "close")

    def _fill_for_entries(self, menu: QMenu, uids: Sequence[Uid]) -> None:
        worldbooks = self._worldbooks
        large = self.tr("Edit in a large window…")
        self._add(menu, large, self.large_wanted.emit, "edit")
        modes = menu.addMenu(self.tr("Mode"))
        for mode, name in mode_names().items():
            self._add(modes, name, partial(worldbooks.set_mode, uids, mode), *LAMPS[mode])
        below = menu.addMenu(self.tr("Put under a heading"))
        arranging = worldbooks.arranging
        for name in worldbooks.entries.headings:
            self._add(below, name, partial(arranging.put_under, uids, name))
        below.addSeparator()
        new = self.tr("New heading…")
        self._add(below, new, lambda: self.heading_wanted.emit(tuple(uids)), "plus")
        self._add(below, self.tr("None"), lambda: arranging.put_under(uids, ""))
        if worldbooks.others:
            to = menu.addMenu(self.tr("Move to another world book"))
            for other in worldbooks.others:
                self._add(to, other.name, partial(worldbooks.hand_on, uids, other), "books")
        menu.addSeparator()
        delete = self.tr("Delete")
        self._add(menu, delete, lambda: worldbooks.delete(uids), "trash")

    def _add(
        self, menu: QMenu, text: str, act: Callable[[], object], icon: str = "", role: str = "ink2"
    ) -> None:
        action = menu.addAction(literal(text))
        if icon:
            action.setIcon(self._look.icon(icon, role))
        action.triggered.connect(lambda _checked=False: act())


# The use of SillyTavern's budget by the entries that are on, and what is cut off.


SHOWN_TITLES = 4  # titles of entries that are cut off; all are in the tooltip


class BudgetMeter(QWidget):
    """Hidden for a worldbook without a budget, such as a memory's own.

    The owner of the meter lays out ``warning``, which takes a line of its own.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        rows = column(self, 0, 3)
        self.words = label("", "quiet", wrap=True)
        self.bar = ProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)  # pixels: a line, not a button
        self.bar.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.warning = ElidedLabel("bad")
        for part in (self.words, self.bar):
            rows.addWidget(part)
        self.hide()
        self.warning.hide()

    def show_budget(self, budget: Budget | None, *, has_chat: bool) -> None:
        """Show how much of the budget is used; ``has_chat``: it was computed for a chat."""
        self.setVisible(budget is not None)
        if budget is None:
            self.warning.hide()
            return
        taken = budget.used if has_chat else budget.constant
        if has_chat:
            text = self.tr("Budget for the next reply: {used} of {size} tokens, {own} of this book")
        else:
            text = self.tr("Budget: constant entries take {used} of {size} tokens")
        text = text.format(
            used=f"{taken:,}", size=f"{budget.size:,}", own=f"{budget.of_worldbook:,}"
        )
        self.words.setText(text)
        self.bar.setAccessibleName(text)
        self.bar.setRange(0, budget.size)
        self.bar.setValue(min(taken, budget.size))
        warnings = self._warnings(budget)
        self.warning.set_text(" ".join(warnings))
        self.warning.setVisible(bool(warnings))

    def _warnings(self, budget: Budget) -> list[str]:
        warnings = []
        if budget.is_overfull:
            text = self.tr(
                "The constant entries alone need {constant} of {size} tokens: there is no room for"
                " triggered ones."
            )
            warnings.append(text.format(constant=f"{budget.constant:,}", size=f"{budget.size:,}"))
        if budget.fallen:
            shown = listed(budget.fallen[:SHOWN_TITLES])
            if len(budget.fallen) > SHOWN_TITLES:
                shown += "…"
            text = self.tr("%n entry(ies) fall out of the budget: {titles}", "", len(budget.fallen))
            warnings.append(text.replace("{titles}", shown))
        return warnings


# The files of the chat's own worldbook: the state of each, and commands on it.


class KeptStrip(QWidget):
    """The files of a worldbook; hidden without any."""

    new_file_wanted = Signal(object)  # Path of the file that was changed elsewhere
    merge_wanted = Signal(object)  # the same

    def __init__(self, look: Look, memory: MemoryShelf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._memory = memory
        self._rows = column(self, 0, 4)
        self._shown: tuple[KeptWorldbook, ...] = ()
        self.hide()

    def show_files(self, files: Sequence[KeptWorldbook]) -> None:
        if tuple(files) == self._shown:
            return
        self._shown = tuple(files)
        clear_layout(self._rows)
        for worldbook in files:
            self._rows.addLayout(self._line(worldbook))
            if worldbook.fault == "changed":
                self._rows.addLayout(self._ways_out(Path(worldbook.path)))
        self.setVisible(bool(files))

    def _line(self, worldbook: KeptWorldbook) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(6)
        words = label(self._words(worldbook), "bad" if worldbook.fault else "quiet", wrap=True)
        words.setToolTip(worldbook.path)
        line.addWidget(words, 1)
        path = Path(worldbook.path)
        if worldbook.fault != "changed":
            line.addWidget(self._sync_button(path))
        stop = icon_button(self._look, "close", self.tr("Stop keeping it in sync; the file stays"))
        stop.clicked.connect(partial(self._stop, path))
        line.addWidget(stop)
        return line

    def _ways_out(self, path: Path) -> QHBoxLayout:
        """Make the buttons for a file that was changed elsewhere."""
        line = QHBoxLayout()
        line.setSpacing(6)
        merge = text_button(self.tr("Merge…"), "main")
        merge.setToolTip(self.tr("Shows both sides of each entry that was changed there"))
        merge.clicked.connect(lambda: self.merge_wanted.emit(path))
        other = text_button(self.tr("Keep a new file…"))
        other.setToolTip(self.tr("Writes this chat's memory to a new file; this one stays"))
        other.clicked.connect(lambda: self.new_file_wanted.emit(path))
        take = text_button(self.tr("Take its changes as a book"))
        take.setToolTip(self.tr("Imports the file as a world book of its own"))
        take.clicked.connect(partial(self._take, path))
        for button in (merge, other, take, self._sync_button(path)):
            line.addWidget(button)
        line.addStretch(1)
        return line

    def _sync_button(self, path: Path) -> QPushButton:
        button = text_button(self.tr("Sync now"))
        button.clicked.connect(partial(self._sync, path))
        return button

    def _words(self, worldbook: KeptWorldbook) -> str:
        name = Path(worldbook.path).name
        if worldbook.trouble:
            text = self.tr("{file} is not in sync. {why}")
            return text.format(file=name, why=translated(worldbook.trouble))
        at = QDateTime.fromMSecsSinceEpoch(worldbook.written_at)
        moment = QLocale().toString(at, QLocale.FormatType.ShortFormat)
        count = self.tr("%n entry(ies)", "", worldbook.entries)
        text = self.tr("Kept in sync with {file} · {count} · written {time}")
        return text.format(file=name, count=count, time=moment)

    def _sync(self, path: Path, _checked: object = None) -> None:
        self._memory.sync(path)

    def _take(self, path: Path, _checked: object = None) -> None:
        self._memory.take(path)

    def _stop(self, path: Path, _checked: object = None) -> None:
        self._memory.stop(path)
