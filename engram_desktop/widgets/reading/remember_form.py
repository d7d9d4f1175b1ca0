"""The form in which selected floors become an event: words that were proposed, to be corrected."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.reading.remembering import Proposal, Remembering
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, add_row, column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.fields.chips import WordChips
from engram_desktop.widgets.parts.fields.kept_typing import KeptTyping
from engram_desktop.widgets.parts.fields.text_fields import TextField
from engram_desktop.widgets.parts.look.look import Look

SUMMARY_HEIGHT = 170  # eight lines, as a long summary has


class RememberForm(QWidget):
    """Hidden while nothing is being written."""

    def __init__(self, look: Look, model: Remembering, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        rows = column(self, 0, 6)
        self._title = label("", "section", wrap=True)
        rows.addWidget(self._title)
        self.summary = TextField(self.tr("What happened"))
        self.summary.setFixedHeight(SUMMARY_HEIGHT)
        self.summary.textChanged.connect(self._update_button)
        rows.addWidget(self.summary)
        self._hint = label("", "hint", wrap=True)
        rows.addWidget(self._hint)
        self.keywords = WordChips(look, self.tr("Keywords"))
        add_row(rows, self.tr("Keywords"), self.keywords)
        self._typing = KeptTyping(
            model.unsaved, {"summary": self.summary, "keywords": self.keywords}, self
        )
        rows.addWidget(self._typing.hint)
        self.model_button = text_button(self.tr("Let the model write it"))
        self.model_button.clicked.connect(self._ask_model)
        self.cancel_button = text_button(self.tr("Cancel"))
        self.cancel_button.clicked.connect(self._leave)
        self.save_button = text_button(self.tr("Remember"), "main")
        self.save_button.clicked.connect(self._save)
        buttons = QWidget()
        flow = FlowLayout(buttons)
        for button in (self.save_button, self.model_button, self.cancel_button):
            flow.addWidget(button)
        rows.addWidget(buttons)
        model.begun.connect(self._on_begun)
        model.proposed.connect(self._on_proposed)
        model.busy_changed.connect(self._show_busy)
        self._on_begun(model.span)

    @Slot(object)
    def _on_begun(self, span: SourceRange | None) -> None:
        self.setVisible(span is not None)
        if span is None:
            return
        floors = floors_words(span.start_index, span.end_index)
        self._title.setText(self.tr("Remember: {floors}").format(floors=floors))
        self.summary.setPlainText("")
        self.keywords.show_words(())
        self.model_button.hide()
        self._typing.show(self._model.place)
        self.summary.setFocus()
        self._update_button()

    @Slot(object)
    def _on_proposed(self, proposal: Proposal) -> None:
        """Put proposed words in, unless somebody has begun to write their own."""
        self.model_button.setVisible(proposal.has_model)
        data = proposal.data
        place = self._model.place
        is_typed = self._typing.holds(place, "summary") or self._typing.holds(place, "keywords")
        if data is not None and not is_typed:
            self.summary.replace_text(data.summary)
            self.keywords.show_words(data.keywords)
            self._typing.show(place)
        self._show_busy(is_busy=False)

    @Slot(bool)
    def _show_busy(self, is_busy: bool) -> None:  # noqa: FBT001 - a Qt slot
        self.model_button.setEnabled(not is_busy)
        self._hint.setText(
            self.tr("Reading the floors…")
            if is_busy
            else self.tr("It joins the buffer, blue, and is archived with the others.")
        )

    def _ask_model(self) -> None:
        self._typing.drop()  # what stands there is what is to be replaced
        self._model.ask_model()

    def _save(self) -> None:
        self._typing.drop()
        self._model.save(self.summary.toPlainText().strip(), self.keywords.words)

    def _leave(self) -> None:
        self._typing.drop()
        self._model.leave()

    @Slot()
    def _update_button(self) -> None:
        self.save_button.setEnabled(bool(self.summary.toPlainText().strip()))
