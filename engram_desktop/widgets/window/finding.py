"""What is opened by a key to go somewhere: the search over the library."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings, Signal, Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.viewmodels.pages import Pages
from engram_desktop.viewmodels.search.library_finder import LibraryFinder
from engram_desktop.viewmodels.search.remembered import Remembered
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.search.quick_panel import QuickPanel


class Finding(QObject):
    """The panel of one window, and what may be found in it."""

    chat_opened = Signal()  # its page is to be shown

    def __init__(
        self, look: Look, workspace: Workspace, models: Pages, memo: QSettings, window: QWidget
    ) -> None:
        super().__init__(window)
        self.remembered = Remembered(memo, self)
        self.panel = QuickPanel(look, window)
        models.opener.chat_opened.connect(self.chat_opened)
        self.library = LibraryFinder(workspace, models.opener, self.remembered, self)

    @Slot()
    def search(self) -> None:
        """Open the search over the library, or close it."""
        self.panel.show_finder(self.library, self.tr("Search everything"))
