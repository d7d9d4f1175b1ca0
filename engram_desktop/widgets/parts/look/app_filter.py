"""An event filter for every widget: tooltips are plain text, the wheel changes only focused fields.

Qt takes a tooltip that looks like markup for HTML and opens the files it names, so that a story
could make a window read a device for ever. This filter shows every tooltip of the program,
also those of widgets and delegates that will be written later: Qt's own code is never reached.
"""

from __future__ import annotations

import html
from typing import Protocol, runtime_checkable

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QGraphicsView,
    QHeaderView,
    QScrollBar,
    QTabBar,
    QToolTip,
    QWidget,
)
from typing_extensions import override

# classes that change a value when the wheel turns over them; a scroll bar is made for that
TURNED_BY_WHEEL = (QAbstractSlider, QAbstractSpinBox, QComboBox, QTabBar)
# What Qt makes by itself and a filter of the whole program is handed: PySide makes the Python class
# of each when it is first met. Met by the filter, that happens in the middle of whatever Qt is
# doing, and other programs ended in a segmentation fault there. What our own modules import is
# made by that.
_MADE_BY_QT = {
    QtCore: "QAbstractItemModel QChildEvent QDynamicPropertyChangeEvent QEventLoop"
    " QItemSelectionModel QPropertyAnimation QThread QTimer QTimerEvent",
    QtGui: "QAbstractTextDocumentLayout QStandardItemModel QStyleHints QTextDocument QWindow",
    QtWidgets: "QAbstractItemDelegate QCommonStyle QHeaderView QLabel QLineEdit QListView QMenu"
    " QProxyStyle QScrollBar QSplitterHandle QStyledItemDelegate QToolButton",
}
_TOOL_TIP, _WHEEL = QEvent.Type.ToolTip, QEvent.Type.Wheel
_POLISH, _SHOW = QEvent.Type.Polish, QEvent.Type.Show


@runtime_checkable
class TipSource(Protocol):
    """A widget whose tooltip depends on the place in it."""

    def tip_at(self, at: QPoint) -> str: ...


def as_markup(text: str) -> str:
    """Return markup that shows ``text`` as it stands, whatever markup it holds.

    A paragraph, because only text that Qt takes for markup is wrapped at the edge of the screen.
    """
    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>' if text else ""


class AppFilter(QObject):
    """Installed once, on the application; taken off again before the window is freed."""

    opened = Signal(object)  # QWidget: a window that is about to be shown

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        for module, names in _MADE_BY_QT.items():
            for name in names.split():
                getattr(module, name)
        for name in dir(QtGui):
            if name.endswith("Event"):
                getattr(QtGui, name)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == _TOOL_TIP and isinstance(event, QHelpEvent) and isinstance(watched, QWidget):
            text, area = _tip(watched, event.pos())
            event.setAccepted(bool(text))  # ignored, it is the parent's turn
            if text:
                wait = watched.toolTipDuration()
                QToolTip.showText(event.globalPos(), as_markup(text), watched, area, wait)
            return True
        if kind == _WHEEL and isinstance(event, QWheelEvent):
            if _is_turned(watched) and not watched.hasFocus():  # type: ignore[attr-defined]
                event.ignore()  # it is the turn of the scroll area around it
                return True
        elif kind == _POLISH and isinstance(watched, QWidget):
            if _is_turned(watched):
                _leave_focus(watched)
            elif _is_opened(watched):
                self.opened.emit(watched)
        elif kind == _SHOW and isinstance(watched, QWidget) and watched.isWindow():
            self.opened.emit(watched)
        return False


def _leave_focus(field: QWidget) -> None:
    """Let a field have the focus by a click or Tab, never by the wheel."""
    if field.focusPolicy() == Qt.FocusPolicy.WheelFocus:
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def _is_opened(widget: QWidget) -> bool:
    """Whether it opens over a window; a part without a parent is only being built."""
    if not widget.isWindow() or widget.windowType() == Qt.WindowType.Window:
        return False
    parent = widget.parentWidget()
    return parent is None or parent.window().isVisible()


def _is_turned(watched: QObject) -> bool:
    return isinstance(watched, TURNED_BY_WHEEL) and not isinstance(watched, QScrollBar)


def _tip(widget: QWidget, at: QPoint) -> tuple[str, QRect]:
    """Return the tooltip at a place of a widget, and for which part of it that holds."""
    if isinstance(widget, TipSource):
        return widget.tip_at(at), QRect()
    view = widget.parentWidget()
    if isinstance(view, QAbstractItemView) and view.viewport() is widget:
        return _tip_of_item(view, at)
    if isinstance(view, QGraphicsView) and view.viewport() is widget:
        return next((i.toolTip() for i in view.items(at) if i.toolTip()), ""), QRect()
    if isinstance(widget, QTabBar):
        tab = widget.tabAt(at)
        return (widget.tabToolTip(tab) if tab >= 0 else ""), widget.tabRect(tab)
    return widget.toolTip(), QRect()


def _tip_of_item(view: QAbstractItemView, at: QPoint) -> tuple[str, QRect]:
    role = Qt.ItemDataRole.ToolTipRole
    if isinstance(view, TipSource):
        return view.tip_at(at), view.visualRect(view.indexAt(at))
    if isinstance(view, QHeaderView):
        section = view.logicalIndexAt(at)
        model = view.model()
        tip = model.headerData(section, view.orientation(), role) if section >= 0 else None
        return str(tip or ""), QRect()
    index = view.indexAt(at)
    return (
        (str(index.data(role) or ""), view.visualRect(index)) if index.isValid() else ("", QRect())
    )
