"""The pages of one window and their panels, each made when it is first shown.

A window that makes all of them at once takes twice as long to open.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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


STEP_MS = 4  # between steps of an opening: what else is due, such as a key, comes first

P = TypeVar("P", bound=Page)
W = TypeVar("W", bound=QWidget)


class PageStack:
    """``pages`` and ``panels`` are the two stacks that the window lays out.

    A page that is not made yet is opened in steps, one in each turn of the event loop: read its
    module, make it, style it, the same for its panel, show both. Until then the previous page stays
    visible. `page` and `panel` do the rest of an opening at once.
    """

    def __init__(self, parts: PageParts, sizes: KeptSizes) -> None:
        self._parts = parts
        self._sizes = sizes
        self.pages = QStackedWidget()
        self.panels = QStackedWidget()
        self._pages_by_name: dict[str, Page] = {}
        self._panels_by_name: dict[str, QWidget] = {}
        self.shown: PageSpec = BY_NAME[START]  # also while it is being opened
        self._instead: QWidget | None = None
        self._has_panel = False
        self._made: Callable[[QWidget], object] | None = None
        self._afterwards: list[Callable[[], object]] = []
        self._turn = QTimer(self.pages, interval=STEP_MS)
        self._turn.timeout.connect(self._go_on)

    @property
    def look(self) -> Look:
        return self._parts.look

    @property
    def is_opening(self) -> bool:
        return self._turn.isActive()

    @property
    def current(self) -> QWidget:
        """Return the page shown or what stands in its place; a page being opened is shown."""
        self._finish(self.shown.name)
        return self.pages.currentWidget()

    def on_made(self, call: Callable[[QWidget], object]) -> None:
        """Call with each page, at once for those already made."""
        self._made = call
        for page in self._pages_by_name.values():
            call(page)

    def page(self, name: str) -> Page:
        """Return a page, made if it is not; one that is being opened is shown."""
        self._finish(name)
        return self._pages_by_name.get(name) or self._make_page(BY_NAME[name])

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
        """Return the panel of a page, made if it is not; None if the page has none."""
        self._finish(name)
        spec = BY_NAME[name]
        made = self._panels_by_name.get(name)
        return self._make_panel(spec.panel, name) if spec.panel and made is None else made

    def _make_page(self, spec: PageSpec) -> Page:
        with self.look.unwatched():
            page = spec.page.make(self._parts, self.pages)
            self._add(page, self.pages)
        self._pages_by_name[spec.name] = page
        if self._made is not None:
            self._made(page)
        return page

    def _make_panel(self, module: MakesPanel, name: str) -> QWidget:
        with self.look.unwatched():
            panel = module.make_panel(self._parts, self.panels)
            self._add(panel, self.panels)
        self._panels_by_name[name] = panel
        return panel

    def _add(self, part: QWidget, stack: QStackedWidget) -> None:
        stack.addWidget(part)
        self.look.clothe(part)
        self._sizes.follow_parts(part)

    def show(self, name: str, instead: QWidget | None = None, *, has_panel: bool) -> None:
        """Show a page and its panel, or ``instead`` in place of the page."""
        if name != self.shown.name:
            self._afterwards.clear()
        self.shown = BY_NAME[name]
        self._instead = instead
        self.show_panel(is_shown=has_panel)

    def show_panel(self, *, is_shown: bool) -> None:
        """Show or hide the panel of the page shown; a hidden panel is not made."""
        self._has_panel = is_shown
        is_seen = self.pages.isVisible() and self._instead is None
        if is_seen and self._step_of(self.shown, has_panel=is_shown):
            self._turn.start()
        else:
            self._show()

    def when_shown(self, call: Callable[[], object]) -> None:
        """Call when the page that is being opened is shown, not if another one is opened."""
        self._afterwards.append(call)
        if not self.is_opening:
            self._call_afterwards()

    def stop(self) -> None:
        """Leave the page being opened as it is."""
        self._turn.stop()
        self._afterwards.clear()

    @Slot()
    def _go_on(self) -> None:
        step = self._step_of(self.shown, has_panel=self._has_panel)
        if step is not None:
            step()
        else:
            self._show()

    def _finish(self, name: str) -> None:
        if self.is_opening and name == self.shown.name:
            self._show()

    def _show(self) -> None:
        self._turn.stop()
        name = self.shown.name
        seen = self._instead or self.page(name)
        panel = self.panel(name) if self._has_panel else None
        with self.look.unwatched():
            self.pages.setCurrentWidget(seen)
            if panel is not None:
                self.panels.setCurrentWidget(panel)
            self.panels.setVisible(self._has_panel)
        for other, other_page in self._pages_by_name.items():
            other_page.set_active(other == name)
        self._call_afterwards()

    def _call_afterwards(self) -> None:
        calls, self._afterwards = self._afterwards, []
        for call in calls:
            call()

    def _step_of(self, spec: PageSpec, *, has_panel: bool) -> Callable[[], object] | None:
        """Return what is to be done next for a page that is not ready to be shown."""
        name, pages, panels = spec.name, self._pages_by_name, self._panels_by_name
        step = self._next_step(spec.page, pages.get(name), partial(self._make_page, spec))
        if step is None and has_panel and spec.panel is not None:
            make = partial(self._make_panel, spec.panel, name)
            step = self._next_step(spec.panel, panels.get(name), make)
        return step

    def _next_step(
        self, module: object, made: QWidget | None, make: Callable[[], object]
    ) -> Callable[[], object] | None:
        """Return what reads the module, makes or styles its part, whichever is next."""
        if made is None:
            return make if late.is_read(module) else partial(late.read, module)
        return None if self.look.is_styled(made) else partial(self.look.style_before_shown, made)

    def make_next(self) -> bool:
        """Make one page or panel that was not shown yet, or style it. Return False without one."""
        steps = (self._step_of(spec, has_panel=True) for spec in PAGES)
        step = next(filter(None, steps), None)
        if step is not None:
            step()
        return step is not None

    def unseen(self) -> list[QWidget]:
        """Return the pages and panels that were made and are not shown."""
        made = [*self._pages_by_name.values(), *self._panels_by_name.values()]
        shown = (self.pages.currentWidget(), self.panels.currentWidget())
        return [part for part in made if part not in shown]

    def turn_panel(self, scene: QWidget, act: Callable[[], object]) -> None:
        """Call ``act``, which shows or hides the panels, and animate them over ``scene``."""
        panels = self.panels

        def act_at_once() -> None:
            act()
            self._finish(self.shown.name)

        def place() -> QRect:
            return QRect(panels.mapTo(scene, QPoint()), panels.size())

        was = place()

        def travel() -> Travel:
            comes = panels.isVisible()
            area = place() if comes else was
            return Travel(area, QPoint(area.width(), 0), comes=comes)

        self._parts.look.motion.change(scene, act_at_once, travel)


# Makes pages while the program is idle, so that their first opening is fast.
#
# A start reads and makes only its first picture. The rest is made in small steps: the filter is
# turned on, a module of the window is imported, a page is made, its style sheet is set. What the
# user opens before that is made next, in the same steps.


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
