"""One entry of the worldbook the chat's memory makes: read here, changed where the memory is."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.domain.worldbooks.worldbook import Entry
from engram_desktop.viewmodels.worldbooks.entry_table import mode_names
from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.fields.text_fields import TextField


class MemoryEntry(QWidget):
    def __init__(self, worldbooks: WorldbookList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._worldbooks = worldbooks
        self._entry: Entry | None = None
        rows = column(self, 0, 8)
        rows.setContentsMargins(20, 14, 16, 16)
        self._why = label("", "quiet", wrap=True)
        self._title = label("", "heading", wrap=True)
        self._facts = label("", "quiet", wrap=True)
        self._keys = label("", wrap=True)
        for part in (self._title, self._why, self._facts, self._keys):
            rows.addWidget(part)
        self.content = TextField(self.tr("Content"))
        self.content.setReadOnly(True)
        rows.addWidget(self.content, 1)
        self._note = label("", "quiet", wrap=True)
        rows.addWidget(self._note)
        self.event_button = text_button(self.tr("Show the event"))
        self.event_button.clicked.connect(self._show_event)
        rows.addWidget(self.event_button)

    def show_entry(self, entry: Entry) -> None:
        self._entry = entry
        self._title.setText(entry.title)
        self._why.setText(self._worldbooks.entries.why(entry))
        facts = self.tr("{mode} · order {order} · about {count} tokens")
        self._facts.setText(
            facts.format(
                mode=mode_names()[entry.mode], order=f"{entry.order:g}", count=f"{entry.tokens:,}"
            )
        )
        self._keys.setText(self.tr("Keywords: {keys}").format(keys=", ".join(entry.keys)))
        self._keys.setVisible(bool(entry.keys))
        if self.content.toPlainText() != entry.content:
            self.content.setPlainText(entry.content)
        has_event = self._worldbooks.event_of(entry) is not None
        self.event_button.setVisible(has_event)
        self._note.setText(
            self.tr("Made from an event: change it there, and this follows.")
            if has_event
            else self.tr("Made from this chat's memory; it follows whenever that changes.")
        )

    @Slot()
    def _show_event(self) -> None:
        if self._entry is not None:
            self._worldbooks.show_event(self._entry)
