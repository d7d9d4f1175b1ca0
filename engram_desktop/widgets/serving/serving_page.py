"""联动: the memory server's switch, how to connect a program, and every request live."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFileDialog, QMenu, QStackedLayout, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.serving.serving import Serving
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.empty_state import EmptyState
from engram_desktop.widgets.parts.pages.page import Page, PageParts
from engram_desktop.widgets.serving.exchange_list import ExchangeList
from engram_desktop.widgets.serving.switch_card import SwitchCard


class ServingPage(Page):
    def __init__(self, look: Look, serving: Serving, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._serving = serving
        outer = column(self, 0, 12)
        outer.setContentsMargins(24, 16, 16, 12)
        self.card = SwitchCard(look, serving)
        self.card.companion_wanted.connect(self._offer_companion)
        outer.addWidget(self.card)
        self.list = ExchangeList(look, serving)
        self.list.chosen.connect(serving.choose)
        self._empty = EmptyState(look, "plug")
        self._empty.acted.connect(serving.switch)
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._empty)
        serving.changed.connect(self._show_which)
        serving.heard.connect(self._show_which)
        serving.cleared.connect(self._show_which)
        self._show_which()

    @override
    def focus_search(self) -> None:
        is_empty = self._stack.currentWidget() is self._empty
        first = self.card.switch_button if is_empty else self.list
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @override
    def set_active(self, active: bool) -> None:
        """Requests are heard whether it is seen or not."""

    @Slot()
    def _show_which(self) -> None:
        if self.list.topLevelItemCount():
            self._stack.setCurrentWidget(self.list)
            return
        self._stack.setCurrentWidget(self._empty)
        if not self._serving.can_run:
            self._empty.say(
                self.tr("Another program has this library open"),
                self.tr("The server runs where the library is written to."),
            )
        elif self._serving.is_running:
            self._empty.say(
                self.tr("Nothing has come through yet"),
                self.tr("Connect a program as described above, and say something in it."),
            )
        else:
            self._empty.say(
                self.tr("Memory for any chat program"),
                self.tr(
                    "SillyTavern, RisuAI, Open WebUI, LobeChat, Chatbox: what you play there is"
                    " remembered here, and each reply knows it. Nothing to copy."
                ),
                self.tr("Start the server"),
            )

    @Slot()
    def _offer_companion(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        install = menu.addAction(self._look.icon("plug"), self.tr("Install into SillyTavern…"))
        install.triggered.connect(lambda _checked=False: self._install())
        save = menu.addAction(self._look.icon("export"), self.tr("Save as a folder to copy…"))
        save.triggered.connect(lambda _checked=False: self._save())
        button = self.card.companion_button
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _install(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self, self.tr("SillyTavern folder"), self._serving.folder
        )
        if folder:
            self._serving.install_companion(Path(folder))

    def _save(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("A folder to save it in"))
        if folder:
            self._serving.save_companion(Path(folder))


def make(parts: PageParts, parent: QWidget) -> ServingPage:
    page = ServingPage(parts.look, parts.models.serving, parent)
    page.card.settings_wanted.connect(lambda: parts.doors.open_settings("serve"))
    parts.models.serving.bodies_wanted.connect(parts.doors.open_bodies)
    return page
