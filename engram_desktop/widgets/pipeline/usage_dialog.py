"""What models were asked, by day, task and model: requests, tokens, failures, cost."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from engram_desktop.domain.pipeline.usage import UsageRow
from engram_desktop.viewmodels.pipeline.usage import Usage, UsageValues, task_text
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog


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
