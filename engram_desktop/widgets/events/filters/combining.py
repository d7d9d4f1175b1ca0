"""How a click on a facet takes it in: by the keys held, or from a menu without any."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from engram_desktop.domain.memory.facets import Combining
from engram_desktop.viewmodels.events.facet_words import combining_names

_KEYS: tuple[tuple[Qt.KeyboardModifier, Combining], ...] = (
    (Qt.KeyboardModifier.AltModifier, "not"),
    (Qt.KeyboardModifier.ShiftModifier, "or"),
    (Qt.KeyboardModifier.ControlModifier, "and"),
)


def combining_held() -> Combining:
    """Say what the keys held now ask for."""
    held = QApplication.keyboardModifiers()
    return next((how for key, how in _KEYS if held & key), "alone")


def open_combining(parent: QWidget, at: QPoint, choose: Callable[[Combining], object]) -> None:
    """Offer the same without a key."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for how, text in combining_names().items():
        menu.addAction(text).triggered.connect(lambda _checked=False, h=how: choose(h))
    menu.popup(at)
