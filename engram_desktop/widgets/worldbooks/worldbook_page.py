"""The page of worldbooks: those on in this chat, their entries, and the state of each entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.worldbooks.worldbook import Entry, WorldbookRow
from engram_desktop.moving import file_name
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.worldbooks.entry_table import COLUMNS, mode_names, sort_names
from engram_desktop.viewmodels.worldbooks.worldbook_list import MEMORY, Shelf, WorldbookList
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import FlowLayout, call_with, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, PageParts, SearchedPage
from engram_desktop.widgets.parts.pieces import icon_button, label, text_button
from engram_desktop.widgets.worldbooks.entry_view import (
    LAMPS,
    BudgetMeter,
    EntryMenu,
    EntryView,
    KeptStrip,
    ModeDelegate,
)

Uid = int | str


class EntryMoves(QObject):
    """Moves of entries. ``selected`` returns the entries to move."""

    def __init__(
        self, worldbooks: WorldbookList, selected: Callable[[], Sequence[Uid]], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._worldbooks = worldbooks
        self._selected = selected

    @Slot(int)
    def step(self, by: int) -> None:
        """Move the selection one place up or down."""
        if self._can_move():
            self._worldbooks.arranging.step(self._selected(), by)

    @Slot(int)
    def drop(self, row: int) -> None:
        """Move the selection before a row, and under the heading of its new place."""
        entries, uids = self._worldbooks.entries, self._selected()
        heading = self._heading_above(row, uids)
        if not self._worldbooks.arranging.can_move:
            is_other = any(e is not None and e.heading != heading for e in map(entries.entry, uids))
            if is_other and not entries.is_searched:
                self._worldbooks.arranging.put_under(uids, heading)
                return
        if not self._can_move():
            return
        before = None
        for below in range(row, entries.rowCount()):
            uid = entries.uid_at(below)
            entry = entries.entry(uid)
            if entry is None or entry.heading != heading:
                break  # the end of this heading's entries
            if uid not in uids:
                before = uid
                break
        self._worldbooks.arranging.move(uids, before, heading)

    def _heading_above(self, row: int, uids: Sequence[int | str]) -> str:
        """Return the name of the heading above ``row``, ignoring the entries ``uids``; else ""."""
        entries = self._worldbooks.entries
        for above in range(row - 1, -1, -1):
            heading = entries.heading_at(above)
            if heading is not None:
                return heading.name
            entry = entries.entry(entries.uid_at(above))
            if entry is not None and entry.uid not in uids:
                return entry.heading
        return ""

    def _can_move(self) -> bool:
        """Return whether entries can be moved; show the reason if they cannot."""
        if not self._worldbooks.is_memory and not self._worldbooks.arranging.can_move:
            self._worldbooks.tell_how_to_move()
        return not self._worldbooks.is_memory and self._worldbooks.arranging.can_move


class SortButton(QToolButton):
    apply_wanted = Signal()  # make the current sorting the order of entries

    def __init__(
        self, look: Look, worldbooks: WorldbookList, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._worldbooks = worldbooks
        self.setProperty("kind", "plain")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        look.set_icon(self, "down")
        menu = QMenu(self)
        group = QActionGroup(menu)
        self._actions = {}
        for key, text in sort_names().items():
            action = menu.addAction(text)
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _checked=False, k=key: worldbooks.arranging.sort(k))
            self._actions[key] = action
        menu.addSeparator()
        self.reverse_action = menu.addAction(self.tr("The other way round"))
        self.reverse_action.setCheckable(True)
        self.reverse_action.triggered.connect(worldbooks.arranging.reverse)
        menu.addSeparator()
        self.apply_action = menu.addAction(self.tr("Apply this sorting as order…"))
        self.apply_action.triggered.connect(self.apply_wanted)
        menu.aboutToShow.connect(self._update_menu)
        self.setMenu(menu)
        worldbooks.entries.sorted_anew.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        table = self._worldbooks.entries
        name = sort_names()[table.sort_key]
        self.setText(f"{name} ↑" if table.is_reversed else name)
        self.setAccessibleName(self.tr("Sort entries: {how}").format(how=name))

    @Slot()
    def _update_menu(self) -> None:
        table = self._worldbooks.entries
        self._actions[table.sort_key].setChecked(True)
        self.reverse_action.setChecked(table.is_reversed)
        self.apply_action.setEnabled(self._worldbooks.row is not None and bool(table.all_entries))


NARROW = 700  # pixels: on a narrower page the buttons of modes have no text
_WIDTHS = {"title": 150, "mode": 106, "keys": 130, "order": 78, "tokens": 94}


class WorldbookPage(SearchedPage):
    characters_wanted = Signal()
    history_wanted = Signal()
    rename_wanted = Signal()
    merge_wanted = Signal(object)  # Path of a kept file
    sort_wanted = Signal()  # make the current sorting the order of entries

    def __init__(
        self, look: Look, worldbooks: WorldbookList, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._worldbooks = worldbooks
        self.menu = EntryMenu(look, worldbooks, self)
        self._stack = QStackedLayout(self)
        self._empty = EmptyState(look, "books")
        self.import_wanted = self._empty.acted
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._make_body())
        worldbooks.listed.connect(self._on_listed)
        worldbooks.opened.connect(self._on_opened)
        worldbooks.opened.connect(self._show_budget)
        worldbooks.reading_changed.connect(self._on_reading)
        worldbooks.shown.connect(self._on_shown)
        worldbooks.entries.counted.connect(self._on_counted)
        self._on_listed(worldbooks.shelf)

    def _make_body(self) -> QWidget:
        look = self._look
        body = QWidget()
        rows = column(body, 0, 8)
        rows.setContentsMargins(24, 16, 16, 12)
        top = QHBoxLayout()
        top.setSpacing(12)
        self.shelf = QListWidget()
        self.shelf.setAccessibleName(self.tr("World books"))
        self.shelf.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.shelf.setMinimumHeight(64)
        self.shelf.setMaximumHeight(124)
        self.shelf.currentItemChanged.connect(self._on_worldbook_chosen)
        call_with(self.shelf, Qt.Key.Key_Delete, self._worldbooks.delete_worldbook)
        self.shelf.itemDoubleClicked.connect(lambda _item: self.rename_wanted.emit())
        top.addWidget(self.shelf, 1)
        top.addLayout(self._make_worldbook_buttons())
        rows.addLayout(top)
        self.kept = KeptStrip(look, self._worldbooks.memory)
        self.kept.new_file_wanted.connect(self._keep_elsewhere)
        self.kept.merge_wanted.connect(self.merge_wanted)
        rows.addWidget(self.kept)
        self._missing = label("", "quiet", wrap=True)
        rows.addWidget(self._missing)
        rows.addWidget(self._make_tools())
        self.view = self._make_view()
        rows.addWidget(self.view, 1)
        self.no_match = EmptyState(look, "search")
        self.no_match.say(
            self.tr("No entry matches"), self.tr("Try fewer words."), self.tr("Show all")
        )
        self.no_match.acted.connect(self.search.clear)
        self.no_match.hide()
        rows.addWidget(self.no_match, 1)
        self._add_foot(rows)
        return body

    def _add_foot(self, rows: QVBoxLayout) -> None:
        self._total = label("", "quiet", wrap=True)
        self.characters_button = text_button(self.tr("Characters…"))
        self.characters_button.clicked.connect(self.characters_wanted)
        self.meter = BudgetMeter()
        rows.addWidget(self.meter.warning)
        foot = QHBoxLayout()
        words = QVBoxLayout()
        words.setSpacing(3)
        words.addWidget(self._total)
        words.addWidget(self.meter)
        foot.addLayout(words, 1)
        self.history_button = text_button(self.tr("History…"))
        self.history_button.clicked.connect(self.history_wanted)
        foot.addWidget(self.history_button)
        foot.addWidget(self.characters_button)
        rows.addLayout(foot)

    def _make_worldbook_buttons(self) -> QVBoxLayout:
        inner = QVBoxLayout()
        inner.setSpacing(6)
        self.everywhere = QCheckBox(self.tr("On in every chat"))
        self.everywhere.toggled.connect(lambda on: self._worldbooks.set_global(is_global=on))
        inner.addWidget(self.everywhere)
        self.here = QCheckBox(self.tr("On in this chat"))
        self.here.toggled.connect(lambda on: self._worldbooks.set_in_chat(is_on=on))
        inner.addWidget(self.here)
        self.export_button = text_button(self.tr("Export…"))
        self.export_button.clicked.connect(self._export)
        inner.addWidget(self.export_button)
        self.remove_button = text_button(self.tr("Remove from library"))
        self.remove_button.clicked.connect(self._worldbooks.delete_worldbook)
        inner.addWidget(self.remove_button)
        self.new_worldbook_button = text_button(self.tr("Export as a new book…"))
        self.new_worldbook_button.clicked.connect(self._export_memory)
        inner.addWidget(self.new_worldbook_button)
        self.keep_button = text_button(self.tr("Keep in sync with a file…"))
        self.keep_button.clicked.connect(self._keep)
        inner.addWidget(self.keep_button)
        inner.addStretch(1)
        return inner

    def _make_tools(self) -> QWidget:
        tools = QWidget()
        line = FlowLayout(tools)
        self.search = SearchField(self._look, self.tr("Search entries"))
        self.search.setFixedWidth(200)
        self.search.textChanged.connect(self._worldbooks.entries.search)
        line.addWidget(self.search)
        self.sort_button = SortButton(self._look, self._worldbooks)
        self.sort_button.apply_wanted.connect(self.sort_wanted)
        line.addWidget(self.sort_button)
        self.mode_buttons = {}
        for mode, name in mode_names().items():
            button = text_button(name)
            self._look.set_icon(button, *LAMPS[mode])
            button.setToolTip(f"{name}: " + self.tr("Give the selected entries this mode"))
            button.setAccessibleName(name)
            button.clicked.connect(
                lambda _checked=False, m=mode: self._worldbooks.set_mode(self.selected(), m)
            )
            self.mode_buttons[mode] = button
            line.addWidget(button)
        self.add_button = icon_button(self._look, "plus", self.tr("Add an entry"))
        self.add_button.clicked.connect(self._worldbooks.add)
        self.delete_button = icon_button(self._look, "trash", self.tr("Delete selected entries"))
        self.delete_button.clicked.connect(lambda: self._worldbooks.delete(self.selected()))
        for tool in (self.add_button, self.delete_button):
            line.addWidget(tool)
        return tools

    def _make_view(self) -> EntryView:
        entries = self._worldbooks.entries
        view = EntryView(self._look, entries)
        view.setAccessibleName(self.tr("Entries of the world book"))
        view.header().setAccessibleName(view.accessibleName())
        view.delete_wanted.connect(lambda: self._worldbooks.delete(self.selected()))
        view.fold_wanted.connect(entries.toggle_fold)
        self._moves = EntryMoves(self._worldbooks, self.selected, self)
        view.step_wanted.connect(self._moves.step)
        view.dropped.connect(self._moves.drop)
        view.doubleClicked.connect(self._on_double_clicked)
        view.customContextMenuRequested.connect(self._open_menu)
        view.setItemDelegateForColumn(COLUMNS.index("mode"), ModeDelegate(self._look, view))
        for number, name in enumerate(COLUMNS):
            if name in _WIDTHS:
                view.setColumnWidth(number, _WIDTHS[name])
        view.selectionModel().currentRowChanged.connect(self._on_row_chosen)
        view.selectionModel().selectionChanged.connect(self._on_selected)
        entries.modelReset.connect(self._reselect)
        entries.modelReset.connect(self._update_buttons)
        return view

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        index = self.view.indexAt(at)
        heading = self._worldbooks.entries.heading_at(index.row()) if index.isValid() else None
        self.menu.open(heading, self.selected(), self.view.viewport().mapToGlobal(at))

    @Slot()
    def _reselect(self) -> None:
        """Restore the selection after the list was made again."""
        self.view.select_entries([entry.uid for entry in self._worldbooks.chosen])

    @Slot(object)
    def _show_budget(self, row: WorldbookRow | None) -> None:
        budget = self._worldbooks.budget if row is not None else None
        self.meter.show_budget(budget, has_chat=bool(self._worldbooks.shelf.chat_id))

    def edit_current(self) -> bool:
        """Edit the name of the focused item in the list of entries; return False without one."""
        entry = self._worldbooks.current
        heading = self._worldbooks.entries.heading_at(self.view.currentIndex().row())
        if not self.view.hasFocus() or self._worldbooks.is_memory:
            return False
        if heading is not None:
            self.menu.rename_wanted.emit(heading.name)
        elif entry is not None:
            self._worldbooks.title_wanted.emit()
        return heading is not None or entry is not None

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show modes as lamps without text on a narrow page."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= NARROW
        for mode, name in mode_names().items():
            self.mode_buttons[mode].setText(name if is_wide else "")

    @override
    def set_active(self, active: bool) -> None:
        self._worldbooks.set_active(active)

    def selected(self) -> list[int | str]:
        """Return the entries that a command applies to."""
        uids: list[int | str] = []
        selection = self.view.selectionModel().selection()
        for part in (selection.at(n) for n in range(selection.count())):
            rows = range(part.top(), part.bottom() + 1)
            shown = (self._worldbooks.entries.uid_at(row) for row in rows)
            uids += [uid for uid in shown if uid is not None]
        return uids

    def _say_empty(self) -> None:
        if not self._worldbooks.is_loaded:
            self._empty.wait()
            return
        self._empty.say(
            self.tr("No world books yet"),
            self.tr(
                "Import a world book or a character card. Files are only read: what you change "
                "here is written to a new file when you export it."
            ),
            self.tr("Import…"),
        )

    @Slot(object)
    def _on_listed(self, shelf: Shelf) -> None:
        self._say_empty()
        self._stack.setCurrentIndex(1 if shelf.rows or shelf.title else 0)
        blocker = QSignalBlocker(self.shelf)
        self.shelf.clear()
        if shelf.title:
            words = f"{shelf.title} · " + self.tr("made from this chat's memory")
            self._add_worldbook(MEMORY, words, "summarise")
        for row in shelf.rows:
            words = self._worldbook_words(row, is_on=row.id in shelf.bound)
            self._add_worldbook(row.id, words, "books")
        blocker.unblock()
        self.kept.show_files(shelf.kept if self._worldbooks.is_memory else ())
        text = self.tr(
            "This chat wants a world book that is not in the library: {names}. Import it."
        )
        self._missing.setText(text.format(names=listed(shelf.missing)))
        self._missing.setVisible(bool(shelf.missing))

    def _add_worldbook(self, worldbook_id: str, words: str, icon: str) -> None:
        item = QListWidgetItem(self._look.icon(icon), words)
        item.setData(Qt.ItemDataRole.UserRole, worldbook_id)
        item.setToolTip(words if worldbook_id == MEMORY else self._shelf_hint(words))
        self.shelf.addItem(item)
        if self._worldbooks.open_id == worldbook_id:
            self.shelf.setCurrentItem(item)

    def _shelf_hint(self, words: str) -> str:
        return f"{words}\n" + self.tr("Double-click, or F2, to rename it")

    def _worldbook_words(self, row: WorldbookRow, *, is_on: bool) -> str:
        parts = [row.name, self.tr("%n entry(ies)", "", row.entries)]
        if row.owner:
            parts.append(self.tr("of {name}").format(name=row.owner))
        if is_on:
            parts.append(self.tr("on in this chat"))
        return " · ".join(parts)

    @Slot(object)
    def _on_opened(self, row: WorldbookRow | None) -> None:
        blocker = QSignalBlocker(self.everywhere)
        self.everywhere.setChecked(row is not None and row.is_global)
        blocker.unblock()
        is_stored = row is not None
        self._show_here(row)
        of_stored: tuple[QWidget, ...] = (
            self.everywhere,
            self.here,
            self.export_button,
            self.remove_button,
            *self.mode_buttons.values(),
            self.add_button,
            self.delete_button,
        )
        for part in of_stored:
            part.setVisible(is_stored)
        for button in (self.new_worldbook_button, self.keep_button):
            button.setVisible(self._worldbooks.is_memory)
        self.kept.show_files(self._worldbooks.shelf.kept if self._worldbooks.is_memory else ())
        self._update_buttons()

    def _show_here(self, row: WorldbookRow | None) -> None:
        """Tick the worldbooks that are on in the chat; others that are on are not switched here."""
        shelf = self._worldbooks.shelf
        is_on = row is not None and row.id in shelf.bound
        blocker = QSignalBlocker(self.here)
        self.here.setChecked(is_on)
        blocker.unblock()
        can_switch = row is not None and (not is_on or row.id in shelf.own)
        self.here.setEnabled(bool(shelf.chat_id) and can_switch)

    @Slot(bool)
    def _on_reading(self, is_reading: bool) -> None:  # noqa: FBT001 - a Qt slot
        if is_reading and not self._worldbooks.entries.rowCount():
            self._total.setText(self.tr("Reading…"))

    @Slot(object)
    def _on_shown(self, entry: Entry | None) -> None:
        """Make the entry shown the current row, and keep the selection."""
        row = None if entry is None else self._worldbooks.entries.row_of(entry.uid)
        if row is None or self.view.currentIndex().row() == row:
            return
        index = self._worldbooks.entries.index(row, 0)
        flags = QItemSelectionModel.SelectionFlag
        self.view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.view.scrollTo(index)

    @Slot(int, int, int)
    def _on_counted(self, shown: int, count: int, tokens: int) -> None:
        text = self.tr("{tokens} tokens in all entries that are not disabled").format(
            tokens=f"{tokens:,}"
        )
        if shown != count:
            text = self.tr("{shown} of {count} entries").format(shown=shown, count=count) + (
                f" · {text}"
            )
        self._total.setText(text)
        is_missed = bool(count) and not shown
        self.no_match.setVisible(is_missed)
        self.view.setHidden(is_missed)

    @Slot()
    def _on_selected(self) -> None:
        self._worldbooks.choose(self.selected())
        self._update_buttons()

    @Slot()
    def _update_buttons(self) -> None:
        has_some = self.view.selectionModel().hasSelection()
        for button in (*self.mode_buttons.values(), self.delete_button):
            button.setEnabled(has_some)

    @Slot(QListWidgetItem, QListWidgetItem)
    def _on_worldbook_chosen(self, item: QListWidgetItem | None, _before: object) -> None:
        if item is not None:
            self._worldbooks.open(str(item.data(Qt.ItemDataRole.UserRole)))

    @Slot(QModelIndex, QModelIndex)
    def _on_row_chosen(self, index: QModelIndex, _before: QModelIndex) -> None:
        uid = self._worldbooks.entries.uid_at(index.row()) if index.isValid() else None
        if uid is not None:
            self._worldbooks.show_entry(uid)

    @Slot(QModelIndex)
    def _on_double_clicked(self, index: QModelIndex) -> None:
        entries = self._worldbooks.entries
        entry = entries.entry(entries.uid_at(index.row()))
        if entry is not None:
            self._worldbooks.show_event(entry)

    @Slot()
    def _export(self) -> None:
        row = self._worldbooks.row
        if row is not None and (target := self._new_file(file_name(row.name, ".json"))):
            self._worldbooks.export(target)

    @Slot()
    def _export_memory(self) -> None:
        if target := self._new_file(self._worldbooks.shelf.suggested.name):
            self._worldbooks.memory.export(target)

    @Slot()
    def _keep(self) -> None:
        if target := self._new_file(str(self._worldbooks.shelf.suggested)):
            self._worldbooks.memory.keep(target)

    @Slot(object)
    def _keep_elsewhere(self, file: Path) -> None:
        if target := self._new_file(str(file.with_name(f"{file.stem} 2.json"))):
            self._worldbooks.memory.move(file, target)

    def _new_file(self, suggested: str) -> Path | None:
        """Ask for a new file; an existing one is refused later, never replaced."""
        name, _filter = QFileDialog.getSaveFileName(
            self,
            self.tr("Export"),
            suggested,
            self.tr("World book for SillyTavern (*.json)"),
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        if not name:
            return None
        return Path(name) if Path(name).suffix else Path(f"{name}.json")


def make(parts: PageParts, parent: QWidget) -> WorldbookPage:
    page = WorldbookPage(parts.look, parts.models.worldbooks, parent)
    page.import_wanted.connect(parts.choose_files)
    page.characters_wanted.connect(parts.doors.open_characters)
    page.history_wanted.connect(parts.models.library_undo.history_wanted)
    page.rename_wanted.connect(parts.doors.books.open_rename_worldbook)
    page.merge_wanted.connect(parts.doors.books.open_merge_worldbook)
    page.sort_wanted.connect(parts.doors.books.open_sort_entries)
    page.menu.large_wanted.connect(parts.doors.books.open_large_entry)
    page.menu.heading_wanted.connect(parts.doors.books.open_head_entries)
    page.menu.rename_wanted.connect(parts.doors.books.open_rename_heading)
    return page
