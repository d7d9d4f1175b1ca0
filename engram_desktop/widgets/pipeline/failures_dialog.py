"""The blocks whose answers could not be read: why, and what the model really said, to be mended.

The list survives the program: answers are kept until they are read, asked for again or discarded.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListWidget, QWidget

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.pipeline.drafts.draft import Draft
from engram_desktop.domain.reports import FailedRange
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.pipeline.commands import Pipeline
from engram_desktop.viewmodels.pipeline.review import Review
from engram_desktop.viewmodels.workspace.messages import describe, translated
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.kept_typing import KeptTyping
from engram_desktop.widgets.parts.fields.text_fields import TextField


@dataclass(frozen=True, slots=True)
class _Row:
    """One block: with the draft that holds its answer, or without one where none came."""

    floors: tuple[int, int]
    reason: str
    raw: str
    draft: Draft | None = None


class FailuresDialog(FramedDialog):
    def __init__(
        self,
        pipeline: Pipeline,
        review: Review,
        failed: Sequence[FailedRange] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=680)
        self._pipeline = pipeline
        self._review = review
        self._others = list(failed)  # blocks without a draft: no answer came
        self._rows: list[_Row] = []
        self._texts: dict[str, str] = {}
        self.set_title(self.tr("Blocks that failed"))
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Blocks that failed"))
        self.list.setMaximumHeight(140)
        self.body.addWidget(self.list)
        self._reason = label("", "bad", wrap=True)
        self.body.addWidget(self._reason)
        self.body.addWidget(
            label(self.tr("The model's own answer; it can be corrected"), "section")
        )
        self.raw = TextField(self.tr("The model's own answer; it can be corrected"))
        self.raw.setMinimumHeight(220)
        self._typing = KeptTyping(review.unsaved, {"raw": self.raw}, self)
        self.body.addWidget(self._typing.hint)
        self.body.addWidget(self.raw, 1)
        self.discard_button = self.add_button(self.tr("Discard"), "danger", left=True)
        self.discard_button.clicked.connect(self._discard)
        copy = self.add_button(self.tr("Copy"), left=True)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.raw.toPlainText()))
        self.add_close(self.tr("Close"))
        self.again_button = self.add_button(self.tr("Ask again"))
        self.again_button.clicked.connect(self._again)
        self.all_button = self.add_button(self.tr("Ask for all again"))
        self.all_button.clicked.connect(self._all_again)
        self.read_button = self.add_button(self.tr("Read again"), "main")
        self.read_button.clicked.connect(self._read)
        self.list.currentRowChanged.connect(self._show)
        self.raw.textChanged.connect(self._on_typed)
        self.finished.connect(lambda _result: self._typing.drop_all())
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        review.listed.connect(self._on_listed)
        self._on_listed()
        review.read()

    @Slot()
    def _on_listed(self) -> None:
        drafts = self._review.failed
        floors = {draft.floors for draft in drafts}
        self._others = [f for f in self._others if (f.start_index, f.end_index) not in floors]
        self._rows = [
            *(_Row(d.floors, d.reason, d.answer, d) for d in drafts),
            *(_Row((f.start_index, f.end_index), f.reason, f.raw) for f in self._others),
        ]
        row = max(0, self.list.currentRow())
        self.list.clear()
        for block in self._rows:
            is_stale = block.draft is not None and block.draft.is_outdated
            mark = " · " + self.tr("outdated: the messages have changed") if is_stale else ""
            self.list.addItem(floors_words(*block.floors) + mark)
        self.list.setCurrentRow(min(row, len(self._rows) - 1))
        self._show(self.list.currentRow())

    @Slot(int)
    def _show(self, row: int) -> None:
        self._typing.flush()  # it may still show another block
        block = self._rows[row] if 0 <= row < len(self._rows) else None
        draft = block.draft if block is not None else None
        self.again_button.setEnabled(block is not None)
        self.all_button.setEnabled(len(self._rows) > 1)
        self.discard_button.setEnabled(draft is not None)
        self.read_button.setEnabled(draft is not None and not draft.is_outdated)
        self.raw.setReadOnly(draft is None)
        if block is None:
            self._reason.setText(self.tr("Nothing is left here."))
            self.raw.setPlainText("")
            return
        self._reason.setText(translated(block.reason))
        key = draft.id if draft is not None else ""
        text = self._texts.get(key, block.raw) or self.tr("There was no answer.")
        if self.raw.toPlainText() != text:
            self.raw.setPlainText(text)
        if self._typing.show(self._review.place(key), {"raw": block.raw}):
            self._texts[key] = self.raw.toPlainText()

    @Slot()
    def _on_typed(self) -> None:
        draft = self._draft()
        if draft is not None and self.raw.hasFocus():
            self._texts[draft.id] = self.raw.toPlainText()

    def _draft(self) -> Draft | None:
        row = self.list.currentRow()
        return self._rows[row].draft if 0 <= row < len(self._rows) else None

    def _read(self) -> None:
        draft = self._draft()
        if draft is not None:
            job = self._review.read_again(draft, self.raw.toPlainText())
            job.failed.connect(self._on_refused)

    @Slot(object)
    def _on_refused(self, error: Exception) -> None:
        """Say here, beside the text, why it still cannot be read."""
        if isinstance(error, KnownError):
            self._reason.setText(describe(error)[0])

    def _again(self) -> None:
        self._ask([self._rows[self.list.currentRow()]])

    def _all_again(self) -> None:
        self._ask(self._rows)

    def _ask(self, rows: Sequence[_Row]) -> None:
        """Ask a model for these blocks once more."""
        floors = {row.floors for row in rows if row.draft is None}
        self._others = [f for f in self._others if (f.start_index, f.end_index) not in floors]
        for row in rows:
            if row.draft is not None:
                self._review.ask_again(row.draft)
            else:
                self._pipeline.summarise(row.floors, "auto")
        self._on_listed()

    def _discard(self) -> None:
        draft = self._draft()
        if draft is not None:
            self._review.discard([draft.id])
