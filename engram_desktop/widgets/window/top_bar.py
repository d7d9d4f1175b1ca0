"""The top bar: chat and branch, pages, import, undo, redo, and the main button."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QAction, QDesktopServices, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from engram_desktop.viewmodels.chats.chat_tree import Branches, branch_name
from engram_desktop.viewmodels.knowledge import Viewpoint
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.fields.filtered import FilteredMenu
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import (
    ElidedLabel,
    icon_button,
    kind_button,
    label,
    literal,
    restyle,
)
from engram_desktop.widgets.window.page_stack import TABS

if TYPE_CHECKING:
    from engram_desktop.domain.reports import ChatSummary


# The button that chooses the character of the viewpoint.


EVERYTHING, EARLIER, SECRETS = ("view", ""), ("earlier", ""), ("secrets", "")


class ViewpointButton(QToolButton):
    """Its menu is filtered by typing: a long story has hundreds of names."""

    secrets_wanted = Signal()

    def __init__(self, look: Look, viewpoint: Viewpoint, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._viewpoint = viewpoint
        self.setIconSize(QSize(18, 18))
        self.names = FilteredMenu(self.tr("Seen by whom"), self)
        self.names.picked.connect(self._take)
        self.clicked.connect(self._open)
        viewpoint.names_read.connect(self._fill)
        viewpoint.changed.connect(self._show_name)
        self._show_name(viewpoint.current)

    @Slot()
    def _open(self) -> None:
        self._fill(self._viewpoint.names)
        self.names.open_below(self)
        self._viewpoint.read()

    @Slot(object)
    def _fill(self, names: list[str]) -> None:
        everything = self.tr("Everything, as you see it")
        rows = [(everything, EVERYTHING)]
        rows += [(self.tr("As {name}").format(name=name), ("view", name)) for name in names]
        rows.append((self.tr("As of an earlier floor"), EARLIER))
        rows.append((self.tr("Secrets…"), SECRETS))
        self.names.offer(rows, ("view", self._viewpoint.current))

    @Slot(object)
    def _take(self, picked: tuple[str, str]) -> None:
        what, name = picked
        if what == "secrets":
            self.secrets_wanted.emit()
        elif what == "earlier":
            self._viewpoint.view_before()
        else:
            self._viewpoint.view_as(name)

    @Slot(str)
    def _show_name(self, name: str) -> None:
        tip = self.tr("See the library as somebody of the story knows it")
        self.setToolTip(self.tr("Seen as {name}").format(name=name) if name else tip)
        self.setAccessibleName(self.toolTip())
        self._look.set_icon(self, "eye", "gold_ink" if name else "ink2")


_ICON_ONLY = Qt.ToolButtonStyle.ToolButtonIconOnly
HEIGHT, TABS_HEIGHT = 52, 36  # pixels of the row of the story, and of the row of pages
LEAST_TITLE = 140  # pixels of an elided title: enough to tell it from another
MOST_COUNTED = 99  # a higher count is shown as "99+"; the tooltip has the exact one
BADGE_HEIGHT = 10  # pixels: at the top of a tab it ends above the text, which it may lie over
# which texts remain, the widest way first; the last one hides the title, which the library shows,
# and moves rarely used buttons into a menu. The pages always have their texts.
WAYS = ("words", "button", "icons", "bare")


class TopBar(QFrame):
    """Two rows: the story and its buttons, and below them its pages, which never move."""

    page_wanted = Signal(str)
    consolidate_wanted = Signal()
    summarise_wanted = Signal()
    trim_wanted = Signal()
    import_wanted = Signal()
    panel_toggled = Signal(bool)
    branches_wanted = Signal()

    def __init__(
        self,
        look: Look,
        branches: Branches,
        viewpoint: Viewpoint,
        steps: tuple[QAction, QAction],  # undo and redo
        history: QAction,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("top")
        self._look = look
        self._branches = branches
        self._buffer = -1  # events waiting to be consolidated; -1 while unknown
        self._way = WAYS[0]
        self._is_close = False  # whether the page buttons have smaller gaps
        self._has_chat = False
        rows = column(self, 0, 0)
        line = self._line = QHBoxLayout()
        rows.addLayout(line, 1)
        self._title = ElidedLabel("title", max_width=340)
        line.addWidget(self._title)
        self.branch_button = self._make_branch_button()
        line.addWidget(self.branch_button)
        self.viewpoint_button = ViewpointButton(look, viewpoint)
        line.addWidget(self.viewpoint_button)
        line.addStretch(1)
        self._add_actions(line, steps, history)
        self.consolidate_button = self._make_consolidate()
        line.addWidget(self.consolidate_button)
        self.panel_button = icon_button(look, "panel", self.tr("Show the side panel"))
        self.panel_button.setCheckable(True)
        self.panel_button.setChecked(True)
        self.panel_button.toggled.connect(self.panel_toggled)
        policy = self.panel_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # hiding it does not move the widgets beside it
        self.panel_button.setSizePolicy(policy)
        line.addWidget(self.panel_button)
        self.tabs = self._make_tabs()
        rows.addWidget(self.tabs)
        branches.changed.connect(self._show_branches)
        self.show_chat(None)
        self.show_buffer(0)
        self._show_branches()

    def _make_tabs(self) -> QWidget:
        tabs = QWidget()
        tabs.setFixedHeight(TABS_HEIGHT)
        line = QHBoxLayout(tabs)
        line.setContentsMargins(12, 0, 8, 0)
        line.setSpacing(0)
        self._pages = QButtonGroup(self)
        self.page_buttons: dict[str, QToolButton] = {}
        for spec in TABS:
            name, text = spec.name, QCoreApplication.translate("TopBar", spec.title)
            button = kind_button("page", text)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.clicked.connect(lambda _checked=False, n=name: self.page_wanted.emit(n))
            self._pages.addButton(button)
            button.setAccessibleName(text)
            self.page_buttons[name] = button
            line.addWidget(button)
        line.addStretch(1)
        self._badge = label("", "badge")
        self._badge.setParent(tabs)  # over the row, in no layout, so that no tab moves
        self._badge.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._badge.hide()
        self.page_buttons["inbox"].installEventFilter(self)
        return tabs

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._place_badge()
        return super().eventFilter(watched, event)

    @Slot(int)
    def show_inbox(self, count: int) -> None:
        """Show on the tab of the inbox how many items wait there."""
        button = self.page_buttons["inbox"]
        words = self.tr("%n item(s) wait", "", count) if count else ""
        button.setToolTip(words)
        button.setAccessibleDescription(words)
        self._badge.setText(str(count) if count <= MOST_COUNTED else f"{MOST_COUNTED}+")
        self._badge.setVisible(count > 0)
        self._place_badge()

    def _place_badge(self) -> None:
        """Place the count at the upper right corner of the tab, beside its text."""
        button = self.page_buttons["inbox"]
        self._badge.adjustSize()
        width = max(BADGE_HEIGHT, self._badge.width())
        self._badge.resize(width, BADGE_HEIGHT)
        corner = button.geometry().topRight()
        self._badge.move(corner.x() - width // 2, max(0, corner.y() - 2))
        self._badge.raise_()

    def _make_branch_button(self) -> QToolButton:
        button = kind_button("plain", "", checkable=False)
        self._look.set_icon(button, "branch")
        button.setIconSize(QSize(16, 16))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setAccessibleName(self.tr("Branch"))
        button.setMenu(QMenu(button))
        return button

    def _show_branches(self) -> None:
        """Fill the menu of branches and show the name of the current one."""
        menu, current = self.branch_button.menu(), self._branches.current
        menu.clear()
        for branch in self._branches.rows:
            name = literal(branch_name(branch))
            action = menu.addAction(
                self.tr("{name} · %n floor(s)", "", branch.messages).format(name=name)
            )
            action.setCheckable(True)
            action.setChecked(branch == current)
            action.triggered.connect(lambda _checked=False, i=branch.id: self._branches.show(i))
        menu.addSeparator()
        menu.addAction(self.tr("Fork, compare, roll back…")).triggered.connect(
            lambda _checked=False: self.branches_wanted.emit()
        )
        name_shown = branch_name(current) if current is not None else self.tr("Main line")
        metrics = self.branch_button.fontMetrics()
        self.branch_button.setText(
            literal(metrics.elidedText(name_shown, Qt.TextElideMode.ElideRight, 140))
        )
        self.branch_button.setToolTip(name_shown)
        self._give_way(self.width())

    def _make_consolidate(self) -> QPushButton:
        button = QPushButton()
        button.setProperty("role", "main")
        button.setMinimumHeight(34)
        self._look.set_icon(button, "archive", "on_accent")
        button.setIconSize(QSize(18, 18))
        button.clicked.connect(self.consolidate_wanted)
        return button

    def _add_actions(
        self, line: QHBoxLayout, steps: tuple[QAction, QAction], history: QAction
    ) -> None:
        self.summarise_button = icon_button(self._look, "summarise", self.tr("Summarise…"))
        self.summarise_button.clicked.connect(self.summarise_wanted)
        line.addWidget(self.summarise_button)
        self.trim_button = icon_button(
            self._look, "trim", self.tr("Trim: merge old events into outlines")
        )
        self.trim_button.clicked.connect(self.trim_wanted)
        line.addWidget(self.trim_button)
        self.import_button = icon_button(self._look, "import", self.tr("Import…"))
        self.import_button.clicked.connect(self.import_wanted)
        line.addWidget(self.import_button)
        self.more_button = self._make_more()
        line.addWidget(self.more_button)
        for action in steps:
            button = QToolButton()
            button.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
            button.addAction(history)
            button.setDefaultAction(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setIconSize(QSize(18, 18))
            button.setAccessibleName(action.iconText())
            action.changed.connect(lambda a=action, b=button: b.setAccessibleName(a.iconText()))
            line.addWidget(button)
        line.addSpacing(8)

    def _make_more(self) -> QToolButton:
        """Make the menu of the commands that have no button in the narrowest window."""
        button = icon_button(self._look, "more", self.tr("More"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        for other in self._in_menu:
            menu.addAction(other.icon(), other.toolTip()).triggered.connect(other.click)
        button.setMenu(menu)
        return button

    @property
    def _in_menu(self) -> tuple[QToolButton, ...]:
        return (self.summarise_button, self.trim_button, self.import_button)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_way(event.size().width())

    def _give_way(self, width: int) -> None:
        """Hide texts, the least needed first, rather than cut any.

        The title is elided before anything else is hidden.
        """
        title = self._title
        whole = min(title.sizeHint().width(), title.maximumWidth())
        for way in WAYS:
            self._way = way
            self._apply_look()
            self._line.invalidate()  # discard its cached sizes
            spare = 0 if title.isHidden() else max(0, whole - LEAST_TITLE)
            if self._line.sizeHint().width() - spare <= width:
                break
        self._fit_tabs(width)

    def _fit_tabs(self, width: int) -> None:
        """Use smaller gaps between the pages if they would not fit: no text is cut."""
        if not self._is_close:
            self._tabs_width = self.tabs.sizeHint().width()
        is_close = self._tabs_width > width
        if is_close != self._is_close:
            self._is_close = is_close
            for button in self.page_buttons.values():
                restyle(button, "close", is_close)

    def _apply_look(self) -> None:
        """Show the texts that `_way` allows."""
        is_roomy = self._way == "words"
        self._line.setContentsMargins(*((24, 0, 16, 0) if is_roomy else (12, 0, 8, 0)))
        self._line.setSpacing(6 if is_roomy else 2)
        with_words = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        self.branch_button.setToolButtonStyle(with_words if is_roomy else _ICON_ONLY)
        is_bare = self._way == "bare"
        self._title.setHidden(is_bare)
        self._show_few(is_few=is_bare)
        self._name_consolidate()

    def _show_few(self, *, is_few: bool) -> None:
        for button in self._in_menu:
            needs_chat = button is not self.import_button
            button.setVisible(not is_few and (self._has_chat or not needs_chat))
        self.more_button.setVisible(is_few and self._has_chat)

    def show_page(self, name: str) -> None:
        self._pages.setExclusive(False)  # if a page has no tab, no tab is checked
        for page, button in self.page_buttons.items():
            button.setChecked(page == name)
        self._pages.setExclusive(name in self.page_buttons)

    def show_chat(self, chat: ChatSummary | None) -> None:
        has_chat = self._has_chat = chat is not None
        self._title.set_text(chat.name if chat else "")
        for part in (self.branch_button, self.viewpoint_button, self.tabs):
            part.setVisible(has_chat)
        self.setFixedHeight(HEIGHT + (TABS_HEIGHT if has_chat else 0))
        for button in (self.consolidate_button, self.panel_button):
            button.setVisible(has_chat)
        self._give_way(self.width())

    def _name_consolidate(self) -> None:
        """Set the text of the main button; in a narrow window it has its icon and the number."""
        count, name = self._buffer, self.tr("Consolidate")
        with_count = self.tr("Consolidate {n}").format(n=count) if count > 0 else name
        is_narrow = self._way in ("icons", "bare")
        self.consolidate_button.setText(f"{count}" if is_narrow else with_count)
        self.consolidate_button.setAccessibleName(with_count)

    def show_buffer(self, count: int) -> None:
        if count == self._buffer:
            return
        self._buffer = count
        self._give_way(self.width())
        self.consolidate_button.setEnabled(count > 0)
        self.consolidate_button.setToolTip(
            self.tr("Archive %n event(s) of the buffer", "", count)
            if count
            else self.tr("The buffer is empty: there is nothing to archive.")
        )


# The open library, and commands to open another: a recent one, or a chosen folder.


_WIDTH = 360  # pixels of a path in the menu: its end tells libraries apart


class LibraryMenu(QMenu):
    """Filled each time it opens. Missing libraries are found in the background, and marked."""

    library_wanted = Signal(object)  # Path
    move_wanted = Signal(object)  # Path to which the library is to be moved
    guide_wanted = Signal()
    mode_wanted = Signal()  # open this one again, in safe mode or out of it

    def __init__(
        self,
        look: Look,
        workspace: Workspace,
        library: Path,
        recent: Callable[[], Sequence[Path]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._space = workspace
        self._library = library
        self._recent = recent
        self._places: dict[Path, QAction] = {}
        self.aboutToShow.connect(self._fill)

    @Slot()
    def _fill(self) -> None:
        self.clear()
        self._places = {}
        here = self.addAction(self._look.icon("check", "green"), self._shown(self._library))
        here.setEnabled(False)
        folder = self.addAction(self._look.icon("folder"), self.tr("Show its folder"))
        folder.triggered.connect(lambda _checked=False: self._show_folder())
        move = self.addAction(self.tr("Move it to another folder…"))
        move.triggered.connect(lambda _checked=False: self.ask_to_move())
        self.addSeparator()
        for path in self._recent():
            if path != self._library:
                action = self.addAction(self._shown(path))
                action.triggered.connect(lambda _checked=False, p=path: self.library_wanted.emit(p))
                self._places[path] = action
        if self._places:
            self.addSeparator()
        other = self.addAction(self.tr("Open or begin another library…"))
        other.triggered.connect(lambda _checked=False: self._choose())
        self.addSeparator()
        guide = self.addAction(self._look.icon("place"), self.tr("First steps…"))
        guide.triggered.connect(lambda _checked=False: self.guide_wanted.emit())
        is_safe = self._space.memory.session.is_safe
        words = self.tr("Leave safe mode") if is_safe else self.tr("Restart in safe mode")
        mode = self.addAction(self._look.icon("refresh"), words)
        mode.triggered.connect(lambda _checked=False: self.mode_wanted.emit())
        paths = list(self._places)
        job = self._space.look_up(lambda _ctx: [path for path in paths if not path.is_dir()])
        job.succeeded.connect(self._mark)

    @Slot(object)
    def _mark(self, gone: Sequence[Path]) -> None:
        for path in gone:
            action = self._places.get(path)
            if action is not None:
                action.setEnabled(False)
                action.setText(self.tr("{path} (not there)").format(path=self._shown(path)))

    def _shown(self, path: Path) -> str:
        metrics = QFontMetrics(self.font())
        text = metrics.elidedText(str(path), Qt.TextElideMode.ElideMiddle, _WIDTH)
        return literal(text)

    def _show_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._library)))

    @Slot()
    def ask_to_move(self) -> None:
        """Ask for the folder into which this library is moved."""
        folder = QFileDialog.getExistingDirectory(
            self.parentWidget(), self.tr("Where the library shall lie"), str(self._library.parent)
        )
        if folder:
            self.move_wanted.emit(moved_into(self._library, Path(folder)))

    def _choose(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self.parentWidget(), self.tr("Folder of a library"), str(self._library.parent)
        )
        if folder:
            self.library_wanted.emit(begun_in(Path(folder)))


def moved_into(library: Path, folder: Path) -> Path:
    """Return the path of a library moved into a folder: the folder itself if it is empty."""
    is_empty = not any(folder.iterdir())
    return folder if is_empty else folder / library.name


def begun_in(folder: Path) -> Path:
    """Return the library of a folder: itself if it is one or empty, else a new one inside it."""
    is_one = (folder / "library.db").exists() or not any(folder.iterdir())
    return folder if is_one else folder / "Engram"
