"""The pages of one window and what stands beside them, each made when it is first shown.

A window that makes all of them at once takes twice as long to open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QStackedWidget, QWidget

from engram_desktop.widgets.parts.dialogs.kept_sizes import KeptSizes
from engram_desktop.widgets.parts.look.motion import Travel
from engram_desktop.widgets.parts.pages.page import Page, PageParts
from engram_desktop.widgets.window.page_list import BY_NAME, PAGES, START, PageSpec

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

    def on_made(self, call: Callable[[QWidget], object]) -> None:
        """Call with each page, those that are made already at once."""
        self._made = call
        for page in self._pages_by_name.values():
            call(page)

    def page(self, name: str) -> Page:
        if name not in self._pages_by_name:
            page = BY_NAME[name].page.make(self._parts, self.pages)
            self.pages.addWidget(page)
            self._parts.look.clothe(page)
            self._sizes.follow_parts(page)
            self._pages_by_name[name] = page
            if self._made is not None:
                self._made(page)
        return self._pages_by_name[name]

    def page_as(self, name: str, kind: type[P]) -> P:
        """Return a page as its own class. Raises TypeError if it is of another."""
        page = self.page(name)
        if not isinstance(page, kind):
            raise TypeError(f"the page {name} is no {kind.__name__}")
        return page

    def panel_as(self, name: str, kind: type[W]) -> W:
        """Return the panel of a page as its own class. Raises TypeError if it is of another."""
        panel = self.panel(name)
        if not isinstance(panel, kind):
            raise TypeError(f"the panel of {name} is no {kind.__name__}")
        return panel

    def panel(self, name: str) -> QWidget | None:
        """Return what stands beside a page; None if it takes the whole width."""
        spec = BY_NAME[name]
        if name not in self._panels_by_name and spec.panel is not None:
            panel = spec.panel.make(self._parts, self.panels)
            self.panels.addWidget(panel)
            self._parts.look.clothe(panel)
            self._sizes.follow_parts(panel)
            self._panels_by_name[name] = panel
        return self._panels_by_name.get(name)

    def make_next(self) -> bool:
        """Make one page or panel that was not shown yet, or style it. False if none is left."""
        look = self._parts.look
        for spec in PAGES:
            is_made = spec.name in self._pages_by_name
            if is_made and look.dress_ahead(self._pages_by_name[spec.name]):
                return True
            if not is_made:
                self.page(spec.name)
                return True
            if spec.panel is not None:
                is_made = spec.name in self._panels_by_name
                panel = self.panel(spec.name)
                if not is_made or (panel is not None and look.dress_ahead(panel)):
                    return True
        return False

    def unseen(self) -> list[QWidget]:
        """Return the pages and panels that were made and are not the ones shown."""
        made = [*self._pages_by_name.values(), *self._panels_by_name.values()]
        shown = (self.pages.currentWidget(), self.panels.currentWidget())
        return [part for part in made if part not in shown]

    def turn_panel(self, scene: QWidget, act: Callable[[], object]) -> None:
        """Do ``act``, which shows or hides the panels; they are seen to slide over ``scene``."""
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
        """Show a page and its panel; ``instead`` stands in the page's place."""
        self.shown = BY_NAME[name]
        page, panel = self.page(name), self.panel(name)
        self.pages.setCurrentWidget(instead or page)
        if panel is not None:
            self.panels.setCurrentWidget(panel)
        for other, other_page in self._pages_by_name.items():
            other_page.set_active(other == name)
