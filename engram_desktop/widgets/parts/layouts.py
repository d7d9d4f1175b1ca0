"""Layouts: rows, columns, folds, tabs, splitters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from PySide6.QtCore import (
    QEvent,
    QMargins,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWindow
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QSplitterHandle,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.motion import Travel
from engram_desktop.widgets.parts.pieces import kind_button, label, restyle

# Layouts: columns, rows with a caption, flowing lines, and a function that empties a layout.


def column(parent: QWidget, margin: int = 0, spacing: int = 8) -> QVBoxLayout:
    layout = QVBoxLayout(parent)
    layout.setContentsMargins(margin, margin, margin, margin)
    layout.setSpacing(spacing)
    return layout


def tall_area() -> QScrollArea:
    """Make a vertically scrolling area. Its children take the focus, the area never does."""
    area = QScrollArea()
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


class FittedArea(QScrollArea):
    """A vertically scrolling area no taller than its content: what follows it stays near."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    @override
    def sizeHint(self) -> QSize:
        body = self.widget()
        if body is None:
            return super().sizeHint()
        hint = body.sizeHint()
        width = self.viewport().width()
        height = body.heightForWidth(width) if body.hasHeightForWidth() else hint.height()
        return QSize(hint.width(), height + 2 * self.frameWidth())

    @override
    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().boundedTo(self.sizeHint())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()  # the lines of its texts wrap elsewhere

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def add_row(rows: QVBoxLayout, name: str, field: QWidget | QLayout) -> None:
    """Add a field below its caption; a form's own captions would guess at rich text."""
    if name:
        caption = label(name)
        caption.setContentsMargins(0, 6, 0, 0)
        rows.addWidget(caption)
        if isinstance(field, QWidget):
            caption.setBuddy(field)
    if isinstance(field, QWidget):
        rows.addWidget(field)
    else:
        rows.addLayout(field)


class FlowLayout(QLayout):
    """Lays widgets out in lines, like words.

    If all fit into one line, those after `push` are at its right end.
    """

    def __init__(self, parent: QWidget | None = None, spacing: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._pushed: QLayoutItem | None = None
        self._is_pushing = False
        self._heights: dict[int, int] = {}  # by width, until an item changes: Qt asks often
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    @override
    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self._heights.clear()
        if self._is_pushing:
            self._pushed, self._is_pushing = item, False

    def push(self) -> None:
        """Put the widgets added from now on at the right end of the line."""
        self._is_pushing = True

    @override
    def count(self) -> int:
        return len(self._items)

    @override
    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    @override
    def takeAt(self, index: int) -> QLayoutItem | None:
        self._heights.clear()
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    @override
    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        height = self._heights.get(width)
        if height is None:
            height = self._heights[width] = self._place(QRect(0, 0, width, 0), move=False)
        return height

    @override
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    @override
    def sizeHint(self) -> QSize:
        return self.minimumSize()

    @override
    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, move: bool) -> int:
        x, y = rect.x(), rect.y()
        line: list[tuple[QLayoutItem, QRect]] = []
        shown = [item for item in self._items if not item.isEmpty()]  # the others are hidden
        widths = [item.sizeHint().width() for item in shown]
        room = rect.width() - sum(widths) - self.spacing() * (len(shown) - 1)
        for item in shown:
            size = item.sizeHint()
            size.setWidth(min(size.width(), max(rect.width(), item.minimumSize().width())))
            if item is self._pushed and room > 0:
                x += room
            if x > rect.x() and x + size.width() > rect.right() + 1:
                x, y = rect.x(), y + _end_line(line, move=move) + self.spacing()
                line = []
            line.append((item, QRect(QPoint(x, y), size)))
            x += size.width() + self.spacing()
        return y + _end_line(line, move=move) - rect.y()


def _end_line(line: Sequence[tuple[QLayoutItem, QRect]], *, move: bool) -> int:
    """Return the height of a line; lower widgets are centred in it."""
    height = max((area.height() for _item, area in line), default=0)
    for item, area in line:
        if move:
            item.setGeometry(area.translated(0, (height - area.height()) // 2))
    return height


@contextmanager
def laid_out_once(layout: QLayout) -> Iterator[None]:
    """Show and hide parts of ``layout`` inside; Qt lays a window out for each part shown, 2 ms."""
    layout.setEnabled(False)
    try:
        yield
    finally:
        layout.setEnabled(True)
        layout.invalidate()


def clear_layout(layout: QLayout) -> None:
    """Remove all items and free their widgets."""
    while layout.count():
        item = layout.takeAt(0)
        if item is None:
            return
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            clear_layout(inner)
        if widget is not None:
            widget.hide()
            widget.deleteLater()


# A part of a form that is folded under its title.


class Fold(QWidget):
    """``inner`` takes the fields; ``head`` is the button that shows and hides them."""

    def __init__(
        self, look: Look, name: str, parent: QWidget | None = None, *, is_open: bool = False
    ) -> None:
        super().__init__(parent)
        self._look = look
        rows = column(self, 0, 4)
        self.head = kind_button("plain", name, checkable=False)
        self.head.setAccessibleName(name)
        rows.addWidget(self.head)
        self.inner = QWidget()
        rows.addWidget(self.inner)
        self.head.clicked.connect(self.toggle)
        self.set_open(is_open=is_open)

    def set_open(self, *, is_open: bool) -> None:
        self._is_open = is_open
        self.inner.setVisible(is_open)
        self._look.set_icon(self.head, "down" if is_open else "right")

    @Slot()
    def toggle(self) -> None:
        """Open or close it; what is below visibly moves, if animations are on."""
        scene = self._scene()
        height = self.inner.height()

        def travel() -> Travel:
            top = self.head.mapTo(scene, QPoint(0, self.head.height())).y()
            below = QRect(0, top, scene.width(), scene.height() - top)
            room = self.inner.height() if self._is_open else height
            return Travel(below, QPoint(0, room), comes=not self._is_open)

        change = partial(self.set_open, is_open=not self._is_open)
        self._look.motion.change(scene, change, travel)

    def _scene(self) -> QWidget:
        """Return the widget of the surrounding form that is animated."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        return above.viewport() if above is not None else self.window()


# Pages with a row of tabs in the window's style.


class TabRow(QWidget):
    """Tabs with smaller gaps if they would not fit into one line."""

    def __init__(self, margin: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self, 0)
        self._flow.setContentsMargins(margin, 0, margin, 0)
        self._tabs: list[QToolButton] = []
        self._wanted = 0  # pixels, with normal gaps
        self._is_close = False

    def add(self, tab: QToolButton) -> None:
        self._tabs.append(tab)
        self._flow.addWidget(tab)

    @override
    def event(self, event: QEvent) -> bool:
        answer = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return answer

    def _fit(self) -> None:
        margins = self._flow.contentsMargins()
        if not self._is_close:
            widths = sum(tab.sizeHint().width() for tab in self._tabs)
            self._wanted = widths + margins.left() + margins.right()
        is_close = self._wanted > self.width()
        if is_close != self._is_close:
            self._is_close = is_close
            for tab in self._tabs:
                restyle(tab, "close", is_close)
                tab.updateGeometry()


class Tabs(QWidget):
    changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = column(self, 0, 8)
        self.row = QHBoxLayout()
        self.row.setSpacing(4)
        self.row.addStretch(1)
        layout.addLayout(self.row)
        self.pages = QStackedWidget()
        layout.addWidget(self.pages, 1)
        self._late: dict[int, tuple[QWidget, Callable[[], QWidget]]] = {}
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.show_page)

    def add(self, name: str, page: QWidget) -> QToolButton:
        """Add a page at the end; return its tab."""
        tab = kind_button("tab", name)
        number = self.pages.addWidget(page)
        self._group.addButton(tab, number)
        self.row.insertWidget(number, tab)
        tab.setChecked(number == 0)
        return tab

    def add_late(self, name: str, make: Callable[[], QWidget]) -> QToolButton:
        """Add a page at the end that is made when it is first shown."""
        place = QWidget()
        tab = self.add(name, place)
        self._late[self.pages.indexOf(place)] = (place, make)
        return tab

    def show_page(self, number: int) -> None:
        if number in self._late:
            place, make = self._late.pop(number)
            self.pages.insertWidget(number, make())
            self.pages.removeWidget(place)
            place.deleteLater()
        self._group.button(number).setChecked(True)
        self.pages.setCurrentIndex(number)
        self.changed.emit(number)


# The share of the screen that a window may take.


FRAME = QMargins(8, 40, 8, 8)  # pixels for a frame and a title: those of systems are smaller


def screen_room(window: QWidget) -> QSize:
    """Return the size available to a window on its screen, without bars and the window's frame."""
    return window.screen().availableGeometry().marginsRemoved(FRAME).size()


# A splitter of the window: its handle is visible only under the pointer.
#
# Coloured by the palette: a style sheet would also apply to all its children.


class PlainHandle(QSplitterHandle):
    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self.underMouse():
            QPainter(self).fillRect(self.rect(), self.palette().highlight())

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.HoverEnter, QEvent.Type.HoverLeave):
            self.update()
        return super().event(event)


class PlainSplitter(QSplitter):
    """Places its parts beside each other."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setHandleWidth(1)

    @override
    def createHandle(self) -> QSplitterHandle:
        return PlainHandle(self.orientation(), self)


# Widths of a table's columns if the wanted widths do not all fit.


def given_way(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return widths that fit into ``room`` pixels, each between ``least`` and ``wanted``.

    Every column gives up the same share of what it can spare; if even the least widths do not fit,
    they are wider than ``room`` in total.
    """
    least = [min(pair) for pair in zip(wanted, least, strict=True)]
    spare = sum(wanted) - sum(least)
    share = min(1.0, max(0, sum(wanted) - room) / spare) if spare else 0.0
    return [most - math.ceil((most - few) * share) for most, few in zip(wanted, least, strict=True)]


# Keys of a list that has the focus, such as Del to delete and F2 to rename.


def call_with(view: QAbstractItemView, key: Qt.Key, act: Callable[[], object]) -> None:
    """Call ``act`` if ``key`` is pressed while the list has the focus."""
    view.installEventFilter(_ListKey(view, key, act))


class _ListKey(QObject):
    """Handles one key of a list; a shortcut would also fire while the list has no focus."""

    def __init__(self, view: QAbstractItemView, key: Qt.Key, act: Callable[[], object]) -> None:
        super().__init__(view)
        self._key = key
        self._act = act

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            is_plain = event.modifiers() in _PLAIN
            if event.key() == self._key and is_plain:
                self._act()
                return True
        return super().eventFilter(watched, event)


_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


# Closing a panel that covers other parts when the user turns to these.


class ClosesOutside(QObject):
    """Hides ``panel`` at a mouse press outside of it; the press still has its normal effect.

    A press on ``beside``, such as the button that opens the panel, does not close it. Focus changes
    are not enough: a button or a label that is pressed may not take the focus.
    """

    def __init__(self, panel: QWidget, beside: QWidget) -> None:
        super().__init__(panel)
        self._panel = panel
        self._parts = (panel, beside)
        self._watched: QWindow | None = None  # it receives a press before its children do
        panel.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._panel:
            is_press = event.type() == QEvent.Type.MouseButtonPress
            if isinstance(event, QMouseEvent) and is_press and self._is_outside(event.position()):
                self._panel.hide()
        elif event.type() == QEvent.Type.Show:
            self._watched = self._panel.window().windowHandle()
            self._watched.installEventFilter(self)
        elif event.type() == QEvent.Type.Hide and self._watched is not None:
            self._watched.removeEventFilter(self)
            self._watched = None
        return False

    def _is_outside(self, at: QPointF) -> bool:
        hit = self._panel.window().childAt(at.toPoint())
        return hit is None or not any(p is hit or p.isAncestorOf(hit) for p in self._parts)
