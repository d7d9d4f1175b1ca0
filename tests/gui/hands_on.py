"""How a place of the window answers to the keyboard, to a screen reader and to the wheel."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QRadioButton,
    QScrollBar,
    QTabBar,
    QWidget,
)

from engram_desktop.widgets.parts.cards import LiveCard
from engram_desktop.widgets.parts.layouts import Tabs

TAB = Qt.FocusPolicy.TabFocus
SLACK = 2  # pixels: sizes are rounded


def is_inner(widget):
    """Made by Qt inside of a field, whose name and keys are the field's."""
    return widget.objectName().startswith("qt_") or isinstance(
        widget.parent(), QAbstractSpinBox | QComboBox | QLineEdit
    )


def takes_tab(widget):
    return (
        widget.isVisible()
        and widget.isEnabled()
        and bool(widget.focusPolicy() & TAB)
        and not is_inner(widget)
    )


def spoken(widget):
    """What a screen reader says of it: its name, else what a button or a field shows."""
    face = QAccessible.queryAccessibleInterface(widget)
    shown = (getattr(widget, name, str)() for name in ("text", "placeholderText"))
    return face.text(QAccessible.Text.Name) or next((text for text in shown if text), "")


def words(place, widget):
    owner = type(widget.parentWidget()).__name__
    return (place.split(",")[0], owner, type(widget).__name__, spoken(widget)[:40])


def tab_chain(top):
    """What Tab goes through, in order."""
    found, widget = [], top.nextInFocusChain()
    while widget is not top and widget is not None:
        if top.isAncestorOf(widget) and takes_tab(widget):
            found.append(widget)
        widget = widget.nextInFocusChain()
    return found


def goes_back(one, other):
    """Whether Tab goes up, or to the left, between two parts of the same panel."""
    first, second = one.geometry(), other.geometry()
    is_beside = second.top() < first.bottom() - SLACK and first.top() < second.bottom() - SLACK
    is_left = second.right() <= first.left() + SLACK
    is_above = second.bottom() <= first.top() + SLACK
    is_next_column = second.left() >= first.right() - SLACK
    return (is_beside and is_left) or (is_above and not is_next_column)


# What looks as if it could be pressed says to a screen reader what it is.
PRESSED = {
    QAccessible.Role.Button,
    QAccessible.Role.ButtonMenu,
    QAccessible.Role.ButtonDropDown,
    QAccessible.Role.CheckBox,
    QAccessible.Role.RadioButton,
    QAccessible.Role.PageTab,
    QAccessible.Role.Link,
    QAccessible.Role.ListItem,
}


def is_pressed(widget):
    """A card, or anything else over which the pointer is a hand."""
    is_hand = widget.testAttribute(Qt.WidgetAttribute.WA_SetCursor)
    is_hand = is_hand and widget.cursor().shape() == Qt.CursorShape.PointingHandCursor
    return isinstance(widget, LiveCard) or is_hand


def not_said(place, top, seen=None):
    """What looks as if it could be pressed and has no such role, no name, or no way by Tab."""
    for part in top.findChildren(QWidget):
        if part.isVisible() and is_pressed(part):
            if seen is not None:
                seen.add(type(part))
            role = QAccessible.queryAccessibleInterface(part).role()
            if role not in PRESSED or not spoken(part) or not is_reached(part):
                yield (role, *words(place, part))


def kinds_of_cards(kind=LiveCard):
    """Every class of cards that the program has."""
    return {kind, *(k for sub in kind.__subclasses__() for k in kinds_of_cards(sub))} - {LiveCard}


def is_reached(button):
    """By Tab, or with the arrow keys from the one of its row that Tab reaches."""
    if button.focusPolicy() & TAB or isinstance(button, QRadioButton):
        return True
    group = button.group() if isinstance(button, QAbstractButton) else None
    if group is not None and group.exclusive():  # Qt leaves Tab to the chosen one that had focus
        return any(one.focusPolicy() & TAB for one in group.buttons())
    return isinstance(button.parentWidget(), Tabs)


class Keyboard:
    """What was reached in all places, and what cannot be."""

    def __init__(self) -> None:
        self.count = 0
        self.nameless: set[tuple[str, ...]] = set()
        self.out_of_reach: set[tuple[str, ...]] = set()
        self.out_of_order: set[tuple[tuple[str, ...], ...]] = set()
        self.not_pressed: set[tuple[object, ...]] = set()

    def look(self, place: str, top: QWidget) -> None:
        chain = tab_chain(top)
        self.count += len(chain)
        self.nameless |= {words(place, widget) for widget in chain if not spoken(widget)}
        for button in top.findChildren(QAbstractButton):
            if button.isVisible() and button.isEnabled() and not is_inner(button):
                self.out_of_reach |= set() if is_reached(button) else {words(place, button)}
        self.not_pressed |= set(not_said(place, top))
        panels: dict[QWidget, list[QWidget]] = {}
        for widget in chain:
            panels.setdefault(widget.parentWidget(), []).append(widget)
        for parts in panels.values():
            self.out_of_order |= {
                (words(place, one), words(place, other))
                for one, other in pairwise(parts)
                if goes_back(one, other)
            }


# The wheel scrolls the page; it changes a value only where the field has the focus.

TURNED = (QAbstractSlider, QAbstractSpinBox, QComboBox, QTabBar)


def turn(widget, steps=-1):
    """Turn the wheel over the middle of a widget; True if anybody took it."""
    at = widget.rect().center()
    event = QWheelEvent(
        QPointF(at),
        QPointF(widget.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def value(widget):
    for name in ("value", "currentIndex", "text"):
        if hasattr(widget, name):
            return getattr(widget, name)()
    return None


class Wheel:
    """Turned over every field that is not in use: how many, and those that it changed."""

    def __init__(self) -> None:
        self.turned = 0
        self.takes_focus: set[tuple[str, str]] = set()
        self.changed: set[tuple[str, str]] = set()

    def turn_over(self, place: str, top: QWidget) -> None:
        top.setFocus()
        for field in top.findChildren(QWidget):
            if not isinstance(field, TURNED) or isinstance(field, QScrollBar):
                continue
            if not field.isVisible():
                continue
            if field.focusPolicy() == Qt.FocusPolicy.WheelFocus:
                self.takes_focus.add((place, field.accessibleName()))
            if field.hasFocus():
                field.clearFocus()
            before = value(field)
            for steps in (-1, 1, 1):
                turn(field, steps)
                if value(field) != before:
                    self.changed.add((place, field.accessibleName()))
            self.turned += 1
