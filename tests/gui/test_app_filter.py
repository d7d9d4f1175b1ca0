"""The filter of the whole program: there while a window is, taken off before it is freed."""

from __future__ import annotations

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from engram_desktop.widgets.parts.look import AppFilter

MARKUP = "<b>月光</b>"


def tip_of(widget):
    QToolTip.hideText()
    at = widget.mapToGlobal(QPoint(2, 2))
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), at))
    return QToolTip.text()


def test_closing_takes_the_filter_off(qtbot, desktop):
    widget = QLabel("x")
    qtbot.addWidget(widget)
    widget.setToolTip(MARKUP)
    widget.show()
    assert "&lt;b&gt;月光" in tip_of(widget)
    desktop.look.stop_watching()
    assert tip_of(widget) == MARKUP, "the filter is gone"
    QToolTip.hideText()


def test_what_qt_makes_by_itself_has_its_python_class_before_the_filter_is_installed(qtbot):
    AppFilter()
    made = {name for module in (QtCore, QtGui, QtWidgets) for name in vars(module)}
    assert {"QScrollBar", "QCommonStyle", "QProxyStyle", "QHelpEvent", "QWindow"} <= made
