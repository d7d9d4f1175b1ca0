"""An entry's text in a large window: saved while it is typed, as beside the list."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.text.word_count import count_words
from engram_desktop.domain.worldbooks.worldbook import Entry
from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList
from engram_desktop.widgets.parts.basics.layouts import add_row
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import LineField, TextField

SIZE = (980, 720)  # pixels, where the screen has them


class LargeEditor(FramedDialog):
    """Edits the entry it was opened on, whatever is selected meanwhile."""

    def __init__(
        self, worldbooks: WorldbookList, entry: Entry, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=560)
        room = self.screen().availableSize()
        self.resize(min(SIZE[0], room.width() - 40), min(SIZE[1], room.height() - 60))
        self._worldbooks = worldbooks
        self._uid = entry.uid
        self._worldbook_id = worldbooks.open_id
        self.set_title(self.tr("Edit the entry"))
        self.title = LineField()
        self.title.setAccessibleName(self.tr("Title"))
        self.title.setText(entry.comment)
        add_row(self.body, self.tr("Title"), self.title)
        self.content = TextField(self.tr("Content"))
        self.content.setPlainText(entry.content)
        self.content.textChanged.connect(self._count)
        add_row(self.body, self.tr("Content"), self.content)
        self.body.setStretchFactor(self.content, 1)
        self.counts = label("", "quiet", wrap=True)
        self.body.addWidget(self.counts)
        self.title.submitted.connect(self.save)
        for field in (self.title, self.content):
            field.left.connect(self.save)
            field.rested.connect(self.save)
        self.finished.connect(lambda _result: self.save())
        self.add_close(self.tr("Close"))
        self._count()
        self.content.setFocus()

    @Slot()
    def save(self) -> None:
        """Save both texts; what is as it was is no change."""
        if self._worldbooks.open_id == self._worldbook_id:
            self._worldbooks.edit_one(
                self._uid, comment=self.title.text(), content=self.content.toPlainText()
            )

    @Slot()
    def _count(self) -> None:
        text = self.content.toPlainText()
        words = self.tr("{words} words · {characters} characters · about {tokens} tokens").format(
            words=f"{count_words(text):,}",
            characters=f"{len(text):,}",
            tokens=f"{estimate_tokens(text):,}",
        )
        budget = self._worldbooks.budget
        if budget is not None:
            share = 100 * estimate_tokens(text) / budget.size
            words += " · " + self.tr("{share} % of the budget").format(share=f"{share:.1f}")
        self.counts.setText(words)
