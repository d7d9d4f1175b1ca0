"""The pages and side panels of a window, each made when it is first shown.

A window that makes all of them at once takes twice as long to open.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from engram_desktop.viewmodels.pages import Pages
from engram_desktop.widgets.events.editor_panel import EditorPanel
from engram_desktop.widgets.events.event_page import EventPage
from engram_desktop.widgets.graph import entity_panel, graph_page
from engram_desktop.widgets.logs import log_page, log_panel
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.recall import recall_page
from engram_desktop.widgets.state import state_page, state_panel
from engram_desktop.widgets.window.opener import Dialogs
from engram_desktop.widgets.worldbooks import book_page, book_panel

if TYPE_CHECKING:
    from engram_desktop.widgets.graph.entity_panel import EntityPanel
    from engram_desktop.widgets.graph.graph_page import GraphPage
    from engram_desktop.widgets.logs.log_page import LogPage
    from engram_desktop.widgets.logs.log_panel import LogPanel
    from engram_desktop.widgets.recall.recall_page import RecallPage
    from engram_desktop.widgets.state.state_page import StatePage
    from engram_desktop.widgets.state.state_panel import StatePanel
    from engram_desktop.widgets.worldbooks.book_page import BookPage
    from engram_desktop.widgets.worldbooks.book_panel import BookPanel


class WindowPages(QMainWindow):
    """`MainWindow` builds what is declared here; the page of events is there from the start."""

    files_wanted = Signal()
    history_wanted = Signal()

    page: str  # name of the page shown
    models: Pages
    dialogs: Dialogs
    event_page: EventPage
    editor: EditorPanel
    panel: QStackedWidget
    _look: Look
    _pages: QStackedWidget

    @cached_property
    def graph_page(self) -> GraphPage:
        models = self.models
        page = graph_page.GraphPage(
            self._look, models.graph, models.same, models.entity, self._pages
        )
        self._pages.addWidget(page)
        return page

    @cached_property
    def entity_panel(self) -> EntityPanel:
        panel = entity_panel.EntityPanel(
            self._look, self.models.graph, self.models.entity, self.panel
        )
        panel.fields.merge_wanted.connect(self.dialogs.open_merge)
        panel.relations.add_wanted.connect(self.dialogs.open_add_relation)
        panel.relations.reword_wanted.connect(self.dialogs.open_reword)
        panel.relations.end_wanted.connect(self.dialogs.open_end)
        self.panel.addWidget(panel)
        return panel

    @cached_property
    def log_page(self) -> LogPage:
        page = log_page.LogPage(self._look, self.models.logs, self._pages)
        page.add_button.clicked.connect(self.dialogs.open_log)
        page.reflect_button.clicked.connect(self.dialogs.open_reflect)
        self._pages.addWidget(page)
        return page

    @cached_property
    def log_panel(self) -> LogPanel:
        panel = log_panel.LogPanel(self._look, self.models.logs, self.panel)
        self.panel.addWidget(panel)
        return panel

    @cached_property
    def book_page(self) -> BookPage:
        page = book_page.BookPage(self._look, self.models.books, self._pages)
        page.import_wanted.connect(self.files_wanted)
        page.characters_wanted.connect(self.dialogs.open_characters)
        page.history_wanted.connect(self.history_wanted)
        page.rename_wanted.connect(self.dialogs.open_rename_book)
        self._pages.addWidget(page)
        return page

    @cached_property
    def book_panel(self) -> BookPanel:
        panel = book_panel.BookPanel(self._look, self.models.books, self.panel)
        self.panel.addWidget(panel)
        return panel

    @cached_property
    def state_page(self) -> StatePage:
        page = state_page.StatePage(self._look, self.models.state, self._pages)
        page.add_wanted.connect(self.dialogs.open_state)
        self._pages.addWidget(page)
        return page

    @cached_property
    def state_panel(self) -> StatePanel:
        panel = state_panel.StatePanel(self._look, self.models.state, self.panel)
        self.panel.addWidget(panel)
        return panel

    @cached_property
    def recall_page(self) -> RecallPage:
        page = recall_page.RecallPage(self._look, self.models.recall, self.models.lab, self._pages)
        self._pages.addWidget(page)
        return page

    def panel_of(self, name: str) -> QWidget:
        match name:
            case "graph":
                return self.entity_panel
            case "logs":
                return self.log_panel
            case "books":
                return self.book_panel
            case "state":
                return self.state_panel
            case _:
                return self.editor

    def page_named(self, name: str) -> QWidget:
        match name:
            case "logs":
                return self.log_page
            case "books":
                return self.book_page
            case "state":
                return self.state_page
            case "graph":
                return self.graph_page
            case "recall":
                return self.recall_page
            case _:
                return self.event_page

    def focus_search(self) -> None:
        match self.page:
            case "logs":
                self.log_page.focus_search()
            case "books":
                self.book_page.focus_search()
            case "state":
                self.state_page.focus_search()
            case "graph":
                self.graph_page.focus_search()
            case "recall":
                self.recall_page.focus_search()
            case _:
                self.event_page.focus_search()
