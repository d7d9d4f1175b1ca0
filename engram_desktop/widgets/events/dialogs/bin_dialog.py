"""Deleted events of the chat shown: any of them comes back as it was."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.viewmodels.events.event_bin import EventBin
from engram_desktop.viewmodels.events.event_words import floors_text
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look.look import Look

_KEY = Qt.ItemDataRole.UserRole


class BinDialog(FramedDialog):
    def __init__(self, look: Look, events: EventBin, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=640)
        self._bin = events
        self.set_title(self.tr("Deleted events"))
        hint = self.tr("They stay here after they can no longer be undone. Outlines are left out.")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.search = SearchField(look, self.tr("Search deleted events"))
        self.search.textChanged.connect(lambda _text: self._filter())
        self.body.addWidget(self.search)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Deleted events"))
        self.list.setMinimumHeight(260)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.itemSelectionChanged.connect(self._update_button)
        self.body.addWidget(self.list, 1)
        self._state = label("", "quiet", wrap=True)
        self.body.addWidget(self._state)
        self.add_close(self.tr("Close"))
        self.restore_button = self.add_button(self.tr("Bring back"), "main")
        self.restore_button.clicked.connect(lambda: self._bin.bring_back(self._chosen()))
        self._update_button()
        events.listed.connect(self._show)
        self.finished.connect(lambda _code: events.watch(wanted=False))
        events.watch(wanted=True)

    @Slot(object)
    def _show(self, events: list[EventNode]) -> None:
        self.list.clear()
        for event in events:
            moment = QDateTime.fromMSecsSinceEpoch(event.updated_at)
            when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
            item = QListWidgetItem(f"{event.summary}\n{floors_text(event)} · {when}")
            item.setData(_KEY, event.pk)
            self.list.addItem(item)
        text = self.tr("%n deleted event(s)", "", len(events))
        self._state.setText(text if events else self.tr("No event was deleted."))
        self._filter()

    def _filter(self) -> None:
        wanted = self.search.text().strip().casefold()
        for row in range(self.list.count()):
            item = self.list.item(row)
            is_hidden = wanted not in item.text().casefold()
            item.setHidden(is_hidden)
            if is_hidden:
                item.setSelected(False)

    def _chosen(self) -> list[int]:
        return [int(item.data(_KEY)) for item in self.list.selectedItems()]

    @Slot()
    def _update_button(self) -> None:
        self.restore_button.setEnabled(bool(self._chosen()))
