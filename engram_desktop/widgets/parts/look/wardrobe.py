"""Puts the style sheet on the parts of a window: on what is seen, and on the rest when it is shown.

One sheet on the application costs 1.2 s at a change of theme, in one call of Qt that nothing can
cut: it styles every widget there is, most of them several times. A part costs 2 to 40 ms, and each
has a turn of the event loop of its own. Until the last has had its turn nothing is painted, so that
nobody sees a window half dark.
"""

from __future__ import annotations

import weakref

import shiboken6
from PySide6.QtCore import QEvent, QObject, QTimer, Slot
from PySide6.QtWidgets import QMainWindow, QWidget
from typing_extensions import override


class Wardrobe(QObject):
    """Knows the parts, and which sheet each wears."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._sheet = ""
        self._parts: weakref.WeakKeyDictionary[QWidget, str] = weakref.WeakKeyDictionary()
        self._waiting: list[QWidget] = []
        self._held: list[QWidget] = []  # windows that paint nothing until all have had their turn
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._dress_next)

    @property
    def is_busy(self) -> bool:
        """Whether parts that are seen wait for their turn."""
        return self._turn.isActive()

    def add(self, part: QWidget) -> None:
        """Let a part of a window, and all that is in it, wear the sheet from when it is shown."""
        self._parts[part] = ""
        part.installEventFilter(self)
        if part.isVisible():
            self.dress(part)

    @Slot(object)
    def meet(self, window: QWidget) -> None:
        """Dress a window that Qt is about to show first, unless it is part of a dressed one."""
        above: QWidget | None = window
        while above is not None:
            if above in self._parts:
                return
            above = above.parentWidget()
        if not isinstance(window, QMainWindow) and not window.inherits("QTipLabel"):
            self._parts[window] = ""
            window.installEventFilter(self)
            self.dress(window)

    def dress(self, part: QWidget) -> bool:
        """Put the sheet on a part. False if it wears it already."""
        if self._parts.get(part) == self._sheet:
            return False
        self._parts[part] = self._sheet
        part.setStyleSheet(self._sheet)
        return True

    def dress_one_of(self, window: QWidget) -> bool:
        """Put the sheet on a part of ``window`` that waits for it. False if none does."""
        return any(self.dress(part) for part in self._living() if part.window() is window)

    def change(self, sheet: str) -> None:
        """Let every part wear another sheet: what is seen soon, the rest when it is shown."""
        self._sheet = sheet
        self._waiting = [p for p in self._living() if p.isVisible()]
        for window in {p.window() for p in self._waiting}:
            if window.updatesEnabled():
                window.setUpdatesEnabled(False)
                self._held.append(window)
        if self._waiting:
            self._turn.start()

    def forget(self) -> None:
        """Watch no part any more, so that freeing widgets calls no Python."""
        self._turn.stop()
        self._release()
        for part in self._living():
            part.removeEventFilter(self)
        self._parts.clear()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            self.dress(watched)
        return False

    def _living(self) -> list[QWidget]:
        return [part for part in list(self._parts) if shiboken6.isValid(part)]

    @Slot()
    def _dress_next(self) -> None:
        while self._waiting:
            part = self._waiting.pop(0)
            if shiboken6.isValid(part) and self.dress(part):
                return
        self._turn.stop()
        self._release()

    def _release(self) -> None:
        held, self._held = self._held, []
        for window in held:
            if shiboken6.isValid(window):
                window.setUpdatesEnabled(True)
