"""The first steps in the place of the page: where they stand, what they open, and how they go."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from engram_desktop.viewmodels.pages import Pages
from engram_desktop.widgets.guide import guide_page
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.window.menus import library_menu
from engram_desktop.widgets.window.opener import Dialogs


class GuidePlace(QObject):
    """``page`` is there while the first steps are shown, made anew each time."""

    changed = Signal()  # they stand there now, or no longer: what is seen is to be shown again
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
        self.page: guide_page.GuidePage | None = None

    @Slot()
    def open(self, step: int = 0) -> None:
        """Show them, from ``step`` on."""
        if self.page is None:
            page = self.page = guide_page.GuidePage(
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
        """Show what stood behind them: three ways to begin, or the chat."""
        if self.page is not None:
            self.drop()
            self.changed.emit()

    def drop(self) -> None:
        """Take them away, for another page."""
        page, self.page = self.page, None
        if page is not None:
            self._stack.removeWidget(page)
            page.deleteLater()

    @Slot(object)
    def _begin_library(self, folder: Path) -> None:
        self.library_wanted.emit(library_menu.begun_in(folder))
