"""The pages of one window and their panels, each made when it is first shown.

A window that makes all of them at once takes twice as long to open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, QPoint, QRect, QTimer, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from engram_desktop import late
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass
from engram_desktop.widgets import findings, inbox, logs, serving, state
from engram_desktop.widgets.events import editor_panel, event_page
from engram_desktop.widgets.graph import entity_panel, graph_page
from engram_desktop.widgets.overview import overview_page
from engram_desktop.widgets.parts.dialogs import KeptSizes
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.motion import Travel
from engram_desktop.widgets.parts.pages import MakesPage, MakesPanel, Page, PageParts
from engram_desktop.widgets.play import play_page, turn_panel
from engram_desktop.widgets.reading import reading_page, reading_panel
from engram_desktop.widgets.recall import recall_page
from engram_desktop.widgets.worldbooks import worldbook_page, worldbook_panel

# The pages of the window, in the order of their tabs: one line and one module each.
#
# Tabs, keys, ``--page``, pictures and tests read this list. It contains only names of modules: each
# is imported when its page is first shown (`engram_desktop.late`).


_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True, eq=False)
class PageSpec:
    """One page. ``title`` is translated in the context "TopBar".

    A page of the library uses the library's undo history. A page that needs no chat has no tab: its
    button is at the bottom of the library. ``is_of_now``: the floor of the viewpoint has no effect
    on the page.
    """

    name: str
    icon: str
    title: str
    key: str
    page: MakesPage
    panel: MakesPanel | None = None
    is_of_library: bool = False
    needs_chat: bool = True
    is_of_now: bool = False


PAGES = (
    PageSpec("overview", "overview", _T("TopBar", "Overview"), "Ctrl+E", overview_page),
    PageSpec("events", "events", _T("TopBar", "Events"), "Ctrl+1", event_page, editor_panel),
    PageSpec("reading", "text", _T("TopBar", "Text"), "Ctrl+T", reading_page, reading_panel),
    PageSpec("graph", "graph", _T("TopBar", "Graph"), "Ctrl+2", graph_page, entity_panel),
    PageSpec("recall", "recall", _T("TopBar", "Recall"), "Ctrl+3", recall_page),
    PageSpec("logs", "logs", _T("TopBar", "Private logs"), "Ctrl+4", logs, logs),
    PageSpec(
        "books",
        "books",
        _T("TopBar", "World books"),
        "Ctrl+5",
        worldbook_page,
        worldbook_panel,
        is_of_library=True,
        is_of_now=True,
    ),
    PageSpec("state", "state", _T("TopBar", "State"), "Ctrl+6", state, state),
    PageSpec("findings", "findings", _T("TopBar", "Findings"), "Ctrl+J", findings),
    PageSpec("inbox", "inbox", _T("TopBar", "Inbox"), "Ctrl+D", inbox, is_of_now=True),
    PageSpec("play", "talk", _T("TopBar", "Play"), "Ctrl+7", play_page, turn_panel, is_of_now=True),
    PageSpec(
        "serving",
        "plug",
        _T("TopBar", "Other programs"),
        "Ctrl+8",
        serving,
        serving,
        is_of_library=True,
        needs_chat=False,
        is_of_now=True,
    ),
)
TABS = tuple(spec for spec in PAGES if spec.needs_chat)
START = "events"  # the first page; a chat just imported shows its overview
BY_NAME = {spec.name: spec for spec in PAGES}


P = TypeVar("P", bound=Page)
W = TypeVar("W", bound=QWidget)


class PageStack:
    """``pages`` and ``panels`` are the two stacks that the window lays out."""

    def __init__(self, parts: PageParts, sizes: KeptSizes) -> None:
        self._parts = parts
        self._sizes = sizes
        self.pages = QStackedWidget()
        self.panels = QStackedWidget()
        self._pages_by_name: dict[str, Page] = {}
        self._panels_by_name: dict[str, QWidget] = {}
        self.shown: PageSpec = BY_NAME[START]
        self._made: Callable[[QWidget], object] | None = None

    @property
    def look(self) -> Look:
        return self._parts.look

    def on_made(self, call: Callable[[QWidget], object]) -> None:
        """Call with each page, at once for those already made."""
        self._made = call
        for page in self._pages_by_name.values():
            call(page)

    def page(self, name: str) -> Page:
        if name not in self._pages_by_name:
            with self.look.unwatched():
                page = BY_NAME[name].page.make(self._parts, self.pages)
                self.pages.addWidget(page)
                self.look.clothe(page)
                self._sizes.follow_parts(page)
            self._pages_by_name[name] = page
            if self._made is not None:
                self._made(page)
        return self._pages_by_name[name]

    def page_as(self, name: str, kind: type[P]) -> P:
        """Return the page of this class. Raises TypeError if it has another class."""
        page = self.page(name)
        if not isinstance(page, kind):
            raise TypeError(f"the page {name} is no {kind.__name__}")
        return page

    def panel_as(self, name: str, kind: type[W]) -> W:
        """Return a page's panel of this class. Raises TypeError if it has another class."""
        panel = self.panel(name)
        if not isinstance(panel, kind):
            raise TypeError(f"the panel of {name} is no {kind.__name__}")
        return panel

    def panel(self, name: str) -> QWidget | None:
        """Return the panel of a page; None if the page has none."""
        spec = BY_NAME[name]
        if name not in self._panels_by_name and spec.panel is not None:
            with self.look.unwatched():
                panel = spec.panel.make_panel(self._parts, self.panels)
                self.panels.addWidget(panel)
                self.look.clothe(panel)
                self._sizes.follow_parts(panel)
            self._panels_by_name[name] = panel
        return self._panels_by_name.get(name)

    def show_panel(self, *, is_shown: bool) -> None:
        """Show or hide the panel of the page shown; a hidden panel is not made."""
        panel = self.panel(self.shown.name) if is_shown else None
        with self.look.unwatched():
            if panel is not None:
                self.panels.setCurrentWidget(panel)
            self.panels.setVisible(is_shown)

    def make_next(self) -> bool:
        """Make one page or panel that was not shown yet, or style it. Return False without one."""
        look = self._parts.look
        for spec in PAGES:
            is_made = spec.name in self._pages_by_name
            if is_made and look.style_before_shown(self._pages_by_name[spec.name]):
                return True
            if not is_made:
                self.page(spec.name)
                return True
            if spec.panel is not None:
                is_made = spec.name in self._panels_by_name
                panel = self.panel(spec.name)
                if not is_made or (panel is not None and look.style_before_shown(panel)):
                    return True
        return False

    def unseen(self) -> list[QWidget]:
        """Return the pages and panels that were made and are not shown."""
        made = [*self._pages_by_name.values(), *self._panels_by_name.values()]
        shown = (self.pages.currentWidget(), self.panels.currentWidget())
        return [part for part in made if part not in shown]

    def turn_panel(self, scene: QWidget, act: Callable[[], object]) -> None:
        """Call ``act``, which shows or hides the panels, and animate them over ``scene``."""
        panels = self.panels

        def place() -> QRect:
            return QRect(panels.mapTo(scene, QPoint()), panels.size())

        was = place()

        def travel() -> Travel:
            comes = panels.isVisible()
            area = place() if comes else was
            return Travel(area, QPoint(area.width(), 0), comes=comes)

        self._parts.look.motion.change(scene, act, travel)

    def show(self, name: str, instead: QWidget | None = None) -> None:
        """Show a page, or ``instead`` in its place. `show_panel` shows its panel."""
        self.shown = BY_NAME[name]
        page = self.page(name)
        with self.look.unwatched():
            self.pages.setCurrentWidget(instead or page)
        for other, other_page in self._pages_by_name.items():
            other_page.set_active(other == name)


# Makes pages while the program is idle, so that their first opening is fast.
#
# A start reads and makes only its first picture. The rest is made in small steps: the filter is
# turned on, a module of the window is imported, a page is made, its style sheet is set. What the
# user opens before that is made at once.


BEGIN_MS = 300  # after the window was painted
PAUSE_MS = 15  # between two steps: the user's actions have priority
READ = ("engram_desktop.widgets.", "engram_desktop.viewmodels.")


class Ahead(QObject):
    """``make_next`` makes the next part of the current window; it returns False if none is left."""

    def __init__(self, look: Look, make_next: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._look, self._make_next = look, make_next
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._do_next)

    @property
    def is_busy(self) -> bool:
        return self._timer.isActive()

    def begin(self) -> None:
        """Start soon, also for another window."""
        self._timer.start(BEGIN_MS)

    def stop(self) -> None:
        self._timer.stop()

    @Slot()
    def _do_next(self) -> None:
        self._timer.setInterval(PAUSE_MS)
        if not (self._look.watch_next() or late.read_next(READ) or self._make_next()):
            self._timer.stop()
