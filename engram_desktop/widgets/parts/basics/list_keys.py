"""Keys of a list that has the focus: Del deletes, F2 renames, as a hand expects."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView
from typing_extensions import override


def call_with(view: QAbstractItemView, key: Qt.Key, act: Callable[[], object]) -> None:
    """Let ``key`` do something while the list has the focus."""
    view.installEventFilter(_ListKey(view, key, act))


class _ListKey(QObject):
    """Takes one key; a shortcut would also take it where nobody looks at the list."""

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
