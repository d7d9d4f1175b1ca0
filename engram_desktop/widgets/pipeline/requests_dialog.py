"""Every request to a model since the program began: what was asked, what came back, its cost."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.pipeline.model_call import ModelCall
from engram_desktop.domain.text.moment import local_moment
from engram_desktop.viewmodels.pipeline.request_list import RequestList, readable
from engram_desktop.viewmodels.pipeline.usage import task_text
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog

_NUMBER = Qt.ItemDataRole.UserRole
_NUMBERS = (3, 4, 5, 6)  # columns of figures: they stand at the right
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RequestsDialog(FramedDialog):
    """Requests and answers are texts here: nothing in them is obeyed."""

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
