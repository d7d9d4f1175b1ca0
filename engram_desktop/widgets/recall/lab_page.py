"""The recall lab: questions with known answers, asked in two ways side by side."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QSpinBox,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.recall.lab import LabPlace, LabQuestion, LabReport, LabRow
from engram_desktop.viewmodels.recall.lab import RecallLab
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, column
from engram_desktop.widgets.parts.basics.list_keys import call_with
from engram_desktop.widgets.parts.basics.pieces import kind_button, label, text_button
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.empty_state import EmptyState
from engram_desktop.widgets.recall.recall_words import degraded_words, kind_name, leg_name

# What a reader may leave out, and the weights that stand for it.
_LEGS = {
    "lexical": ("lexical",),
    "vector": ("vector", "following"),
    "graph": ("graph",),
    "speaker": ("speaker", "voice"),
    "date": ("date", "moment"),
}
_FRESHNESS = ("0.0", "0.05", "0.1")


class SideForm(QFrame):
    """One way to recall, as a reader chooses it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(14, 8, 14, 10)
        outer.setSpacing(6)
        head = QHBoxLayout()
        head.addWidget(label(name, "heading"))
        self.result = label("", "heading")
        head.addStretch(1)
        head.addWidget(self.result)
        outer.addLayout(head)
        self.note = label("", "quiet", wrap=True)
        self.note.hide()
        outer.addWidget(self.note)
        chips = QWidget()
        flow = FlowLayout(chips)
        self.legs = {}
        for leg in _LEGS:
            chip = kind_button("chip", leg_name(leg))
            chip.setChecked(True)
            self.legs[leg] = chip
            flow.addWidget(chip)
        outer.addWidget(chips)
        outer.addWidget(self._make_choices(name))
        outer.addStretch(1)

    def _make_choices(self, name: str) -> QWidget:
        choices = QWidget()  # what it holds wraps where the window is narrow
        line = FlowLayout(choices, 8)
        self.top_k = QSpinBox()
        self.top_k.setRange(1, 100)
        self.top_k.setValue(10)
        self.freshness = QComboBox()
        self.freshness.addItems([self.tr("No matter how old"), "±5 %", "±10 %"])
        self.embedder = QComboBox()
        for text, value in (
            (self.tr("Embedder in use"), "current"),
            (self.tr("Built-in embedder"), "use"),
            (self.tr("Plain spelling"), "hash"),
        ):
            self.embedder.addItem(text, value)
        self.expand = QCheckBox(self.tr("Reword"))
        self.rerank = QCheckBox(self.tr("Rerank"))
        for caption, field in (
            (self.tr("At most"), self.top_k),
            (self.tr("Prefer what is recent"), self.freshness),
            (self.tr("Embedder"), self.embedder),
        ):
            field.setAccessibleName(f"{name}: {caption}")
            field.setToolTip(caption)
            if field is self.top_k:
                caption_label = label(caption, "quiet")
                caption_label.setMinimumHeight(self.top_k.sizeHint().height())
                line.addWidget(caption_label)
            line.addWidget(field)
        for box in (self.expand, self.rerank):
            box.setMinimumHeight(self.top_k.sizeHint().height())
            line.addWidget(box)
        return choices

    def pairs(self) -> dict[str, str]:
        """Return what was chosen as the lab reads it."""
        unused_legs = [
            w for leg, chip in self.legs.items() if not chip.isChecked() for w in _LEGS[leg]
        ]
        return {
            "without": ",".join(unused_legs),
            "top_k": str(self.top_k.value()),
            "freshness": _FRESHNESS[self.freshness.currentIndex()],
            "embedder": str(self.embedder.currentData()),
            "expand": "on" if self.expand.isChecked() else "off",
            "rerank": "on" if self.rerank.isChecked() else "off",
        }

    def show_result(self, share: float, milliseconds: float, degraded: tuple[str, ...]) -> None:
        self.result.setText(f"{share:.0%} · {milliseconds:.0f} ms")
        self.note.setText(degraded_words(degraded) if degraded else "")
        self.note.setVisible(bool(degraded))


class LabPage(QStackedWidget):
    ask_wanted = Signal(object)  # LabQuestion: to be asked again on the page beside

    def __init__(self, look: Look, lab: RecallLab, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lab = lab
        self._rows: list[LabRow] = []
        empty = EmptyState(look, "check")
        empty.say(
            self.tr("How well is it remembered?"),
            self.tr(
                "Ask a question, tick the memories that answer it, and save them here. Then two"
                " ways to recall can be compared on all of them."
            ),
        )
        self.addWidget(empty)
        body = QWidget()
        inner = column(body, 0, 10)
        sides = QHBoxLayout()
        sides.setSpacing(10)
        self.sides = (SideForm("A"), SideForm("B"))
        for side in self.sides:
            sides.addWidget(side)
        inner.addLayout(sides)
        inner.addLayout(self._make_buttons())
        self.table = QTreeWidget()
        self.table.setAccessibleName(self.tr("Questions of the lab"))
        self.table.setColumnCount(3)
        self.table.setHeaderLabels([self.tr("Question and what it should find"), "A", "B"])
        header = self.table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for number in (1, 2):
            self.table.setColumnWidth(number, 170)
        self.table.currentItemChanged.connect(self._on_chosen)
        call_with(self.table, Qt.Key.Key_Delete, self.delete_button.click)
        inner.addWidget(self.table, 1)
        self.addWidget(body)
        lab.questions_read.connect(self._on_read)
        lab.compared.connect(self._on_compared)
        lab.busy_changed.connect(self._on_busy)
        self._on_chosen()

    def _make_buttons(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.run_button = text_button(self.tr("Compare"), "main")
        self.run_button.clicked.connect(
            lambda: self._lab.run([side.pairs() for side in self.sides])
        )
        self.ask_button = text_button(self.tr("Ask again"))
        self.ask_button.setToolTip(self.tr("See its hits, and tick other memories"))
        self.ask_button.clicked.connect(lambda: self.ask_wanted.emit(self._chosen()))
        self.delete_button = text_button(self.tr("Delete"))
        self.delete_button.clicked.connect(self._delete)
        line.addWidget(self.run_button)
        line.addStretch(1)
        line.addWidget(self.ask_button)
        line.addWidget(self.delete_button)
        return line

    def _chosen(self) -> LabQuestion | None:
        index = self.table.currentIndex()
        if not index.isValid():
            return None
        while index.parent().isValid():
            index = index.parent()
        return self._rows[index.row()].question

    def _delete(self) -> None:
        question = self._chosen()
        if question is not None:
            self._lab.delete(question.id)

    @Slot(object)
    def _on_read(self, questions: list[LabQuestion]) -> None:
        self._fill([LabRow(question, ()) for question in questions])
        self.setCurrentIndex(1 if questions else 0)

    @Slot(object)
    def _on_compared(self, report: LabReport) -> None:
        for number, side in enumerate(self.sides):
            side.show_result(
                report.recall(number), report.milliseconds[number], report.degraded[number]
            )
        self._fill(list(report.rows))

    def _fill(self, rows: list[LabRow]) -> None:
        self._rows = rows
        self.table.clear()
        for row in rows:
            question = row.question
            shares = [f"{row.share(n):.0%}" for n in range(len(row.sides))]
            top = QTreeWidgetItem([question.query, *shares])
            for n, expected in enumerate(question.expected):
                text = f"{kind_name(expected.kind)} · {expected.text[:90]}"
                if row.is_missing and row.is_missing[n]:
                    text = self.tr("{memory} (is no more)").format(memory=text)
                top.addChild(QTreeWidgetItem([text, *(self._place(s[n]) for s in row.sides)]))
            self.table.addTopLevelItem(top)
            top.setExpanded(bool(row.sides))
        self._on_chosen()

    def _place(self, place: LabPlace) -> str:
        if place.rank is None:
            return self.tr("not found")
        best = sorted(place.why.items(), key=lambda pair: -pair[1])[:2]
        legs = "、".join(leg_name(leg) for leg, share in best if share > 0)
        return self.tr("place {rank} ({legs})").format(rank=place.rank, legs=legs)

    @Slot()
    def _on_chosen(self) -> None:
        for button in (self.ask_button, self.delete_button):
            button.setEnabled(self.table.currentIndex().isValid())

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:  # noqa: FBT001 - Qt's signal
        self.run_button.setEnabled(not busy)
