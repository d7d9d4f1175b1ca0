"""The search panel over the page: rows follow the typed text, Enter opens one.

It is not a window: the page below stays as it is. Escape, or a click elsewhere, closes it. Keys of
the field move through the list. Rows are drawn as plain text, as a story may contain markup. A card
offers search filters, which a click inserts into the field.
"""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.search import MarkedPassage
from engram_desktop.viewmodels.search.finders import Finder, QuickRow
from engram_desktop.viewmodels.search.library_finder import LibraryFinder, SavedSearches
from engram_desktop.viewmodels.workspace.live_query import RowRole
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import icon_button, kind_button, label, literal


def examples() -> tuple[tuple[str, str], ...]:
    """Return examples of search filters in the window's language, and what each finds."""
    words = (
        QCoreApplication.translate("FilterHelp", "type:event"),
        QCoreApplication.translate("FilterHelp", "entity:"),
        QCoreApplication.translate("FilterHelp", "chat:"),
        QCoreApplication.translate("FilterHelp", "is:blue"),
        QCoreApplication.translate("FilterHelp", "is:stale"),
        "-",
        '" "',
        " OR ",
    )
    meanings = (
        QCoreApplication.translate(
            "FilterHelp", "only this kind: chat, entity, event, message, log, book"
        ),
        QCoreApplication.translate("FilterHelp", "mentions this entity, under any of its names"),
        QCoreApplication.translate("FilterHelp", "in chats whose name holds this"),
        QCoreApplication.translate("FilterHelp", "always in context; is:green: when recalled"),
        QCoreApplication.translate("FilterHelp", "no longer true; is:locked: locked"),
        QCoreApplication.translate("FilterHelp", "before a word or a filter: without it"),
        QCoreApplication.translate("FilterHelp", "exactly these words, with their blanks"),
        QCoreApplication.translate("FilterHelp", "one or the other; a blank means both"),
    )
    return tuple(zip(words, meanings, strict=True))


class FilterHelp(QFrame):
    wanted = Signal(str)  # a filter to insert

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("well")
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for row, (words, meaning) in enumerate(examples()):
            button = kind_button("plain", literal(words.strip()), checkable=False)
            button.setAccessibleName(self.tr("Type {filter}").format(filter=words.strip()))
            button.clicked.connect(lambda _checked=False, text=words: self.wanted.emit(text))
            grid.addWidget(button, row, 0)
            grid.addWidget(label(meaning, "quiet"), row, 1)


HEADING, ONE_LINE, TWO_LINES = 30, 38, 58  # pixels high
_LEFT = 44  # pixels: text starts here, right of the icon
_LAMPS = {"blue": "accent", "green": "green", "stale": "red", "locked": "gold"}


class QuickCard(QStyledItemDelegate):
    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look

    @override
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        row = index.data(RowRole)
        if row is None or row.is_heading:
            return QSize(200, HEADING)
        return QSize(200, TWO_LINES if row.passage.text else ONE_LINE)

    @override
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row = index.data(RowRole)
        if row is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect)
        if row.is_heading:
            self._paint_heading(painter, box, row)
        else:
            state = option.state
            self._paint_row(painter, box.adjusted(6, 1, -6, -1), row, state)
        painter.restore()

    def _paint_heading(self, painter: QPainter, box: QRectF, row: QuickRow) -> None:
        font = self._font(12, QFont.Weight.DemiBold)
        line = box.adjusted(16, 8, -16, -2)
        end = self._paint_line(painter, line, row.title, font, "ink2")
        counted = line.adjusted(end - line.left() + 8, 0, 0, 0)
        self._paint_line(painter, counted, MarkedPassage(row.aside), self._font(12), "ink2")

    def _paint_row(
        self, painter: QPainter, box: QRectF, row: QuickRow, state: QStyle.StateFlag
    ) -> None:
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        if is_chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.color("selection" if is_chosen else "side"))
            painter.drawRoundedRect(box, 8, 8)
        height = 22.0
        top = box.top() + (7 if row.passage.text else (box.height() - height) / 2)
        line = QRectF(box.left() + _LEFT - 6, top, box.width() - _LEFT - 6, height)
        pixmap = self._look.pixmap(row.icon, "accent" if is_chosen else "ink2", 16)
        painter.drawPixmap(QPointF(box.left() + 11, top + 3), pixmap)
        aside = self._font(12)
        room = min(QFontMetricsF(aside).horizontalAdvance(row.aside), line.width() * 0.45)
        place = QRectF(line.right() - room, line.top(), room + 1, line.height())
        self._paint_line(painter, place, MarkedPassage(row.aside), aside, "ink2")
        x = self._paint_lamps(painter, line, row)
        name = QRectF(x, line.top(), place.left() - 12 - x, line.height())
        weight = QFont.Weight.DemiBold if row.passage.text else QFont.Weight.Normal
        self._paint_line(painter, name, row.title, self._font(13, weight), "ink")
        below = line.translated(0, height)
        self._paint_line(painter, below, row.passage, self._font(13), "ink2")

    def _paint_lamps(self, painter: QPainter, line: QRectF, row: QuickRow) -> float:
        x = line.left()
        for tint in row.tints:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.color(_LAMPS[tint]))
            painter.drawEllipse(QRectF(x, line.center().y() - 4, 8, 8))
            x += 14
        return x

    def _paint_line(
        self, painter: QPainter, box: QRectF, passage: MarkedPassage, font: QFont, role: str
    ) -> float:
        """Draw one elided line, with the marks behind its text; return the x where it ends."""
        if not passage.text or box.width() < 8:
            return box.left()
        metrics = QFontMetricsF(font)
        text = metrics.elidedText(passage.text, Qt.TextElideMode.ElideRight, box.width())
        layout = QTextLayout(text, font)
        layout.setFormats(self._marks(passage, text))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(box.width() + metrics.averageCharWidth() * 2)
        layout.endLayout()
        painter.setPen(self._look.color(role))
        y = box.top() + (box.height() - line.height()) / 2
        layout.draw(painter, QPointF(box.left(), y))
        return box.left() + line.naturalTextWidth()

    def _marks(self, passage: MarkedPassage, shown: str) -> list[QTextLayout.FormatRange]:
        """Return the marked ranges of the line as shown, in UTF-16 units as Qt counts."""
        marks = []
        kept = len(shown) - (0 if shown == passage.text else 1)
        for start, end in passage.marks:
            if start >= kept:
                break
            one = QTextLayout.FormatRange()
            one.start = _utf16(passage.text[:start])
            one.length = _utf16(passage.text[start : min(end, kept)])
            look = QTextCharFormat()
            look.setBackground(QColor(self._look.color("gold_soft")))
            look.setForeground(QColor(self._look.color("gold_ink")))
            look.setFontWeight(QFont.Weight.DemiBold)
            one.format = look
            marks.append(one)
        return marks

    @staticmethod
    def _font(size: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        font = QFont()
        font.setPixelSize(size)
        font.setWeight(weight)
        return font


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -8,
    Qt.Key.Key_PageDown: 8,
}


# Focus reasons of another window and of the field's menu: the panel stays open.
_PASSING = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class QuickField(SearchField):
    moved = Signal(int)  # number of rows to move down
    closed = Signal()
    forgotten = Signal()  # the selected row is to be removed from the saved ones

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self.is_composing:  # the keys are the input method's
            super().keyPressEvent(event)
        elif key in _STEPS:
            self.moved.emit(_STEPS[key])
        elif key == Qt.Key.Key_Escape:
            self.closed.emit()
        elif key == Qt.Key.Key_Delete and not self.text():
            self.forgotten.emit()
        else:
            super().keyPressEvent(event)
            return
        event.accept()


WIDTH, HEIGHT, TOP = 720, 600, 56  # pixels, if the window is large enough
MIN_HEIGHT = 150  # pixels: it does not shrink to its field while a search runs
_FRAME = 10  # pixels above and below the rows
_MARGIN = 24  # pixels between the panel and the edges of a small window


class QuickPanel(QFrame):
    """The panel over the page; it shows one finder at a time."""

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
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus in the field
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
        for part in (self.field, *self.findChildren(QAbstractButton)):
            part.installEventFilter(self)
        self.help_button.toggled.connect(self._show_help)
        self.help.wanted.connect(self._insert)
        self.save_button.clicked.connect(self._save)

    _is_first_wanted = False

    def show_finder(self, finder: Finder, placeholder: str) -> None:
        """Open the panel with a finder, or close it if it shows this finder already."""
        if self.isVisible() and finder is self._finder:
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
        self.field.clear()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        finder.ask("")
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

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:  # pressed on one of the buttons
            self.leave()
        else:
            super().keyPressEvent(event)

    @Slot()
    def leave(self) -> None:
        """Close, and return the focus to the widget that had it."""
        before = self._before
        self.hide()
        if before is not None and shiboken6.isValid(before) and before.isVisible():
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
        if event.type() == QEvent.Type.Resize and watched is self._window and self.isVisible():
            self._place()
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() not in _PASSING:
            now = self._window.focusWidget()
            if now is None or not self.isAncestorOf(now):
                self.hide()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        room = self._window.size() - QSize(2 * _MARGIN, TOP + _MARGIN)
        rows = self._rows_height()
        others = self.sizeHint().height() - self.list.sizeHint().height()
        wanted = max(MIN_HEIGHT, others + rows)
        self.setFixedSize(min(WIDTH, room.width()), min(wanted, HEIGHT, room.height()))
        self.move((self._window.width() - self.width()) // 2, TOP)

    def _rows_height(self) -> int:
        """Return the height of all rows together, limited to the room there is."""
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
        if row == 1:  # scroll to its heading as well
            self.list.scrollToTop()

    @Slot()
    def _open_chosen(self) -> None:
        """Open the selected row; while rows are being read, the first one once it is there."""
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
        self.leave()  # before opening: what it opens takes the focus
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
        """Insert a filter at the cursor, separated by blanks from the words around it."""
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
        """Show whether the button saves the search or removes it from the saved ones."""
        finder, text = self._finder, self.field.text()
        is_saved = isinstance(finder, LibraryFinder) and finder.is_saved(text)
        self.save_button.setEnabled(bool(text.strip()))
        name = self.tr("Save this search no longer") if is_saved else self.tr("Save this search")
        self.save_button.setToolTip(name)
        self.save_button.setAccessibleName(name)
        self._look.set_icon(self.save_button, "check" if is_saved else "plus")


# Saved searches below the chats: a click searches, a right click renames or unpins.


MOST_SEEN = 4  # rows; the others scroll
ROW_HEIGHT = 32  # pixels, with the padding of the style sheet
TEXT = Qt.ItemDataRole.UserRole


class PinnedSearches(QWidget):
    """Saved searches; hidden without any."""

    opened = Signal(str)  # the text to be searched

    def __init__(
        self,
        look: Look,
        searches: SavedSearches,
        parent: QWidget | None = None,
        *,
        title: str = "",
        icon: str = "search",
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        title = title or self.tr("Saved searches")
        self._look = look
        self._searches = searches
        rows = column(self, 0, 2)
        rows.setContentsMargins(12, 4, 12, 4)
        heading = label(title, "section")
        heading.setContentsMargins(8, 0, 0, 0)
        rows.addWidget(heading)
        self.list = QListWidget(self)
        self.list.setObjectName("bare")
        self.list.setAccessibleName(title)
        self.list.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self.list.itemClicked.connect(self._open)
        self.list.itemChanged.connect(self._on_renamed)
        rows.addWidget(self.list)
        searches.changed.connect(self._show)
        look.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        blocker = QSignalBlocker(self.list)
        self.list.clear()
        for text, name in self._searches.pinned:
            item = QListWidgetItem(self._look.icon(self._icon), name)
            item.setData(TEXT, text)
            item.setToolTip(self._searches.words(text))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self.list.addItem(item)
        blocker.unblock()
        count = self.list.count()
        self.list.setMinimumHeight(ROW_HEIGHT + 8)  # a low window shows one row, and scrolls
        self.list.setMaximumHeight(ROW_HEIGHT * min(count, MOST_SEEN) + 8)
        self.setVisible(count > 0)

    def _open(self, item: QListWidgetItem) -> None:
        self.opened.emit(item.data(TEXT))

    def _on_renamed(self, item: QListWidgetItem) -> None:
        self._searches.rename(item.data(TEXT), item.text())

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        item = self.list.itemAt(at)
        if item is None:
            return
        text = item.data(TEXT)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for icon, words, call in (
            (self._icon, self.tr("Open"), lambda: self.opened.emit(text)),
            ("edit", self.tr("Rename"), lambda: self.list.editItem(item)),
            ("close", self.tr("Unpin"), lambda: self._searches.unpin(text)),
            ("trash", self.tr("Delete"), lambda: self._searches.delete(text)),
        ):
            action = menu.addAction(self._look.icon(icon), words)
            action.triggered.connect(lambda _checked=False, do=call: do())
        menu.popup(self.list.viewport().mapToGlobal(at))
