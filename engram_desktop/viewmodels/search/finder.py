"""What the panel that is typed into is asked: a list of rows for a text, and what a row does."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QObject, Signal

from engram_desktop.viewmodels.search.quick_rows import QuickRow, QuickRows


class Finder(QObject):
    """Subclasses fill `rows` for what is typed, at once or later."""

    shown = Signal()  # there are other rows now
    said = Signal(str)  # a line below them
    text_wanted = Signal(str)  # in place of what is typed

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows = QuickRows(self)

    @property
    def is_searching(self) -> bool:
        """Whether other rows are about to be shown."""
        return False

    @abstractmethod
    def ask(self, text: str) -> None:
        """Show the rows for what is typed; nothing typed shows what was chosen last."""

    @abstractmethod
    def open(self, row: QuickRow) -> bool:
        """Go where a row leads; returns whether the panel is done with."""

    def forget(self, row: QuickRow) -> None:
        """Take a row out of what is kept."""

    def leave(self) -> None:
        """Stop what is under way: the panel was closed."""
