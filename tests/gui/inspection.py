"""What is seen in a place of the window: texts, lost and overlapping parts, signals, names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import shiboken6
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QMetaMethod,
    QModelIndex,
    QObject,
    Qt,
    Signal,
)
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QSplitterHandle,
    QToolButton,
    QWidget,
)

from engram_desktop.viewmodels.workspace.live_query import LiveQuery, NewestAnswer
from engram_desktop.widgets.parts.cards import LiveCard
from engram_desktop.widgets.parts.fields.mixed_fields import FloorSlider
from engram_desktop.widgets.parts.fields.text_fields import LineField, WordChips
from engram_desktop.widgets.parts.layouts import TabRow
from engram_desktop.widgets.recall.lab_page import LabPage
from engram_desktop.widgets.recall.recall_page import RecallPage
from tests.gui.cut_texts import SLACK

DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
UNTIL_IT_IS_THERE = ("Planning…", "Checking…", "Comparing…")
OF_BUTTONS = ("clicked", "toggled", "pressed", "released")
OF_CHOICES = (
    *("activated", "currentIndexChanged", "currentTextChanged", "valueChanged"),
    *("editingFinished", "changed", "chosen"),
)


def plain(text: str) -> str:
    """Without the marks of keys."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def texts_of(widget: QWidget) -> Iterator[str]:
    for name in ("text", "title", "placeholderText", "specialValueText", "suffix", "prefix"):
        if callable(get := getattr(widget, name, None)):
            text = get()
            yield text if isinstance(text, str) else ""
    yield from (widget.toolTip(), widget.accessibleName(), widget.windowTitle())
    yield widget.accessibleDescription()
    for action in widget.actions():
        yield from (action.text(), action.toolTip())
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(row) for row in range(widget.count()))
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from cells(widget)


def cells(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    for column in range(columns):
        yield str(model.headerData(column, Qt.Orientation.Horizontal))
        for row in range(min(model.rowCount(QModelIndex()), 50)):
            yield str(model.index(row, column).data())


def has_listener(widget: QObject, *names: str) -> bool:
    return any(
        widget.isSignalConnected(QMetaMethod.fromSignal(getattr(widget, name)))
        for name in names
        if hasattr(widget, name)
    )


def own_signals(widget: QObject) -> Iterator[str]:
    """Signals that a class of the program declares, but for those of its fields."""
    for kind in type(widget).__mro__:
        if kind.__module__.startswith("engram_desktop.") and ".fields." not in kind.__module__:
            yield from (name for name, value in vars(kind).items() if isinstance(value, Signal))


def is_inner(widget: QWidget) -> bool:
    """Made by Qt inside of a widget of its own."""
    return widget.objectName().startswith("qt_") or isinstance(widget.parent(), QComboBox)


class Inspection:
    """What was seen in all places, and what is wrong there."""

    def __init__(self, *windows: QWidget) -> None:
        self.windows = windows
        self.texts: set[str] = set()
        self.lost: set[tuple[str, str]] = set()
        self.over: set[tuple[str, str, str, str]] = set()
        self.deaf: set[tuple[str, str, str]] = set()
        self.waiting: set[tuple[str, str]] = set()
        self.told: set[tuple[str, str, str]] = set()
        self.heard: set[tuple[str, str, str]] = set()
        self.nameless: set[tuple[str, str]] = set()

    def look(self, place: str, top: QWidget) -> None:
        # a text that came last has asked for room: let it have it
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        for widget in [top, *top.findChildren(QWidget)]:
            self.texts |= {plain(text) for text in texts_of(widget)}
            self._look_for_lost(widget)
            self._look_for_deaf(place, widget)
            if widget.isVisible():
                self._look_for_waiting(place, widget)
                self._look_for_overlaps(place, widget)
        self.nameless |= {(place, words) for words in nameless(top)}

    def read_menu(self, name: str, menu: QMenu) -> None:
        self.texts |= {plain(name)} | {plain(action.text()) for action in menu.actions()}

    def listen(self, models: QObject) -> None:
        """Note which signals of viewmodels somebody listens to."""
        for model in [models, *models.findChildren(QObject)]:
            if type(model).__module__.startswith("engram_desktop.viewmodels."):
                is_shared = isinstance(model, LiveQuery | NewestAnswer)
                owner = type(model.parent()).__name__ if is_shared else ""
                for name in own_signals(model):
                    signal = (type(model).__name__, name, owner)
                    self.told.add(signal)
                    self.heard |= {signal} if has_listener(model, name) else set()

    def _look_for_waiting(self, place: str, widget: QWidget) -> None:
        if isinstance(widget, QLabel) and widget.text() in UNTIL_IT_IS_THERE:
            self.waiting.add((place, widget.text()))

    def _look_for_lost(self, widget: QWidget) -> None:
        """Widgets that another one keeps, and that nobody put anywhere."""
        if type(widget).__module__.startswith("engram_desktop."):
            for name, part in vars(widget).items():
                is_kept = isinstance(part, QWidget) and part not in self.windows
                if is_kept and shiboken6.isValid(part) and part.parent() is None:
                    self.lost.add((type(widget).__name__, name))

    def _look_for_overlaps(self, place: str, widget: QWidget) -> None:
        parts = [
            part
            for part in widget.findChildren(QWidget, options=DIRECT)
            if part.isVisible() and not part.isWindow() and not isinstance(part, QSplitterHandle)
        ]
        for one, other in combinations(parts, 2):
            if one.geometry().intersects(other.geometry()):
                first, second = type(one).__name__, type(other).__name__
                self.over.add((place, type(widget).__name__, first, second))

    def _look_for_deaf(self, place: str, widget: QWidget) -> None:
        kind = type(widget).__name__
        for name in own_signals(widget):
            if not has_listener(widget, name):
                self.deaf.add((place, kind, name))
        if not is_inner(widget) and not is_heard(widget):
            self.deaf.add((place, kind, widget.accessibleName() or next(texts_of(widget))))


def around(widget: QWidget) -> Iterator[QWidget]:
    """What it lies in, up to its window."""
    outer = widget.parentWidget()
    while outer is not None:
        yield outer
        outer = outer.parentWidget()


def is_heard(widget: QWidget) -> bool:
    """Does something happen when somebody uses it?

    What is chosen in a dialog is read when it is accepted, on some pages when a question is asked.
    """
    is_read_later = isinstance(widget.window(), QDialog) or any(
        isinstance(part, RecallPage | LabPage) for part in around(widget)
    )
    match widget:
        case QAbstractButton():
            has_menu = isinstance(widget, QToolButton | QPushButton) and widget.menu() is not None
            is_one_of = widget.group() is not None
            is_read = is_read_later and widget.isCheckable()
            return is_read or has_menu or is_one_of or has_listener(widget, *OF_BUTTONS)
        case QComboBox() | QSpinBox():
            return is_read_later or has_listener(widget, *OF_CHOICES)
        case WordChips():
            return is_read_later or has_listener(widget, "changed")
        case LineField() if has_listener(widget, "rested", "left"):  # Enter saves it, too
            return has_listener(widget, "left") and has_listener(widget, "submitted")
    return True


# What is only drawn is also said: every button, field and list has a name.

PARTS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QPlainTextEdit, QSlider)


def named(widget):
    text = getattr(widget, "text", str)()
    return bool(spoken(widget) or text)


def nameless(top: QWidget) -> Iterator[str]:
    """What takes input and has no name, and icons that do not say on hover what they do."""
    for kind in PARTS:
        for widget in top.findChildren(kind):
            if widget.isVisible() and not named(widget) and not inner(widget):
                yield f"{type(widget.parent()).__name__}: a {kind.__name__} without a name"
    for line in top.findChildren(QLineEdit):
        has_name = spoken(line) or line.placeholderText()
        if line.isVisible() and not has_name and not inner(line):
            yield f"{type(line.parent()).__name__}: a line without a name"
    for button in top.findChildren(QAbstractButton):  # of an icon alone: told on hover
        if isinstance(button, LiveCard):
            continue  # its words stand on it
        if button.isVisible() and not (button.text() or button.toolTip()) and not inner(button):
            yield f"{button.accessibleName()}: says nothing on hover"


def spoken(widget):
    """The name that a screen reader is given: its own, or that of the label beside it."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def inner(widget):
    """Parts Qt makes inside other parts carry the outer one's name."""
    return (
        widget.objectName().startswith("qt_")
        or isinstance(widget, QHeaderView)
        or isinstance(widget.parent(), (QAbstractSpinBox, QComboBox, QLineEdit))
    )


def parted(top: QWidget) -> Iterator[str]:
    """Rows of tabs that take two lines, and sliders that stand elsewhere than their words."""
    for row in top.findChildren(TabRow):
        tabs = row.findChildren(QToolButton)
        if row.isVisible() and len({tab.y() for tab in tabs}) > 1:
            yield f"{tabs[0].text()}…: two lines"
    for slider in top.findChildren(FloorSlider):
        if slider.isVisible():
            middles = {part.geometry().center().y() for part in beside(slider)}
            if max(middles) - min(middles) > SLACK:
                yield f"{slider.accessibleName()}: not beside its words"


def beside(widget: QWidget) -> list[QWidget]:
    parent = widget.parentWidget()
    assert parent is not None
    return [part for part in parent.findChildren(QWidget, options=DIRECT) if part.isVisible()]
