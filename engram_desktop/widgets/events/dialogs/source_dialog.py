"""The messages some memory came from, as they were written, and the way back to their memories.

Plain text, whatever they hold.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QWidget,
)

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.message import Message
from engram_desktop.viewmodels.chats.message_reader import MessageReader
from engram_desktop.viewmodels.events.event_words import floors_text, floors_words, lamp_words
from engram_desktop.viewmodels.prompts.script_list import ScriptList
from engram_desktop.widgets.parts.basics.layouts import clear_layout, column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog


class SourceDialog(FramedDialog):
    def __init__(
        self,
        reader: MessageReader,
        scripts: ScriptList,
        first: int,
        last: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=620)
        self.set_title(floors_words(first, last))
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self._lines = column(body, 0, 10)
        self._lines.addWidget(label(self.tr("Reading…"), "quiet"))
        scroll.setWidget(body)
        scroll.setMinimumHeight(420)
        self.body.addWidget(scroll, 1)
        self._reader = reader
        self._scripts = scripts
        self._events_head = label(self.tr("Remembered of these floors"), "section")
        self.events = QListWidget()
        self.events.setAccessibleName(self.tr("Remembered of these floors"))
        self.events.setMaximumHeight(120)
        self.events.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.events.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.events.itemActivated.connect(self._open)
        self.events.itemClicked.connect(self._open)
        for part in (self._events_head, self.events):
            self.body.addWidget(part)
            part.hide()
        self.add_close(self.tr("Close"))
        reader.read.connect(self._on_read)
        reader.remembered.connect(self._on_remembered)
        reader.ask(first, last)

    @Slot(object)
    def _on_read(self, messages: list[Message]) -> None:
        clear_layout(self._lines)
        for message in messages:
            head = self.tr("{name} · floor {floor}").format(name=message.name, floor=message.seq)
            line = QHBoxLayout()
            line.addWidget(label(head, "section"), 1)
            line.addWidget(self._steps_button(message.seq))
            who = text_button(self.tr("Who knows this…"), "link")
            who.clicked.connect(partial(self._reader.ask_who, message))
            line.addWidget(who)
            self._lines.addLayout(line)
            self._lines.addWidget(label(message.text, wrap=True))
        self._lines.addStretch(1)

    def _steps_button(self, floor: int) -> QPushButton:
        button = text_button(self.tr("As a model reads it"), "link")
        button.setAccessibleName(self.tr("Floor {floor} as a model reads it").format(floor=floor))
        button.clicked.connect(lambda: self._scripts.steps_wanted.emit(floor))
        return button

    @Slot(object)
    def _on_remembered(self, events: list[EventNode]) -> None:
        self.events.clear()
        for event in events:
            item = QListWidgetItem(f"{floors_text(event)} · {event.summary}")
            item.setData(Qt.ItemDataRole.UserRole, event.pk)
            item.setToolTip(lamp_words(event))
            self.events.addItem(item)
        for part in (self._events_head, self.events):
            part.setVisible(bool(events))

    @Slot(QListWidgetItem)
    def _open(self, item: QListWidgetItem) -> None:
        key = int(item.data(Qt.ItemDataRole.UserRole))
        self.close()
        self._reader.show_event(key)
