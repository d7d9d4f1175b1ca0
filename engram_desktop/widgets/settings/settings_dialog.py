"""The settings: their pages, a search through all of them, and the way back to defaults."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.settings.settings import DECLARED
from engram_desktop.viewmodels.settings.endpoint import TASKS, Endpoint
from engram_desktop.viewmodels.settings.settings_form import (
    PAGES,
    SettingsForm,
    section_title,
    title,
)
from engram_desktop.viewmodels.settings.settings_search import find_settings
from engram_desktop.viewmodels.settings.upstream_keys import UpstreamKeys
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.kept_typing import KeptTyping
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.settings.endpoint_form import EndpointForm
from engram_desktop.widgets.settings.found_list import FoundList
from engram_desktop.widgets.settings.setting_page import SettingPage
from engram_desktop.widgets.settings.upstream_key_form import UpstreamKeyForm

LIST_WIDTH = 200  # the longest name of a page, in both languages


class SettingsDialog(FramedDialog):
    usage_wanted = Signal()

    def __init__(self, look: Look, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=820)
        self._form = SettingsForm(workspace, self)
        self._workspace = workspace
        self._before: dict[str, Any] = {}  # what the last "Restore defaults" took away
        self.set_title(self.tr("Settings"))
        self.pages = QListWidget()
        self._stack = QStackedWidget()
        self._endpoints = [Endpoint(workspace, self._form, task, self) for task in TASKS]
        self._makers: list[Callable[[], QWidget]] = []  # a page is made when it is first shown
        for endpoint in self._endpoints:
            self._add(section_title(endpoint.task), partial(EndpointForm, endpoint, self._form))
        for page in PAGES:
            self._add(section_title(page), partial(self._make_page, page))
        self._lay_out(look)
        self.setMinimumHeight(560)
        self.restore_button = self.add_button(self.tr("Restore defaults of this page"), left=True)
        self.restore_button.clicked.connect(self._restore)
        self.add_close(self.tr("Close"))
        self.pages.currentRowChanged.connect(self._on_page)
        self.pages.itemClicked.connect(lambda _item: self.search.clear())
        self.pages.setCurrentRow(0)
        self._form.changed.connect(self._on_changed)
        self._form.replaced.connect(self._on_replaced)
        self.finished.connect(self._end)

    def _lay_out(self, look: Look) -> None:
        line = QHBoxLayout()
        line.setSpacing(16)
        left = QVBoxLayout()
        left.setSpacing(8)
        self.search = SearchField(look, self.tr("Search the settings"))
        self.search.setFixedWidth(LIST_WIDTH)
        self.search.textChanged.connect(self._on_search)
        self.search.submitted.connect(self._open_first)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search.setFocus)
        self.pages.setAccessibleName(self.tr("Pages of the settings"))
        self.pages.setFixedWidth(LIST_WIDTH)
        left.addWidget(self.search)
        left.addWidget(self.pages, 1)
        line.addLayout(left)
        self.found = FoundList()
        self.found.chosen.connect(self.show_setting)
        self._right = QStackedWidget()
        self._right.addWidget(self._stack)
        self._right.addWidget(self.found)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self._make_strip())
        right.addWidget(self._right, 1)
        line.addLayout(right, 1)
        self.body.addLayout(line, 1)

    def _make_strip(self) -> QWidget:
        self._strip = QWidget(self)
        self._strip.setObjectName("well")
        self._strip.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self._strip)
        row.setContentsMargins(12, 8, 8, 8)
        self.restored = label("", "", wrap=True)
        row.addWidget(self.restored, 1)
        self.put_back_button = text_button(self.tr("Undo"), "link")
        self.put_back_button.clicked.connect(self._put_back)
        row.addWidget(self.put_back_button)
        self._strip.hide()
        return self._strip

    def show_page(self, key: str) -> None:
        """Open at a page of `PAGES`, or at an endpoint's."""
        names = [*TASKS, *PAGES]
        self.pages.setCurrentRow(names.index(key))

    @Slot(str, str)
    def show_setting(self, page: str, key: str) -> None:
        """Open the page of a setting, at its field."""
        self.show_page(page)
        self._right.setCurrentWidget(self._stack)
        scroll = self._stack.currentWidget()
        inside = scroll.widget() if isinstance(scroll, QScrollArea) else None
        if isinstance(scroll, QScrollArea) and isinstance(inside, SettingPage | EndpointForm):
            field = inside.fields[key]
            inside.adjustSize()
            scroll.ensureWidgetVisible(field, 0, scroll.height() // 3)
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def page(self) -> str:
        return [*TASKS, *PAGES][self.pages.currentRow()]

    def _add(self, name: str, make: Callable[[], QWidget]) -> None:
        item = QListWidgetItem(name)
        item.setSizeHint(QSize(0, 34))
        self.pages.addItem(item)
        self._stack.addWidget(QWidget())  # holds the place: twenty scroll areas take 15 ms
        self._makers.append(make)

    @Slot(int)
    def _on_page(self, number: int) -> None:
        place = self._stack.widget(number)
        if place is not None and not isinstance(place, QScrollArea):
            scroll = QScrollArea()
            scroll.setWidgetResizable(True)
            scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            scroll.setWidget(self._makers[number]())
            self._stack.removeWidget(place)
            place.deleteLater()
            self._stack.insertWidget(number, scroll)
        self._stack.setCurrentIndex(number)
        self._right.setCurrentWidget(self._stack)
        self._update_restore()

    def _make_page(self, page: str) -> QWidget:
        body = SettingPage(page, self._form, self._workspace.unsaved)
        body.usage_wanted.connect(self.usage_wanted)
        if page == "serve":
            body.rows.addSpacing(12)
            body.rows.addWidget(UpstreamKeyForm(UpstreamKeys(self._workspace, self)))
        body.rows.addStretch(1)
        return body

    @Slot(str)
    def _on_search(self, text: str) -> None:
        self.found.show_found(find_settings(text), text)
        self._right.setCurrentWidget(self.found if text.strip() else self._stack)
        self._update_restore()

    @Slot()
    def _open_first(self) -> None:
        self.found.open_first()

    @Slot(str)
    def _on_changed(self, key: str) -> None:
        if key in self._before:  # what was taken away is no longer all that is to be put back
            del self._before[key]
            self._show_strip()
        self._update_restore()

    def _update_restore(self) -> None:
        """Offer it where it would change something, and the page can be seen."""
        is_page = self._right.currentWidget() is self._stack and self.page in PAGES
        self.restore_button.setVisible(is_page)
        self.restore_button.setEnabled(is_page and bool(self._form.set_here(self.page)))

    @Slot()
    def _restore(self) -> None:
        self._before = self._form.restore(self.page)
        self._show_strip()

    @Slot()
    def _put_back(self) -> None:
        before, self._before = self._before, {}
        self._form.put_back(before)
        self._show_strip()

    def _show_strip(self) -> None:
        between = self.tr(", ", "between names of settings")
        names = between.join(title(DECLARED[key]) for key in self._before)
        self.restored.setText(self.tr("Defaults again: {names}").format(names=names))
        self._strip.setVisible(bool(self._before))

    @Slot(object)
    def _on_replaced(self, keys: tuple[str, ...]) -> None:
        """Make the pages anew that show one of these."""
        for number in range(self._stack.count()):
            scroll = self._stack.widget(number)
            inside = scroll.widget() if isinstance(scroll, QScrollArea) else None
            if (
                isinstance(scroll, QScrollArea)
                and isinstance(inside, SettingPage)
                and not inside.fields.keys().isdisjoint(keys)
            ):
                scroll.setWidget(self._makers[number]())
        self._update_restore()

    def _end(self) -> None:
        for typing in self.findChildren(KeptTyping):
            typing.drop_all()
        for endpoint in self._endpoints:
            endpoint.cancel()
