"""Write a memory by hand: something that happened, or something that simply holds."""

from __future__ import annotations

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.widgets.parts.basics.layouts import add_row
from engram_desktop.widgets.parts.basics.pieces import kind_button, label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.chips import WordChips
from engram_desktop.widgets.parts.fields.floor_range import FloorRange
from engram_desktop.widgets.parts.fields.text_fields import TextField
from engram_desktop.widgets.parts.look.look import Look


class AddDialog(FramedDialog):
    def __init__(
        self, look: Look, events: EventList, floors: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=520)
        self._events = events
        self.set_title(self.tr("Write a memory"))
        self._make_kinds()
        self.text = TextField(self.tr("Memory"))
        self.text.setFixedHeight(110)
        self.text.textChanged.connect(self._update_texts)
        self.body.addWidget(self.text)
        self.keywords = WordChips(look, self.tr("Keywords"))
        add_row(self.body, self.tr("Keywords"), self.keywords)
        last = max(0, floors - 1)
        self.floors = FloorRange(last)
        self.floors.show_span(SourceRange(last, last))
        add_row(self.body, self.tr("Floors it tells of"), self.floors)
        self.add_close(self.tr("Cancel"))
        self.save_button = self.add_button(self.tr("Save"), "main")
        self.save_button.clicked.connect(self._save)
        self.typed = {"text": self.text, "keywords": self.keywords, "fact": self.fact_button}
        self._update_texts()
        self.text.setFocus()

    def _make_kinds(self) -> None:
        line = QHBoxLayout()
        self._kinds = QButtonGroup(self)
        self.event_button = kind_button("chip", self.tr("Event: it happened"))
        self.fact_button = kind_button("chip", self.tr("Fact: it holds"))
        for button in (self.event_button, self.fact_button):
            self._kinds.addButton(button)
            line.addWidget(button)
        line.addStretch(1)
        self.body.addLayout(line)
        self._hint = label("", "quiet", wrap=True)
        self.body.addWidget(self._hint)
        self.event_button.setChecked(True)
        self._kinds.buttonToggled.connect(lambda *_: self._update_texts())

    def _update_texts(self) -> None:
        is_fact = self.fact_button.isChecked()
        self._hint.setText(
            self.tr("A fact is locked in context until you let it go: a rule, an origin, a trait.")
            if is_fact
            else self.tr("An event joins the buffer and is archived with the others.")
        )
        self.text.setPlaceholderText(
            self.tr("For example: silver burns Lin Wan’s skin.")
            if is_fact
            else self.tr("For example: Lin Wan gave the copper key to the traveller.")
        )
        self.save_button.setEnabled(bool(self.text.toPlainText().strip()))

    def _save(self) -> None:
        data = PlotExtraction(
            self.text.toPlainText(),
            self.keywords.words,
            kind="fact" if self.fact_button.isChecked() else "event",
        )
        self._events.add(data, self.floors.span)
        self.close()
