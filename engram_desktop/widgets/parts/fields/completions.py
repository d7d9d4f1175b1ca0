"""Names offered below a field while something is typed into it: any that hold what was typed.

The list is a window of its own, which no parent paints behind: it has a colour of its own.
"""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QObject, Qt
from PySide6.QtWidgets import QCompleter, QListView

MOST_OFFERED = 10  # rows seen at a time; the others scroll


class Completions(QCompleter):
    """Offers the rows of a model in `list`."""

    def __init__(self, model: QAbstractItemModel, parent: QObject) -> None:
        super().__init__(model, parent)
        self.list = QListView()
        self.list.setObjectName("completions")
        self.setPopup(self.list)  # which owns it from now on


def completions(model: QAbstractItemModel, parent: QObject) -> Completions:
    """Make what offers the rows of ``model``."""
    completer = Completions(model, parent)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setMaxVisibleItems(MOST_OFFERED)
    return completer
