"""Files that macOS asks the program to open: it sends events, never arguments.

Installed there only: a filter in Python is run for every event of the program.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication
from typing_extensions import override


class OpenedFiles(QObject):
    """Keeps the files until there is a window to give them to."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._give: Callable[[list[Path]], object] | None = None
        self._waiting: list[Path] = []
        app.installEventFilter(self)

    def give_to(self, give: Callable[[list[Path]], object] | None) -> None:
        """Hand files to ``give`` from now on, those that wait first; None lets them wait."""
        self._give = give
        if give is not None and self._waiting:
            files, self._waiting = self._waiting, []
            give(files)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent) or not event.file():
            return False
        self._waiting.append(Path(event.file()))
        self.give_to(self._give)
        return True
