"""The main window: it makes the parts and connects them; viewmodels hold their logic.

The module also holds the first steps in place of the page, and the storing of the window's position
and sizes, limited to the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QChildEvent, QObject, QSettings, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QFileDialog,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.memory.event import EventCounts
from engram_desktop.viewmodels.pages import Pages
from engram_desktop.viewmodels.workspace.messages import JobList
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets import guide, welcome
from engram_desktop.widgets.events import editor_panel
from engram_desktop.widgets.events.event_page import EventPage
from engram_desktop.widgets.parts.dialogs import KeptSizes, show_undo
from engram_desktop.widgets.parts.layouts import PlainSplitter, screen_room
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import PageParts
from engram_desktop.widgets.recall import recall_page
from engram_desktop.widgets.window import commands, top_bar
from engram_desktop.widgets.window.commands import ACTIONS, ActionSpec, QuickFinding
from engram_desktop.widgets.window.dropped_files import DropSign, files_in, take
from engram_desktop.widgets.window.foot_bar import FootBar, TaskPanel
from engram_desktop.widgets.window.message_bar import MessageBar, SafeStrip, ViewpointStrip
from engram_desktop.widgets.window.opener import Dialogs
from engram_desktop.widgets.window.page_stack import BY_NAME, PAGES, START, PageSpec, PageStack
from engram_desktop.widgets.window.sidebar import Sidebar
from engram_desktop.widgets.window.top_bar import LibraryMenu, TopBar
from engram_desktop.widgets.worldbooks import worldbook_page


class GuidePlace(QObject):
    """The place of the first steps. ``page`` exists while they are shown, and is made each time."""

    changed = Signal()  # the first steps were opened or closed
    library_wanted = Signal(object)  # Path

    def __init__(
        self,
        look: Look,
        models: Pages,
        dialogs: Dialogs,
        library: Path,
        stack: QStackedWidget,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._models = models
        self._dialogs = dialogs
        self._library = library
        self._stack = stack
        self.page: guide.GuidePage | None = None

    @Slot()
    def open(self, step: int = 0) -> None:
        """Show the first steps, from ``step`` on."""
        if self.page is None:
            page = self.page = guide.GuidePage(
                self._look, self._models.guide, self._library, self._stack
            )
            self._stack.addWidget(page)
            self._look.clothe(page)
            page.finished.connect(self.leave)
            page.library_wanted.connect(self._begin_library)
            page.tavern_step.choose_wanted.connect(self._dialogs.open_tavern)
            page.model_step.presets_wanted.connect(partial(self._dialogs.open_settings, "llm"))
        self.page.show_step(step)
        self.changed.emit()
        self.page.begin()

    @Slot()
    def leave(self) -> None:
        """Leave the first steps: show the welcome page or the chat."""
        if self.page is not None:
            self.drop()
            self.changed.emit()
            self._stack.setFocus()  # else the first widget of the window has it, with a ring

    def drop(self) -> None:
        """Remove the first steps, as another page is shown."""
        page, self.page = self.page, None
        if page is not None:
            self._stack.removeWidget(page)
            page.deleteLater()

    @Slot(object)
    def _begin_library(self, folder: Path) -> None:
        self.library_wanted.emit(top_bar.begun_in(folder))


class WindowPlace:
    """``splitters`` are the window's splitters, by the name under which their sizes are stored."""

    def __init__(self, window: QWidget, memo: QSettings, splitters: dict[str, QSplitter]) -> None:
        self._window = window
        self._memo = memo
        self._splitters = splitters

    def remember(self, values: dict[str, object]) -> None:
        """Store the position, the sizes, and ``values`` with them."""
        self._memo.setValue("geometry", self._window.saveGeometry())
        for name, splitter in self._splitters.items():
            self._memo.setValue(name, splitter.saveState())
        for name, value in values.items():
            self._memo.setValue(name, value)
        self._memo.sync()

    def restore(self) -> bool:
        """Restore the stored position and sizes; return whether any were stored."""
        kept = {
            "geometry": self._window.restoreGeometry,
            **{name: splitter.restoreState for name, splitter in self._splitters.items()},
        }
        states = {name: self._memo.value(name) for name in kept}
        known = {name: state for name, state in states.items() if isinstance(state, QByteArray)}
        for name, state in known.items():
            kept[name](state)
        return bool(known)

    def value(self, name: str, usual: str) -> str:
        return str(self._memo.value(name, usual))

    def fit_screen(self) -> None:
        """Limit the window, with its frame, to the free area of the screen."""
        window = self._window
        room = screen_room(window)
        window.resize(window.size().boundedTo(room).expandedTo(window.minimumSize()))


SIZES = [232, 800, 408]
# Widths of a page and its panel in the smallest window. They are constants, as a wide page asks
# for more than it needs, and the sidebar would give way for a moment.
PAGE_WIDTH, PANEL_WIDTH = 390, 292


class MainWindow(QMainWindow):
    """Empty until `make` has run: making a whole window at once takes four frames."""

    closed = Signal()
    demo_wanted = Signal()
    library_wanted = Signal(object)  # Path of another library
    move_wanted = Signal(object)  # Path to which the library is to be moved
    mode_wanted = Signal(bool)  # restart in safe mode, or leave it

    def __init__(
        self,
        look: Look,
        workspace: Workspace,
        jobs: JobList,
        memo: QSettings,
        library: Path,
        recent: Callable[[], Sequence[Path]] = tuple,
    ) -> None:
        super().__init__()
        self._look = look
        self._space = workspace
        self._closes_when_saved = False
        workspace.saved.connect(self._close_when_saved)
        self._jobs = jobs
        self._is_sized = False
        self._drop_sign: DropSign | None = None
        self._tab = START  # last page of a chat
        self.setWindowTitle("Engram")
        self.resize(1440, 900)
        self.setMinimumSize(900, 560)
        self.models = Pages(workspace, self)
        sizes = KeptSizes(memo)
        self.dialogs = Dialogs(look, workspace, self.models, library, sizes, self)
        parts = PageParts(look, self.models, self.dialogs, self.choose_files)
        self.stack = PageStack(parts, sizes)
        self.finding = QuickFinding(look, workspace, self.models, memo, self)
        self.dialogs.help.take_keys(self.finding.keys)
        self.first_steps = GuidePlace(
            look, self.models, self.dialogs, library, self.stack.pages, self
        )
        self.safe = SafeStrip(look, self, is_safe=workspace.memory.session.is_safe)
        self._make_libraries = partial(LibraryMenu, look, workspace, library, recent, self)
        self._memo = memo

    def make(self) -> Iterator[None]:
        """Yield between the steps that make the parts; then read what they show."""
        self._make_actions()
        yield
        yield from self._make_parts()
        self._lay_out()
        yield
        self.libraries = self._make_libraries()
        self.libraries.library_wanted.connect(self.library_wanted)
        self.libraries.move_wanted.connect(self.move_wanted)
        self.libraries.guide_wanted.connect(self.first_steps.open)
        self.first_steps.library_wanted.connect(self.library_wanted)
        self.first_steps.changed.connect(self._show_chat)
        self.sidebar.libraries.setMenu(self.libraries)
        self._connect()
        self.models.frame_made.emit()
        self.safe.wanted.connect(self.mode_wanted)
        self.safe.follow(self.dialogs.help.safe_mode_wanted, self.libraries.mode_wanted)
        self.place = WindowPlace(self, self._memo, {"whole": self._whole, "body": self._body})
        self._is_sized = self.place.restore()
        self.top.panel_button.setChecked(self.place.value("panel", "1") == "1")

    @override
    def childEvent(self, event: QChildEvent) -> None:
        """Turn on the filter that styles windows, before the first one opens over this one."""
        if event.added() and self.isVisible():
            self._look.watch()

    def begin(self, page: str = START) -> None:
        """Show the first page, and read the list of chats."""
        self.show_page(page)
        self.models.chats.load()

    def take_unread(self, old: MainWindow) -> None:
        """Show the messages of a previous window that were not dismissed."""
        space, made = self._space, vars(self.models)
        owners: dict[QObject, QObject] = {space: space, space.messages: space.messages}
        owners |= {old.safe: self.safe, old.libraries: self.libraries}
        for name, model in vars(old.models).items():
            if isinstance(model, QObject) and name in made:
                owners[model] = made[name]
        unread = [bar.notice for bar in old.message_bar.bars if bar.notice.is_lasting]
        self.message_bar.take(notice.moved(owners) for notice in unread)

    @property
    def page(self) -> str:
        """Return the name of the page shown."""
        return self.stack.shown.name

    @property
    def event_page(self) -> EventPage:
        return self.stack.page_as("events", EventPage)

    @property
    def editor(self) -> editor_panel.EditorPanel:
        return self.stack.panel_as("events", editor_panel.EditorPanel)

    @cached_property
    def welcome(self) -> welcome.WelcomePage:
        """Return the widget shown in place of a page while there is no chat."""
        with self._look.unwatched():
            page = welcome.WelcomePage(self._look)
            self.stack.pages.addWidget(page)
            self._look.clothe(page)
        page.play_wanted.connect(self.dialogs.open_play_start)
        page.tavern_wanted.connect(self.dialogs.open_tavern)
        page.demo_wanted.connect(self.demo_wanted)
        page.import_wanted.connect(self.choose_files)
        page.endpoint_wanted.connect(self.dialogs.open_settings)
        return page

    def make_next(self) -> bool:
        """Make one part that was not shown yet, or style it. Return False if none is left."""
        return self.stack.make_next() or self.finding.make_next()

    def _make_actions(self) -> None:
        slots: dict[str, Callable[[], object]] = {
            "search": self.finding.search,
            "commands": self.finding.show_commands,
            "places": self.finding.show_places,
            "find": self._focus_search,
            "new": self.dialogs.open_play_start,
            "import": self.choose_files,
            "undo": self._take_back,
            "redo": self._do_again,
            "history": lambda: self.dialogs.open_history(self._undo),
            "save": self._save,
            "edit": self._edit,
            "people": partial(self._show_events_as, "people"),
            "days": partial(self._show_events_as, "days"),
            "panel": self._toggle_panel,
            "settings": self.dialogs.open_settings,
            "keys": self.dialogs.help.open_keys,
            "guide": self.first_steps.open,
            "help": self.dialogs.help.open_help,
            "about": self.dialogs.help.open_about,
            "safe mode": self.safe.change,
            "full screen": self._toggle_full_screen,
            "quit": self.close,
        }
        made = {spec.name: self._action(spec, slots[spec.name]) for spec in ACTIONS}
        self.undo_action, self.redo_action = made["undo"], made["redo"]
        self.history_action = made["history"]
        for name in ("undo", "redo", "history"):  # buttons and a menu show these
            self._look.set_icon(made[name], str(made[name].property("icon name")))
        self.history_action.setText(self.tr("History…"))
        for spec in PAGES:
            page = ActionSpec(f"page.{spec.name}", spec.title, spec.icon, (spec.key,))
            self._action(page, partial(self.show_page, spec.name))

    def _action(self, spec: ActionSpec, slot: Callable[[], object]) -> QAction:
        action = QAction(self)
        action.triggered.connect(lambda _checked=False: slot())
        action.setProperty("icon name", spec.icon)  # the palette draws it
        self.addAction(action)
        self.finding.keys.register(spec.name, spec.text, action, spec.keys)
        return action

    def _make_parts(self) -> Iterator[None]:
        look, models = self._look, self.models
        self.sidebar = Sidebar(look, self._space, models.chats)
        self.finding.opened_by = self.sidebar.find_button
        yield
        self.message_bar = MessageBar(look, self._space.messages, self.sidebar, self.sidebar.list)
        self.sidebar.take(self.message_bar)
        self.sidebar.take(self.finding.pinned)
        self.sidebar.take(self.finding.pinned_filters)
        self.top = TopBar(
            look,
            models.branches,
            models.viewpoint,
            (self.undo_action, self.redo_action),
            self.history_action,
        )
        yield
        self.viewpoint = ViewpointStrip(look, models.viewpoint)
        self.foot = FootBar(
            look, models.status, models.automation, models.tavern, models.next_prompt
        )
        self.panel = self.stack.panels
        self.panel.setMinimumWidth(PANEL_WIDTH)

    def _lay_out(self) -> None:
        middle = QWidget()
        middle.setMinimumWidth(PAGE_WIDTH)
        page = QVBoxLayout(middle)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self.stack.pages, 1)
        self._body = PlainSplitter()
        self._body.addWidget(middle)
        self._body.addWidget(self.panel)
        self._body.setStretchFactor(0, 1)
        self._body.setCollapsible(0, False)
        right = QWidget()
        right.setMinimumWidth(PAGE_WIDTH + 1 + PANEL_WIDTH)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top)
        column.addWidget(self.safe)
        column.addWidget(self.viewpoint)
        column.addWidget(self._body, 1)
        column.addWidget(self.foot)
        self._whole = PlainSplitter()
        self._whole.addWidget(self.sidebar)
        self._whole.addWidget(right)
        self._whole.setStretchFactor(1, 1)
        self._whole.setChildrenCollapsible(False)  # the sidebar contains the messages
        self._whole.setSizes([SIZES[0], SIZES[1] + SIZES[2]])
        self._body.setSizes(SIZES[1:])
        self.setCentralWidget(self._whole)
        self.tasks = TaskPanel(self._jobs, self.sidebar.tasks, self)
        parts = (self.sidebar, self.top, self.safe, self.viewpoint, self.foot)
        for part in (*parts, self.message_bar, self.tasks):
            self._look.clothe(part)

    def _connect(self) -> None:
        models, dialogs, top = self.models, self.dialogs, self.top
        top.page_wanted.connect(self.first_steps.leave)
        top.page_wanted.connect(self.show_page)
        top.import_wanted.connect(self.choose_files)
        top.consolidate_wanted.connect(dialogs.open_consolidate)
        top.summarise_wanted.connect(lambda: dialogs.open_summarise(None))
        top.trim_wanted.connect(dialogs.open_trim)
        top.panel_toggled.connect(lambda _on: self.stack.turn_panel(self, self._update_panel))
        top.branches_wanted.connect(dialogs.open_branches)
        models.events.counts_changed.connect(self._show_counts)
        models.inbox_counted.connect(top.show_inbox)
        top.viewpoint_button.secrets_wanted.connect(dialogs.open_secrets)
        for signal in (self.message_bar.list_wanted, self.foot.messages_button.clicked):
            signal.connect(dialogs.open_messages)
            signal.connect(self.message_bar.dismiss_read)
        self._connect_sidebar()
        self.foot.next_wanted.connect(self._show_next_prompt)
        self._connect_finding()
        dialogs.import_wanted.connect(self.choose_files)
        self._space.page_wanted.connect(self._show_wanted_page)
        self._space.panel_wanted.connect(self._open_panel)
        models.undo.changed.connect(self._show_undo)
        models.library_undo.changed.connect(self._show_undo)
        models.chats.loaded.connect(self._show_chat)
        self._space.chat_changed.connect(self._show_chat)
        models.automation.events_wanted.connect(partial(self.show_page, "events"))
        self._space.event_wanted.connect(self._show_event)
        self._space.floor_wanted.connect(self._show_floors)
        self._show_undo()

    def _connect_sidebar(self) -> None:
        side, dialogs = self.sidebar, self.dialogs
        side.overview_wanted.connect(self.first_steps.leave)
        side.overview_wanted.connect(partial(self.show_page, "overview"))
        side.tasks_wanted.connect(self.tasks.toggle)
        self.top.page_wanted.connect(self.tasks.hide)
        side.scripts_wanted.connect(dialogs.open_texts)
        side.trash_wanted.connect(dialogs.open_trash)
        side.delete_wanted.connect(self._delete_chat)
        side.tavern_wanted.connect(dialogs.open_tavern)
        side.settings_wanted.connect(dialogs.open_settings)
        side.serving_wanted.connect(partial(self.show_page, "serving"))
        side.chat_clicked.connect(self._show_tab)
        side.health_wanted.connect(dialogs.open_health)
        side.adopt_wanted.connect(dialogs.open_adopt)
        side.make_volume_wanted.connect(dialogs.volumes.open_make_volume)
        side.volumes_wanted.connect(dialogs.volumes.open_volumes)
        side.folder_wanted.connect(dialogs.volumes.open_folder)
        side.rename_wanted.connect(dialogs.open_rename_chat)
        side.export_wanted.connect(dialogs.open_export)
        side.follow(self._jobs)

    def _connect_finding(self) -> None:
        finding, keys = self.finding, self.finding.keys
        self.sidebar.search_wanted.connect(finding.search)
        finding.chat_opened.connect(self._show_tab)
        finding.pinned_filters.opened.connect(self._show_filter)
        finding.commands_wanted.connect(self._tell_commands)
        keys.tell(self.sidebar.find_button, "search")
        keys.tell(self.top.import_button, "import")
        self.stack.on_made(self._take_page)

    def _take_page(self, page: QWidget) -> None:
        self.finding.keys.find(page)
        if isinstance(page, EventPage):
            page.edit_wanted.connect(self._edit)
            page.tools.take_filters(self.finding.filters)
            page.remember_in(self.finding.remembered)

    @Slot(str)
    def show_page(self, name: str) -> None:
        if name != self.page:
            self.first_steps.drop()
        self.top.show_page(name)
        is_empty = self.models.chats.is_loaded and not self._space.chat_id
        spec = BY_NAME[name]
        is_empty = is_empty and spec.needs_chat
        self.sidebar.show_page(name)
        self.foot.show_page(name)
        self.viewpoint.show_page(is_of_now=spec.is_of_now, is_of_library=spec.is_of_library)
        if spec.needs_chat:
            self._tab = name
        instead = self.first_steps.page or (self.welcome if is_empty else None)
        self.stack.show(name, instead, has_panel=self._is_panel_wanted(spec))
        self.stack.when_shown(self._size_panel)
        self._show_undo()

    @Slot(str)
    def _show_wanted_page(self, name: str) -> None:
        """Show a page that a viewmodel sends something to next: it exists from now on."""
        self.stack.page(name)
        self.show_page(name)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Esc if no part of the window did: reset the viewpoint to the current story."""
        if event.key() == Qt.Key.Key_Escape and self.viewpoint.is_set:
            self.viewpoint.go_back()
        else:
            super().keyPressEvent(event)

    def _show_events_as(self, shape: str) -> None:
        def show_shape() -> None:
            self.event_page.shapes.show_shape(shape)
            self.event_page.shapes.focus_list()

        self.show_page("events")
        self.stack.when_shown(show_shape)

    @Slot()
    def _show_next_prompt(self) -> None:
        self.show_page("recall")
        self.stack.when_shown(
            lambda: self.stack.page_as("recall", recall_page.RecallPage).show_next()
        )

    @Slot()
    def _show_tab(self) -> None:
        """Return to the chat's page from a page of the library or from the first steps."""
        self.first_steps.leave()
        if not self.stack.shown.needs_chat:
            self.show_page(self._tab)

    def _is_panel_wanted(self, spec: PageSpec) -> bool:
        """Return whether to show the panel of a page. A page without one has no button for it."""
        is_there = bool(self._space.chat_id) or not spec.needs_chat
        has_panel = spec.panel is not None and is_there and self.first_steps.page is None
        self.top.panel_button.setVisible(has_panel)
        return has_panel and self.top.panel_button.isChecked()

    def _update_panel(self) -> None:
        self.stack.show_panel(is_shown=self._is_panel_wanted(self.stack.shown))
        self.stack.when_shown(self._size_panel)

    def _size_panel(self) -> None:
        if not self._is_sized and not self.panel.isHidden() and self.isVisible():
            self._is_sized = True  # a hidden part loses the size it was given
            self._body.setSizes([self._body.width() - SIZES[2], SIZES[2]])

    @Slot()
    def _show_chat(self) -> None:
        chat = self.models.chats.current
        self.top.show_chat(chat)
        self.foot.setVisible(chat is not None)
        self.setWindowTitle(f"{chat.name} – Engram".replace("[*]", "[*][*]") if chat else "Engram")
        self.show_page(self.page)

    @Slot(object)
    def _show_counts(self, counts: EventCounts) -> None:
        """Show how many events wait to be consolidated, whatever the viewpoint."""
        if not self._space.actor:
            self.top.show_buffer(counts.buffer)

    @Slot(str)
    def _show_filter(self, text: str) -> None:
        self.show_page("events")
        self.stack.when_shown(lambda: self.event_page.tools.open_filter(text))

    @Slot(int)
    def _show_event(self, key: int) -> None:
        self.show_page("events")
        self.stack.when_shown(lambda: self.event_page.show_event(key))

    @Slot(int, int)
    def _show_floors(self, first: int, last: int) -> None:
        """Show floors on the page of the text; while a dialog is in use, in a window beside it."""
        if any(d.isVisible() and (d.isModal() or d.isActiveWindow()) for d in self.dialogs.shown):
            self.dialogs.open_source(first, last)
            return
        came = self.stack.shown
        is_other = came.name != "reading"
        if is_other:
            self._show_wanted_page("reading")
        self.models.reading.go_to(
            first, last, came.name if is_other else "", came.title if is_other else ""
        )

    @Slot()
    def _show_undo(self) -> None:
        show_undo(self._undo, self.undo_action, self.redo_action)

    @property
    def _undo(self) -> UndoActions:
        """Return the history of the page shown: worldbooks belong to the library."""
        is_library = self.stack.shown.is_of_library or not self._space.chat_id
        return self.models.library_undo if is_library else self.models.undo

    def _take_back(self) -> None:
        self._finish_typing()
        self._undo.undo()

    def _do_again(self) -> None:
        self._finish_typing()
        self._undo.redo()

    def _finish_typing(self) -> None:
        """Save the entry being typed: a field shows the stored value when it loses the focus."""
        if self.page == "books":
            self.stack.page_as("books", worldbook_page.WorldbookPage).view.setFocus()

    @Slot()
    def choose_files(self) -> None:
        names, _filter = QFileDialog.getOpenFileNames(
            self,
            self.tr("Import"),
            "",
            self.tr(
                "Chats, cards and books (*.jsonl *.json *.png *.charx *.lorebook);;All files (*)"
            ),
        )
        self.import_files([Path(name) for name in names])

    def import_files(self, paths: list[Path]) -> None:
        """Inspect the files and ask what to do with each."""
        take(paths, self.dialogs, self.models.imports.look)

    @Slot(str, str)
    def _delete_chat(self, chat_id: str, name: str) -> None:
        self.models.trash.delete_chat(chat_id, name)

    def _focus_search(self) -> None:
        self.stack.page(self.page).focus_search()

    def _edit(self) -> None:
        """Edit or rename the item that has the focus, or the one that the page shows."""
        if self.sidebar.rename_current():
            return
        if self.page in commands.IN_THE_PANEL:
            self.top.panel_button.setChecked(True)
        commands.edit(self.stack, self.dialogs)

    def _save(self) -> None:
        self.models.editor.save()
        self.models.logs.save()
        self.models.worldbooks.leaving.emit()

    @Slot()
    def _open_panel(self) -> None:
        self.top.panel_button.setChecked(True)

    def _toggle_panel(self) -> None:
        self.top.panel_button.toggle()

    @Slot()
    def _tell_commands(self) -> None:
        """Pass the commands available now to the palette."""
        keys, has_chat = self.finding.keys, bool(self._space.chat_id)
        self.finding.take_commands(
            [*commands.window_commands(keys, self.stack, self.dialogs, has_chat=has_chat)]
        )

    def _toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_panel()
        self.sidebar.list.setFocus()

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._end_drag()  # a drag may end without a word of it
        if files_in(event.mimeData()):
            event.acceptProposedAction()
            self._drop_sign = DropSign(self._look, self)

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._end_drag()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self._end_drag()
        event.acceptProposedAction()
        self.import_files(files_in(event.mimeData()))

    def _end_drag(self) -> None:
        if self._drop_sign is not None:
            self._drop_sign.hide()
            self._drop_sign.deleteLater()
            self._drop_sign = None

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        self._save()
        self.remember()
        is_waiting = self._space.is_saving and self._space.memory.sharing.is_held_elsewhere
        if is_waiting and not self._closes_when_saved:
            self._closes_when_saved = True  # if closing is requested again, it closes
            event.ignore()
            return
        self.closed.emit()
        super().closeEvent(event)

    @Slot(bool)
    def _close_when_saved(self, is_done: bool) -> None:  # noqa: FBT001 - Qt's signal
        """Close after typed text was saved; stay open if saving was refused."""
        if self._closes_when_saved:
            self._closes_when_saved = False
            if is_done:
                self.close()

    def remember(self) -> None:
        is_panel_shown = int(self.top.panel_button.isChecked())
        self.place.remember({"panel": is_panel_shown, "chat": self._space.chat_id})
