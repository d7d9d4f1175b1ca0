"""Dialogs for the usage of models, for requests, and for failed blocks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QListWidget,
    QPlainTextEdit,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.pipeline.draft import Draft
from engram_desktop.domain.pipeline.usage import ModelCall, UsageRow
from engram_desktop.domain.reports import FailedRange
from engram_desktop.domain.text.moment import local_moment
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.pipeline.commands import Pipeline
from engram_desktop.viewmodels.pipeline.review import Review
from engram_desktop.viewmodels.pipeline.usage import (
    RequestList,
    Usage,
    UsageValues,
    readable,
    task_text,
)
from engram_desktop.viewmodels.workspace.choice_texts import floors_words
from engram_desktop.viewmodels.workspace.messages import describe, translated
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import TextField, UnsavedFields
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.pieces import label

# Usage of models by day, task and model: requests, tokens, failures, cost.


class UsageDialog(FramedDialog):
    requests_wanted = Signal()

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=820)
        self.set_title(self.tr("Usage"))
        self._usage = Usage(workspace, self)
        self.today = label(self.tr("Reading…"), wrap=True)
        self.body.addWidget(self.today)
        self.table = self._make_table()
        self.body.addWidget(self.table, 1)
        self._hint = label("", "quiet", wrap=True)
        self.body.addWidget(self._hint)
        self.setMinimumHeight(480)
        self.requests_button = self.add_button(self.tr("The requests themselves…"), left=True)
        self.requests_button.clicked.connect(self.requests_wanted)
        self.add_close(self.tr("Close"))
        self._usage.read_done.connect(self._show)
        self._usage.read()

    def _make_table(self) -> QTableWidget:
        names = (
            self.tr("Day"),
            self.tr("Task"),
            self.tr("Model"),
            self.tr("Requests"),
            self.tr("Failed"),
            self.tr("Prompt tokens"),
            self.tr("Answer tokens"),
            self.tr("Cost"),
        )
        table = QTableWidget(0, len(names))
        table.setAccessibleName(self.tr("Usage"))
        for place, name in enumerate(names):
            title = QTableWidgetItem(name)
            title.setTextAlignment(_alignment(place))
            table.setHorizontalHeaderItem(place, title)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        return table

    @Slot(object)
    def _show(self, values: UsageValues) -> None:
        spent = f"{values.today.tokens:,}"
        if values.cap:
            text = self.tr("Today: {spent} of {cap} tokens").format(
                spent=spent, cap=f"{values.cap:,}"
            )
        else:
            text = self.tr("Today: {spent} tokens, no limit is set").format(spent=spent)
        self.today.setText(text)
        self.table.setRowCount(len(values.rows))
        for number, row in enumerate(values.rows):
            self._fill(number, row, values.currency)
        is_priced = any(row.cost is not None for row in values.rows)
        if not values.rows:
            self._hint.setText(self.tr("No model has been asked yet."))
        elif not is_priced:
            self._hint.setText(self.tr("Enter prices in the settings to see what it cost."))
        else:
            total = sum(row.cost or 0 for row in values.rows)
            self._hint.setText(
                self.tr("Altogether {money}").format(money=f"{values.currency}{total:,.2f}")
            )

    def _fill(self, number: int, row: UsageRow, currency: str) -> None:
        money = "" if row.cost is None else f"{currency}{row.cost:,.4f}"
        texts = (
            row.day,
            task_text(row.task),
            row.model,
            f"{row.calls:,}",
            f"{row.failed:,}" if row.failed else "",
            f"{row.prompt_tokens:,}",
            f"{row.completion_tokens:,}",
            money,
        )
        for place, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setTextAlignment(_alignment(place))
            self.table.setItem(number, place, item)


def _alignment(place: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if place > 2 else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


# Every request to a model since the program started: its text, the reply, its cost.


_NUMBER = Qt.ItemDataRole.UserRole
_NUMBERS = (3, 4, 5, 6)  # columns of figures, aligned right
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RequestsDialog(FramedDialog):
    """The requests to models. Requests and answers are shown as plain text only."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=860)
        self.resize(1080, 700)
        self._requests = RequestList(workspace, self)
        self.set_title(self.tr("Requests to models"))
        hint = self.tr("Held in memory until the program ends, stored nowhere, without any key.")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setObjectName("requests")
        parts.setChildrenCollapsible(False)
        self.list = self._make_list()
        parts.addWidget(self.list)
        sides = QWidget()
        line = QHBoxLayout(sides)
        line.setContentsMargins(0, 8, 0, 0)
        self.request = self._add_side(line, self.tr("What was asked"))
        self.answer = self._add_side(line, self.tr("What came back"))
        parts.addWidget(sides)
        parts.setStretchFactor(1, 2)
        self.body.addWidget(parts, 1)
        self._state = label("", "quiet", wrap=True)
        self.body.addWidget(self._state)
        self.add_close(self.tr("Close"))
        self._requests.changed.connect(self._show)
        self._requests.look()

    def _make_list(self) -> QTreeWidget:
        rows = QTreeWidget()
        rows.setAccessibleName(self.tr("Requests to models"))
        rows.setRootIsDecorated(False)
        rows.setUniformRowHeights(True)
        rows.setHeaderLabels(
            [
                self.tr("At"),
                self.tr("Task"),
                self.tr("Model"),
                self.tr("Prompt tokens"),
                self.tr("Answer tokens"),
                self.tr("Cost"),
                self.tr("Took"),
                self.tr("Result"),
            ]
        )
        header = rows.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        for place in _NUMBERS:
            rows.headerItem().setTextAlignment(place, _RIGHT)
        rows.currentItemChanged.connect(lambda item, _before: self._choose(item))
        return rows

    def _add_side(self, line: QHBoxLayout, name: str) -> QPlainTextEdit:
        side = QWidget()
        rows = column(side, 0, 4)
        rows.addWidget(label(name, "section"))
        text = QPlainTextEdit()
        text.setReadOnly(True)
        text.setAccessibleName(name)
        text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        rows.addWidget(text, 1)
        line.addWidget(side, 1)
        return text

    @Slot()
    def _show(self) -> None:
        current = self.list.currentItem()
        chosen = current.data(0, _NUMBER) if current is not None else None
        self.list.clear()
        for call in self._requests.calls:
            item = self._item(call)
            self.list.addTopLevelItem(item)
            if call.number == chosen:
                self.list.setCurrentItem(item)
        first = self.list.topLevelItem(0)
        if self.list.currentItem() is None and first is not None:
            self.list.setCurrentItem(first)
        is_any = bool(self._requests.calls)
        self._state.setText("" if is_any else self.tr("No model has been asked yet."))

    def _item(self, call: ModelCall) -> QTreeWidgetItem:
        about = "≈ " if call.is_estimate else ""
        money = "" if call.cost is None else f"{self._requests.currency}{call.cost:,.4f}"
        result = call.failure or self.tr("answered")
        item = QTreeWidgetItem(
            [
                f"{local_moment(call.at):%H:%M:%S}",
                task_text(call.task),
                call.model,
                f"{about}{call.prompt_tokens:,}",
                f"{about}{call.completion_tokens:,}",
                money,
                self.tr("{seconds} s").format(seconds=f"{call.elapsed_ms / 1000:.1f}"),
                result,
            ]
        )
        item.setData(0, _NUMBER, call.number)
        item.setToolTip(2, call.host)
        item.setToolTip(7, call.failure)
        for place in _NUMBERS:
            item.setTextAlignment(place, _RIGHT)
        return item

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        number = item.data(0, _NUMBER) if item is not None else None
        call = next((call for call in self._requests.calls if call.number == number), None)
        self.request.setPlainText(readable(call.request) if call else "")
        self.answer.setPlainText((call.answer or call.failure) if call else "")


# Blocks whose answers could not be parsed: the reason, and the model's text, to be corrected.
#
# The list is stored: answers are kept until they are read, requested again or
# discarded.


@dataclass(frozen=True, slots=True)
class _Row:
    """A failed block: with the draft that has its answer, or without one if no answer came."""

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
        self._typing = UnsavedFields(review.unsaved, {"raw": self.raw}, self)
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
        wanted = self._review.take_wanted(drafts)
        row = max(0, self.list.currentRow()) if wanted is None else wanted
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
        """Show beside the text why it still cannot be parsed."""
        if isinstance(error, KnownError):
            self._reason.setText(describe(error)[0])

    def _again(self) -> None:
        self._ask([self._rows[self.list.currentRow()]])

    def _all_again(self) -> None:
        self._ask(self._rows)

    def _ask(self, rows: Sequence[_Row]) -> None:
        """Ask a model for these blocks again."""
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
