"""A panel over the page that is typed into: rows follow the typing, Enter goes there.

It is no window: the page below stays as it is. Escape, or a click elsewhere, closes it.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListView, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.search.finder import Finder
from engram_desktop.viewmodels.search.library_finder import LibraryFinder
from engram_desktop.viewmodels.workspace.paged_list import RowRole
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import icon_button, label
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.search.filter_help import FilterHelp
from engram_desktop.widgets.search.quick_card import QuickCard
from engram_desktop.widgets.search.quick_field import QuickField

WIDTH, HEIGHT, TOP = 720, 600, 56  # pixels, where the window has so many
MIN_HEIGHT = 150  # pixels: it does not shrink to its field while something is looked for
_FRAME = 10  # pixels above and below the rows
_MARGIN = 24  # pixels between the panel and the edges of a small window


class QuickPanel(QFrame):
    """Shows one finder at a time."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("popup")
        self._window = parent
        self._look = look
        self._finder: Finder | None = None
        self._before: QWidget | None = None
        layout = column(self, 10, 8)
        head = QHBoxLayout()
        head.setSpacing(4)
        self.field = QuickField(look, self.tr("Search everything"))
        head.addWidget(self.field, 1)
        self.save_button = icon_button(look, "plus", self.tr("Save this search"))
        self.help_button = icon_button(look, "help", self.tr("What may be typed"))
        self.help_button.setCheckable(True)
        for button in (self.save_button, self.help_button):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            head.addWidget(button)
        layout.addLayout(head)
        self.help = FilterHelp(self)
        self.help.hide()
        layout.addWidget(self.help)
        self.list = self._make_list()
        layout.addWidget(self.list, 1)
        self.said = label("", "quiet", wrap=True)
        layout.addWidget(self.said)
        self._keys = label(self.tr("↑ ↓ choose · Enter open · Del forget · Esc close"), "hint")
        layout.addWidget(self._keys)
        self.hide()
        self._connect()
        parent.installEventFilter(self)

    def _make_list(self) -> QListView:
        view = QListView()
        view.setAccessibleName(self.tr("What was found"))
        view.setItemDelegate(QuickCard(self._look, view))
        view.setMouseTracking(True)
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.clicked.connect(self._open)
        return view

    def _connect(self) -> None:
        self.field.textChanged.connect(self._on_typed)
        self.field.moved.connect(self._move)
        self.field.submitted.connect(self._open_chosen)
        self.field.forgotten.connect(self._forget_chosen)
        self.field.closed.connect(self.leave)
        self.field.deserted.connect(self.hide)
        self.help_button.toggled.connect(self._show_help)
        self.help.wanted.connect(self._insert)
        self.save_button.clicked.connect(self._save)

    _is_first_wanted = False

    @property
    def finder(self) -> Finder | None:
        return self._finder

    def show_finder(self, finder: Finder, placeholder: str, text: str = "") -> None:
        """Open the panel on something else to be found, or close it where it is on that."""
        if self.isVisible() and finder is self._finder and not text:
            self.leave()
            return
        self._take(finder)
        self.field.setPlaceholderText(placeholder)
        self.field.setAccessibleName(placeholder)
        is_search = isinstance(finder, LibraryFinder)
        self.save_button.setVisible(is_search)
        self.help_button.setVisible(is_search)
        self.help.setVisible(is_search and self.help_button.isChecked())
        if not self.isVisible():
            self._before = self._window.focusWidget()
        self._place()
        self.show()
        self.raise_()
        self.field.setText(text)
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        finder.ask(text)
        self._show_saved()

    def _take(self, finder: Finder) -> None:
        if finder is self._finder:
            return
        if self._finder is not None:
            self._finder.leave()
            self._finder.disconnect(self)
        self._finder = finder
        self.list.setModel(finder.rows)
        finder.shown.connect(self._on_shown)
        finder.said.connect(self._say)
        finder.text_wanted.connect(self.field.setText)

    @Slot()
    def leave(self) -> None:
        """Close, and give the focus back to who had it."""
        before = self._before
        self.hide()
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._is_first_wanted = False
        self._before = None
        if self._finder is not None:
            self._finder.leave()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        room = self._window.size() - QSize(2 * _MARGIN, TOP + _MARGIN)
        rows = self._rows_height()
        others = self.sizeHint().height() - self.list.sizeHint().height()
        wanted = max(MIN_HEIGHT, others + rows)
        self.setFixedSize(min(WIDTH, room.width()), min(wanted, HEIGHT, room.height()))
        self.move((self._window.width() - self.width()) // 2, TOP)

    def _rows_height(self) -> int:
        """Return how high all rows are together, as far as there is room for them."""
        model, height = self.list.model(), _FRAME
        for row in range(model.rowCount() if model is not None else 0):
            height += self.list.sizeHintForRow(row)
            if height > HEIGHT:
                break
        return height

    @Slot(str)
    def _on_typed(self, text: str) -> None:
        self._is_first_wanted = False
        if self._finder is not None and self.isVisible():
            self._finder.ask(text)
            self._show_saved()

    @Slot(str)
    def _say(self, text: str) -> None:
        self.said.setText(text)
        self.said.setVisible(bool(text))
        self._place()

    @Slot()
    def _on_shown(self) -> None:
        self._place()
        self._choose(-1 if self._finder is None else self._finder.rows.next_row(-1, 1))
        self.list.scrollToTop()
        if self._is_first_wanted:
            self._is_first_wanted = False
            self._open(self.list.currentIndex())

    @Slot(int)
    def _move(self, step: int) -> None:
        if self._finder is not None:
            self._choose(self._finder.rows.next_row(self.list.currentIndex().row(), step))

    def _choose(self, row: int) -> None:
        if self._finder is None or row < 0:
            return
        self.list.setCurrentIndex(self._finder.rows.index(row))
        if row == 1:  # its heading is to be seen as well
            self.list.scrollToTop()

    @Slot()
    def _open_chosen(self) -> None:
        """Open the row that is chosen, or the first of what is about to be shown."""
        if self._finder is not None and self._finder.is_searching:
            self._is_first_wanted = True
        else:
            self._open(self.list.currentIndex())

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        row = index.data(RowRole)
        if self._finder is None or row is None or row.is_heading:
            return
        finder = self._finder
        place = index.row()
        if row.kind == "more":
            finder.open(row)
            self._choose(place)
            return
        if isinstance(finder, LibraryFinder) and not finder.text:
            finder.open(row)  # a search that is put into the field
            return
        self.leave()  # before it goes anywhere: what it opens takes the focus
        finder.open(row)

    @Slot()
    def _forget_chosen(self) -> None:
        row = self.list.currentIndex().data(RowRole)
        if self._finder is not None and row is not None and row.can_forget:
            self._finder.forget(row)

    @Slot(bool)
    def _show_help(self, is_wanted: bool) -> None:  # noqa: FBT001 - a Qt slot
        self.help.setVisible(is_wanted)
        self._place()

    @Slot(str)
    def _insert(self, words: str) -> None:
        """Type a filter where the cursor stands, apart from the words around it."""
        before = self.field.text()[: self.field.cursorPosition()]
        gap = " " if before and not before.endswith(" ") else ""
        self.field.insert(f"{gap}{words.strip()}")
        if words == '" "':
            self.field.cursorBackward(False)
            self.field.backspace()
        elif words == " OR ":
            self.field.insert(" ")
        self.field.setFocus()

    @Slot()
    def _save(self) -> None:
        finder = self._finder
        if isinstance(finder, LibraryFinder):
            text = self.field.text()
            finder.set_saved(text, saved=not finder.is_saved(text))
            self._show_saved()

    def _show_saved(self) -> None:
        """Say what the button does to what is typed."""
        finder, text = self._finder, self.field.text()
        is_saved = isinstance(finder, LibraryFinder) and finder.is_saved(text)
        self.save_button.setEnabled(bool(text.strip()))
        name = self.tr("Save this search no longer") if is_saved else self.tr("Save this search")
        self.save_button.setToolTip(name)
        self.save_button.setAccessibleName(name)
        self._look.dress(self.save_button, "check" if is_saved else "plus")
