"""The recall lab: questions with known answers, asked with two settings, or sought in prompts."""

from __future__ import annotations

from collections.abc import Sequence

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

from engram_desktop.domain.recall.lab import (
    LabPlace,
    LabQuestion,
    LabReport,
    PromptPlace,
    PromptReport,
)
from engram_desktop.viewmodels.recall import RecallLab
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.widgets.parts.fields.text_fields import LineField
from engram_desktop.widgets.parts.layouts import FlowLayout, Tabs, call_with, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState
from engram_desktop.widgets.parts.pieces import ProgressBar, kind_button, label, text_button
from engram_desktop.widgets.recall.hit_card import (
    degraded_words,
    dropped_words,
    kind_name,
    leg_name,
    prompt_reasons,
)

# The legs that can be switched off, and the weights they stand for.
_LEGS = {
    "lexical": ("lexical",),
    "vector": ("vector", "following"),
    "graph": ("graph",),
    "speaker": ("speaker", "voice"),
    "date": ("date", "moment"),
}
_FRESHNESS = ("0.0", "0.05", "0.1")
PROMPTS = 1  # the second tab
COLUMN = 200  # pixels, wide enough for the reasons; the column of questions has at least as much


class SideForm(QFrame):
    """One configuration of recall, set by the user."""

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
        choices = QWidget()  # its children wrap in a narrow window
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
        """Return the settings chosen, as the lab takes them."""
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


class PromptForm(QFrame):
    """The budgets to test, set by the user."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        inner = column(self, 14, 6)
        inner.addWidget(label(self.tr("Does the answer stand in the prompt?"), "heading"))
        what = self.tr(
            "The prompt of every question is composed with each budget. The table shows whether"
            " what should be found stands in it, and how many tokens it takes. Nothing is changed."
        )
        inner.addWidget(label(what, "quiet", wrap=True))
        line = QHBoxLayout()
        line.setSpacing(8)
        caption = label(self.tr("Budgets (tokens)"), "quiet")
        self.budgets = LineField(self.tr("Such as 1000, 2000, 6000; empty: as in the settings"))
        self.budgets.setAccessibleName(self.tr("Budgets (tokens)"))
        caption.setBuddy(self.budgets)
        line.addWidget(caption)
        line.addWidget(self.budgets, 1)
        inner.addLayout(line)
        self.note = label("", "warn", wrap=True)
        self.note.hide()
        inner.addWidget(self.note)
        inner.addStretch(1)

    def show_notes(self, report: PromptReport | None) -> None:
        """Show which legs could not run."""
        note = degraded_words(report.degraded) if report and report.degraded else ""
        self.note.setText(note)
        self.note.setVisible(bool(note))


class QuestionTable(QTreeWidget):
    """Questions, below each the expected memories; one column for each configuration."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions: list[LabQuestion] = []
        self.setAccessibleName(self.tr("Questions of the lab"))
        self.header().setStretchLastSection(False)
        self.header().setMinimumSectionSize(COLUMN)

    def chosen(self) -> LabQuestion | None:
        """Return the question of the current row; None for the row of totals."""
        index = self.currentIndex()
        while index.parent().isValid():
            index = index.parent()
        number = index.data(Qt.ItemDataRole.UserRole)
        return None if number is None else self._questions[number]

    def start(self, heads: Sequence[str], totals: Sequence[str] = ()) -> None:
        """Clear the table; ``totals`` are over all questions."""
        self.clear()
        self._questions = []
        self.setColumnCount(1 + len(heads))
        self.setHeaderLabels([self.tr("Question and what it should find"), *heads])
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for number in range(len(heads)):
            self.setColumnWidth(number + 1, COLUMN)
        if totals:
            line = QTreeWidgetItem([self.tr("All questions"), *totals])
            font = self.font()
            font.setBold(True)
            for number in range(len(totals) + 1):
                line.setFont(number, font)
            self.addTopLevelItem(line)

    def add(
        self,
        question: LabQuestion,
        cells: Sequence[str] = (),
        places: Sequence[Sequence[str]] = (),
        is_missing: Sequence[bool] = (),
    ) -> None:
        """Add a question; ``places`` has, for each column, the cells of the expected memories."""
        top = QTreeWidgetItem([question.query, *cells])
        top.setData(0, Qt.ItemDataRole.UserRole, len(self._questions))
        self._questions.append(question)
        for n, expected in enumerate(question.expected):
            text = f"{kind_name(expected.kind)} · {expected.text[:90]}"
            if is_missing and is_missing[n]:
                text = self.tr("{memory} (is no more)").format(memory=text)
            line = QTreeWidgetItem([text, *(column_places[n] for column_places in places)])
            for number in range(1, len(places) + 1):  # the tooltip has what a narrow column cuts
                line.setToolTip(number, line.text(number))
            top.addChild(line)
        self.addTopLevelItem(top)
        top.setExpanded(bool(places))


class LabPage(QStackedWidget):
    ask_wanted = Signal(object)  # LabQuestion to ask again on the page beside

    def __init__(self, look: Look, lab: RecallLab, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lab = lab
        self._report: LabReport | None = None
        self._prompts: PromptReport | None = None
        empty = EmptyState(look, "check")
        empty.say(
            self.tr("How well is it remembered?"),
            self.tr(
                "Ask a question, tick the memories that answer it, and save them here. Then two"
                " ways to recall can be compared on all of them, and what stands in their prompts."
            ),
        )
        self.addWidget(empty)
        body = QWidget()
        inner = column(body, 0, 10)
        inner.addWidget(self._make_ways())
        inner.addWidget(self._make_sides())
        self.prompt_form = PromptForm()
        self.prompt_form.budgets.submitted.connect(self._look)
        inner.addWidget(self.prompt_form)
        inner.addLayout(self._make_buttons())
        self.table = QuestionTable()
        self.table.currentItemChanged.connect(self._on_chosen)
        call_with(self.table, Qt.Key.Key_Delete, self.delete_button.click)
        inner.addWidget(self.table, 1)
        self.addWidget(body)
        lab.questions_read.connect(self._on_read)
        lab.compared.connect(self._on_compared)
        lab.looked.connect(self._on_looked)
        lab.busy_changed.connect(self._on_busy)
        lab.progressed.connect(self._on_progressed)
        self._on_busy(False)
        self._show()

    def _make_ways(self) -> Tabs:
        """Make a tab for each kind of test; all share the table below."""
        self.ways = Tabs()
        for name in (self.tr("Two ways to recall"), self.tr("In the prompt")):
            self.ways.add(name, QWidget())
        self.ways.pages.hide()
        self.ways.changed.connect(self._show)
        return self.ways

    def _make_sides(self) -> QWidget:
        self._side_forms = QWidget()
        line = QHBoxLayout(self._side_forms)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(10)
        self.sides = (SideForm("A"), SideForm("B"))
        for side in self.sides:
            line.addWidget(side)
        return self._side_forms

    def _make_buttons(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.run_button = text_button(self.tr("Compare"), "main")
        self.run_button.clicked.connect(
            lambda: self._lab.run([side.pairs() for side in self.sides])
        )
        self.prompt_button = text_button(self.tr("Look into the prompts"), "main")
        self.prompt_button.clicked.connect(self._look)
        self.stop_button = text_button(self.tr("Stop"))
        self.stop_button.clicked.connect(self._lab.stop)
        self.bar = ProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.bar.setAccessibleName(self.tr("How many questions were asked"))
        self.ask_button = text_button(self.tr("Ask again"))
        self.ask_button.setToolTip(self.tr("See its hits, and tick other memories"))
        self.ask_button.clicked.connect(lambda: self.ask_wanted.emit(self.table.chosen()))
        self.delete_button = text_button(self.tr("Delete"))
        self.delete_button.clicked.connect(self._delete)
        for widget in (self.run_button, self.prompt_button, self.stop_button):
            line.addWidget(widget)
        line.addWidget(self.bar, 1)
        line.addStretch(1)
        line.addWidget(self.ask_button)
        line.addWidget(self.delete_button)
        return line

    @Slot()
    def _look(self) -> None:
        self._lab.look_into_prompts(self.prompt_form.budgets.text())

    def _delete(self) -> None:
        question = self.table.chosen()
        if question is not None:
            self._lab.delete(question.id)

    @Slot(object)
    def _on_read(self, questions: list[LabQuestion]) -> None:
        self._report = self._prompts = None
        self.prompt_form.show_notes(None)
        self._show()
        self.setCurrentIndex(1 if questions else 0)

    @Slot(object)
    def _on_compared(self, report: LabReport) -> None:
        for number, side in enumerate(self.sides):
            side.show_result(
                report.recall(number), report.milliseconds[number], report.degraded[number]
            )
        self._report = report
        self._show()

    @Slot(object)
    def _on_looked(self, report: PromptReport) -> None:
        self.prompt_form.show_notes(report)
        self._prompts = report
        self._show()

    @Slot()
    def _show(self) -> None:
        """Show the results of the chosen tab; before the test, the questions alone."""
        is_of_prompts = self.ways.pages.currentIndex() == PROMPTS
        for widget in (self._side_forms, self.run_button):
            widget.setVisible(not is_of_prompts)
        for widget in (self.prompt_form, self.prompt_button):
            widget.setVisible(is_of_prompts)
        if is_of_prompts and self._prompts is not None:
            self._show_prompts(self._prompts)
        elif not is_of_prompts and self._report is not None:
            self._show_sides(self._report)
        else:
            self.table.start([] if is_of_prompts else ["A", "B"])
            for question in self._lab.questions:
                self.table.add(question)
        self._on_chosen()

    def _show_sides(self, report: LabReport) -> None:
        self.table.start(["A", "B"])
        for row in report.rows:
            shares = [f"{row.share(n):.0%}" for n in range(len(row.sides))]
            places = [[self._place(place) for place in side] for side in row.sides]
            self.table.add(row.question, shares, places, row.is_missing)

    def _show_prompts(self, report: PromptReport) -> None:
        numbers = range(len(report.budgets))

        def cell(share: float, tokens: float) -> str:
            return f"{share:.0%} · " + self.tr("%n token(s)", "", round(tokens))

        heads = [self.tr("%n token(s)", "", budget) for budget in report.budgets]
        self.table.start(heads, [cell(report.evidence(n), report.tokens(n)) for n in numbers])
        for row in report.rows:
            cells = [cell(row.share(n), row.tokens[n]) for n in numbers]
            places = [[self._prompt_place(place) for place in column] for column in row.places]
            self.table.add(row.question, cells, places, row.is_missing)

    def _place(self, place: LabPlace) -> str:
        if place.rank is None:
            return self.tr("not found")
        best = sorted(place.why.items(), key=lambda pair: -pair[1])[:2]
        legs = listed(leg_name(leg) for leg, share in best if share > 0)
        return self.tr("place {rank} ({legs})").format(rank=place.rank, legs=legs)

    def _prompt_place(self, place: PromptPlace) -> str:
        if place.is_in_prompt:
            reasons = listed(prompt_reasons(place.why))
            return self.tr("in the prompt") + (f" ({reasons})" if reasons else "")
        return self.tr("not found") if place.dropped is None else dropped_words(place.dropped)

    @Slot()
    def _on_chosen(self) -> None:
        for button in (self.ask_button, self.delete_button):
            button.setEnabled(self.table.chosen() is not None)

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:  # noqa: FBT001 - Qt's signal
        for button in (self.run_button, self.prompt_button):
            button.setEnabled(not busy)
        for widget in (self.stop_button, self.bar):
            widget.setVisible(busy)
        self.bar.setRange(0, 0)

    @Slot(int, int)
    def _on_progressed(self, done: int, total: int) -> None:
        self.bar.setRange(0, total)
        self.bar.setValue(done)
