"""Commands of the window, and the panel in which they are found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from PySide6.QtCore import QCoreApplication, QObject, QSettings, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.pages import Pages
from engram_desktop.viewmodels.search.finders import Command, CommandFinder, PlaceFinder, Remembered
from engram_desktop.viewmodels.search.key_map import KeyMap
from engram_desktop.viewmodels.search.library_finder import (
    LibraryFinder,
    SavedFilters,
    SavedSearches,
)
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets import logs
from engram_desktop.widgets.events import editor_panel
from engram_desktop.widgets.graph import entity_panel
from engram_desktop.widgets.parts.layouts import ClosesOutside
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.reading import reading_page
from engram_desktop.widgets.search import PinnedSearches, QuickPanel
from engram_desktop.widgets.window.opener import Dialogs
from engram_desktop.widgets.window.page_stack import PAGES, PageStack
from engram_desktop.widgets.worldbooks import worldbook_page

# The actions of the window that have keys, in the order of the page of keys.


_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action. ``text`` is translated in the context "Commands"; ``keys`` are the defaults."""

    name: str
    text: str
    icon: str
    keys: tuple[str, ...]


ACTIONS = (
    ActionSpec("search", _T("Commands", "Search everything"), "search", ("Ctrl+K",)),
    ActionSpec("commands", _T("Commands", "All commands"), "tasks", ("Ctrl+P",)),
    ActionSpec("places", _T("Commands", "Go to a chat, branch or entity"), "right", ("Ctrl+O",)),
    ActionSpec("find", _T("Commands", "Search this page"), "search", ("Ctrl+F",)),
    ActionSpec("new", _T("Commands", "Begin a chat…"), "talk", ("Ctrl+N",)),
    ActionSpec("import", _T("Commands", "Import…"), "import", ("Ctrl+Shift+O",)),
    ActionSpec("undo", _T("Commands", "Undo"), "undo", ("Ctrl+Z",)),
    ActionSpec("redo", _T("Commands", "Redo"), "redo", ("Ctrl+Y", "Ctrl+Shift+Z")),
    ActionSpec("history", _T("Commands", "History…"), "clock", ("Ctrl+H",)),
    ActionSpec("save", _T("Commands", "Save what is being typed"), "check", ("Ctrl+S",)),
    ActionSpec("edit", _T("Commands", "Edit or rename"), "edit", ("F2",)),
    ActionSpec(
        "people", _T("Commands", "Who was there: events and persons"), "people", ("Ctrl+Shift+W",)
    ),
    ActionSpec("days", _T("Commands", "Days of the story"), "calendar", ("Ctrl+Shift+D",)),
    ActionSpec("panel", _T("Commands", "Show or hide the panel beside the page"), "panel", ()),
    ActionSpec("settings", _T("Commands", "Settings"), "settings", ("Ctrl+,",)),
    ActionSpec("keys", _T("Commands", "Keys…"), "key", ("Ctrl+Shift+K",)),
    ActionSpec("guide", _T("Commands", "First steps…"), "place", ()),
    ActionSpec("help", _T("Commands", "Help: the guide"), "help", ("F1",)),
    ActionSpec("about", _T("Commands", "About Engram"), "info", ()),
    ActionSpec("safe mode", _T("Commands", "Restart in safe mode, or leave it"), "refresh", ()),
    ActionSpec("full screen", _T("Commands", "Full screen"), "fit", ("F11",)),
    ActionSpec("quit", _T("Commands", "Quit"), "close", ("Ctrl+Q",)),
)
# Dialogs that can be opened at any time, by the names of their openers.
DIALOGS: dict[str, tuple[str, str]] = {
    "texts": (_T("Commands", "Scripts and prompts"), "invert"),
    "usage": (_T("Commands", "What models cost"), "state"),
    "requests": (_T("Commands", "Requests to models"), "recall"),
    "changelog": (_T("Commands", "What changed"), "info"),
    "notices": (_T("Commands", "Third-party notices"), "info"),
    "tavern": (_T("Commands", "SillyTavern folder"), "folder"),
    "health": (_T("Commands", "Library health"), "health"),
    "restore": (_T("Commands", "Bring a backup back…"), "backup"),
    "characters": (_T("Commands", "Characters"), "talk"),
    "volumes": (_T("Commands", "Volumes: go on in a new chat…"), "books"),
    "trash": (_T("Commands", "Deleted chats"), "trash"),
    "messages": (_T("Commands", "What was said"), "info"),
}
# Actions that need a chat.
CHAT_DIALOGS: dict[str, tuple[str, str]] = {
    "consolidate": (_T("Commands", "Consolidate memory…"), "archive"),
    "summarise": (_T("Commands", "Summarise…"), "summarise"),
    "trim": (_T("Commands", "Trim: merge old events into outlines"), "trim"),
    "review": (_T("Commands", "Look through drafts…"), "eye"),
    "failures": (_T("Commands", "What could not be summarised"), "warning"),
    "branches": (_T("Commands", "Branches: fork, compare, roll back…"), "branch"),
    "add": (_T("Commands", "Write an event or a fact…"), "plus"),
    "bin": (_T("Commands", "Deleted events…"), "trash"),
    "replace": (_T("Commands", "Find and replace in events…"), "replace"),
    "duplicates": (_T("Commands", "Events that say the same…"), "copy"),
    "log": (_T("Commands", "Write a private log…"), "logs"),
    "reflect": (_T("Commands", "Look back…"), "clock"),
    "state": (_T("Commands", "Set a value of the state…"), "state"),
    "secrets": (_T("Commands", "What only some know"), "eye"),
    "groups": (_T("Commands", "Groups: who is of them, and when…"), "people"),
    "folder": (_T("Commands", "Markdown folder of this chat…"), "folder"),
    "export": (_T("Commands", "Export this chat's memory…"), "export"),
    "rename_chat": (_T("Commands", "Rename this chat…"), "edit"),
}
# Actions of the openers on a selected item.
ON_SOMETHING_CHOSEN = frozenset(
    {
        "make_volume",
        *("about", "settings", "keys", "history", "play_start"),  # actions of their own, see above
        *("scripts", "steps", "redo", "merge", "add_relation", "reword", "end", "source"),
        *("adopt", "memories", "rename_worldbook", "merge_worldbook"),
        *("sort_entries", "large_entry", "head_entries", "rename_heading", "help"),
        *("bodies", "entity", "import", "report", "split", "who", "passage_relation"),
    }
)


# The commands of the palette: collected from the window when the palette opens.


_HIDDEN = ("commands",)  # already open


def _words(text: str, context: str = "Commands") -> str:
    return QCoreApplication.translate(context, text)


def window_commands(
    keys: KeyMap, stack: PageStack, dialogs: Dialogs, *, has_chat: bool
) -> Iterator[Command]:
    """Yield the commands available in a window now: actions, dialogs, buttons of the page."""
    yield from _action_commands(keys)
    yield from _dialog_commands(dialogs, has_chat=has_chat)
    title = _words(stack.shown.title, "TopBar")
    yield from _tool_commands(stack.current, stack.shown.name, title)


def _action_commands(keys: KeyMap) -> Iterator[Command]:
    """Yield the actions, which have keys or can be given some."""
    icons = {f"page.{spec.name}": spec.icon for spec in PAGES}
    for bound in keys.bound:
        action = bound.pressed
        if bound.name in _HIDDEN or not action.isEnabled():
            continue
        is_page = bound.name in icons
        name = _words(bound.text, "TopBar") if is_page else bound.words
        page = QCoreApplication.translate("Commands", "Page: {name}")
        run = action.trigger if isinstance(action, QAction) else action.activated.emit
        yield Command(
            bound.name,
            page.format(name=name) if is_page else name,
            run,
            icons.get(bound.name, str(action.property("icon name") or "right")),
            keys.words(bound.name),
            bound.text,
        )


def _dialog_commands(dialogs: Dialogs, *, has_chat: bool) -> Iterator[Command]:
    """Yield the dialogs that can be opened now."""
    offered = DIALOGS | (CHAT_DIALOGS if has_chat else {})
    for name, (text, icon) in offered.items():
        yield Command(f"dialog.{name}", _words(text), dialogs.opener(name), icon, other=text)


def _tool_commands(page: QWidget, name: str, title: str) -> Iterator[Command]:
    """Yield the enabled buttons of a page, by their texts."""
    said: set[str] = set()
    for button in page.findChildren(QAbstractButton):
        text = _said(button)
        if not text or text in said or not button.isVisible() or not button.isEnabled():
            continue
        said.add(text)
        yield Command(f"{name}.{text}", text, button.click, group=title)


def _said(button: QAbstractButton) -> str:
    """Return a button's text as a command; empty for a button that is a part of another widget."""
    is_menu = isinstance(button, QToolButton) and button.menu() is not None
    if not isinstance(button, QPushButton | QToolButton) or is_menu or button.isCheckable():
        return ""
    if button.objectName().startswith("qt_") or isinstance(button.parent(), QLineEdit):
        return ""
    text = button.toolTip() if not button.text() else button.text().replace("&&", "&")
    return " ".join(text.split())


# The function of the edit key on each page.


IN_THE_PANEL = ("events", "graph", "logs")  # pages whose panel must be visible for it


def edit(stack: PageStack, dialogs: Dialogs) -> None:
    """Edit or rename the selected item of the page."""
    match stack.shown.name:
        case "events":
            stack.panel_as("events", editor_panel.EditorPanel).edit_summary()
        case "graph":
            stack.panel_as("graph", entity_panel.EntityPanel).edit_by_key()
        case "logs":
            stack.panel_as("logs", logs.LogPanel).edit_by_key()
        case "books":
            page = stack.page_as("books", worldbook_page.WorldbookPage)
            if not page.edit_current():
                dialogs.books.open_rename_worldbook()
        case "reading":
            stack.page_as("reading", reading_page.ReadingPage).edit_current()


# Opened by keys: the search, the command palette, the quick switcher.


class QuickFinding(QObject):
    """The panel of one window, and its finders."""

    chat_opened = Signal()  # the page of the chat is to be shown
    commands_wanted = Signal()  # `take_commands` answers

    def __init__(
        self, look: Look, workspace: Workspace, models: Pages, memo: QSettings, window: QWidget
    ) -> None:
        super().__init__(window)
        self._look, self._space, self._models, self._window = look, workspace, models, window
        self.opened_by: QWidget | None = None  # a button, which closes the panel too
        self.remembered = Remembered(memo, self)
        models.opener.chat_opened.connect(self.chat_opened)
        self.keys = KeyMap(self.remembered, self)
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

    @cached_property
    def panel(self) -> QuickPanel:
        """Return the panel, made at the first use or ahead of it."""
        with self._look.unwatched():
            made = QuickPanel(self._look, self._window)
            self._look.clothe(made)
            ClosesOutside(made, self.opened_by or made)
        return made

    @cached_property
    def library(self) -> LibraryFinder:
        return LibraryFinder(self._space, self._models.opener, self.remembered, self)

    def make_next(self) -> bool:
        """Make the panel, or style it. Return False if both is done."""
        is_made = "panel" in vars(self)
        return self._look.style_before_shown(self.panel) or not is_made

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
        """Set the commands that the palette offers."""
        self.commands.offer(commands)

    @Slot()
    def show_places(self) -> None:
        """Open the quick switcher, or close it."""
        self.panel.show_finder(self.places, self.tr("Go to a chat, a branch or an entity"))
