"""The field in which the text of a chat is searched: n of m, the next one, the one before."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QWidget

from engram_desktop.viewmodels.reading.text_search import TextSearch
from engram_desktop.widgets.parts.basics.pieces import icon_button, label
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look.look import Look


class SearchStrip(QWidget):
    """``floor`` says where the reader is: from there on it is searched first."""

    def __init__(
        self,
        look: Look,
        search: TextSearch,
        floor: Callable[[], int],
        page: QWidget,
    ) -> None:
        super().__init__(page)
        self._search = search
        self._floor = floor
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        self.field = SearchField(look, self.tr("Search this chat"))
        self.field.setMinimumWidth(120)
        self.field.setMaximumWidth(210)
        line.addWidget(self.field)
        self.previous_button = icon_button(look, "up", self.tr("The one before (Shift+F3)"))
        self.next_button = icon_button(look, "down", self.tr("The next one (F3)"))
        for button, by in ((self.previous_button, -1), (self.next_button, 1)):
            button.clicked.connect(lambda _checked=False, n=by: search.go(n))
            line.addWidget(button)
        self.count = label("", "quiet")
        self.count.setMinimumWidth(70)
        line.addWidget(self.count)
        self.field.textChanged.connect(self._on_typed)
        self.field.submitted.connect(lambda: search.go(1))
        for key, by in (("F3", 1), ("Shift+F3", -1)):
            shortcut = QShortcut(QKeySequence(key), page)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda n=by: search.go(n))
        search.changed.connect(self._show)
        self._show()

    @Slot(str)
    def _on_typed(self, text: str) -> None:
        self._search.search(text, self._floor())

    @Slot()
    def _show(self) -> None:
        search = self._search
        if not search.needle.text and self.field.text().strip():
            self.field.clear()  # another chat is shown: it has not been searched
        total = search.hits.total
        for button in (self.previous_button, self.next_button):
            button.setEnabled(total > 0)
        if not search.needle.text:
            text = ""
        elif search.is_busy and not total:
            text = self.tr("{percent} %").format(percent=search.percent)
        elif not total:
            text = self.tr("Not found")
        else:
            text = self.tr("{n} of {total}").format(n=search.number + 1, total=total)
        self.count.setText(text)
