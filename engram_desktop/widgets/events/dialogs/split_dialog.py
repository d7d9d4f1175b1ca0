"""One event made two: where the second begins, and what each of them tells."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.mixed_fields import NumberField
from engram_desktop.widgets.parts.fields.text_fields import TextField


class SplitDialog(FramedDialog):
    def __init__(self, events: EventList, event: EventNode, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._events = events
        self._event = event
        self.set_title(self.tr("Split the event"))
        span = event.source_range
        self.body.addWidget(label(self.tr("The second part begins at floor"), "section"))
        self.floor = NumberField(span.start_index + 1, span.end_index)
        self.floor.setAccessibleName(self.tr("The second part begins at floor"))
        self.floor.setValue((span.start_index + span.end_index + 1) // 2)
        self.body.addWidget(self.floor)
        self.first = self._text(self.tr("What the first part tells"))
        self.second = self._text(self.tr("What the second part tells"))
        self.typed = {"first": self.first, "second": self.second}
        self.add_close(self.tr("Cancel"))
        self.split_button = self.add_button(self.tr("Split"), "main")
        self.split_button.clicked.connect(self._split)
        for field in (self.first, self.second):
            field.textChanged.connect(self._update)

    def _text(self, name: str) -> TextField:
        self.body.addWidget(label(name, "section"))
        field = TextField(name)
        field.setPlainText(self._event.summary)
        field.setFixedHeight(96)
        self.body.addWidget(field)
        return field

    def _texts(self) -> tuple[str, str]:
        return self.first.toPlainText().strip(), self.second.toPlainText().strip()

    def _update(self) -> None:
        self.split_button.setEnabled(all(self._texts()))

    def _split(self) -> None:
        self._events.split(self._event.pk, self.floor.value(), self._texts())
        self.close()
