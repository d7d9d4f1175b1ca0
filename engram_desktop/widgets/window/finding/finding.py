"""What is opened by a key to go somewhere: the search, the command palette, the switcher."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QSettings, Signal, Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.viewmodels.pages import Pages
from engram_desktop.viewmodels.search.command_finder import Command, CommandFinder
from engram_desktop.viewmodels.search.key_map import KeyMap
from engram_desktop.viewmodels.search.library_finder import LibraryFinder
from engram_desktop.viewmodels.search.place_finder import PlaceFinder
from engram_desktop.viewmodels.search.remembered import Remembered
from engram_desktop.viewmodels.search.saved_filters import SavedFilters
from engram_desktop.viewmodels.search.saved_searches import SavedSearches
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.search.pinned_searches import PinnedSearches
from engram_desktop.widgets.search.quick_panel import QuickPanel


class Finding(QObject):
    """The panel of one window, and what may be found in it."""

    chat_opened = Signal()  # its page is to be shown
    commands_wanted = Signal()  # `take_commands` answers

    def __init__(
        self, look: Look, workspace: Workspace, models: Pages, memo: QSettings, window: QWidget
    ) -> None:
        super().__init__(window)
        self.remembered = Remembered(memo, self)
        self.panel = QuickPanel(look, window)
        models.opener.chat_opened.connect(self.chat_opened)
        self.keys = KeyMap(self.remembered, self)
        self.library = LibraryFinder(workspace, models.opener, self.remembered, self)
        searches = SavedSearches(self.remembered, workspace.messages, self)
        self.pinned = PinnedSearches(look, searches, window)
        self.pinned.opened.connect(self.search_for)
        self.filters = SavedFilters(self.remembered, workspace.messages, self)
        self.pinned_filters = PinnedSearches(
            look, self.filters, window, title=self.tr("Filters of events"), icon="bookmark"
        )
        self.commands = CommandFinder(self.remembered, self)
        lists = (models.chats, models.branches)
        self.places = PlaceFinder(workspace, lists, models.opener, self.remembered, self)

    @Slot()
    def search(self) -> None:
        """Open the search over the library, or close it."""
        self.panel.show_finder(self.library, self.tr("Search everything"))

    @Slot(str)
    def search_for(self, text: str) -> None:
        """Open the search on a text."""
        if not self.panel.isVisible():
            self.search()
        self.panel.field.setText(text)

    @Slot()
    def show_commands(self) -> None:
        """Open the command palette, or close it."""
        self.commands_wanted.emit()
        self.panel.show_finder(self.commands, self.tr("Type what you want to do"))

    def take_commands(self, commands: Sequence[Command]) -> None:
        """Let the palette offer these."""
        self.commands.offer(commands)

    @Slot()
    def show_places(self) -> None:
        """Open the quick switcher, or close it."""
        self.panel.show_finder(self.places, self.tr("Go to a chat, a branch or an entity"))
