"""Before a summary: which floors, by what means, and what it will cost."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QWidget,
)

from engram_desktop.domain.pipeline.drafts.draft import ExtractorChoice
from engram_desktop.domain.reports import SummaryPlan
from engram_desktop.viewmodels.pipeline.commands import Floors, Pipeline
from engram_desktop.viewmodels.workspace.choice_texts import choice_text
from engram_desktop.widgets.parts.basics.layouts import add_row, column
from engram_desktop.widgets.parts.basics.pieces import label, named_frame
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.floor_choice import FloorChoice

CHOICES: tuple[ExtractorChoice, ...] = ("auto", "llm", "extractive")


class SummariseDialog(FramedDialog):
    def __init__(
        self,
        pipeline: Pipeline,
        messages: int,
        floors: Floors,
        parent: QWidget | None = None,
        *,
        redo: bool = False,
    ) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Summarise"))
        self._pipeline = pipeline
        self.body.addWidget(
            label(
                self.tr("Each block of floors is read once and becomes events in the buffer."),
                "quiet",
                wrap=True,
            )
        )
        self.choice_of_floors = FloorChoice(
            self.tr("Everything not yet summarised"), messages, floors
        )
        self.body.addWidget(self.choice_of_floors)
        self.redo_box = QCheckBox(self.tr("Make them again, to compare with what is there"))
        self.redo_box.setChecked(redo)
        self.body.addWidget(self.redo_box)
        self.extractor = QComboBox()
        for choice in CHOICES:
            self.extractor.addItem(choice_text("", choice), choice)
        add_row(self.body, self.tr("Read by"), self.extractor)
        card = named_frame("well")
        inner = column(card, 14, 6)
        self._plan_text = label(self.tr("Planning…"), wrap=True)
        self._plan_hint = label("", "quiet", wrap=True)
        inner.addWidget(self._plan_text)
        inner.addWidget(self._plan_hint)
        self.body.addWidget(card)
        self.add_close(self.tr("Cancel"))
        self.start_button = self.add_button(self.tr("Summarise"), "main")
        self.start_button.setEnabled(False)
        self.start_button.clicked.connect(self._start)
        pipeline.summary_planned.connect(self._on_planned)
        self.choice_of_floors.changed.connect(self._plan)
        self.extractor.currentIndexChanged.connect(self._plan)
        self.redo_box.toggled.connect(self._plan)
        self._plan()

    @property
    def floors(self) -> Floors:
        return self.choice_of_floors.floors

    @property
    def choice(self) -> ExtractorChoice:
        return CHOICES[self.extractor.currentIndex()]

    @property
    def redo(self) -> bool:
        return self.floors is not None and self.redo_box.isChecked()

    @Slot()
    def _plan(self) -> None:
        self.redo_box.setEnabled(self.floors is not None)
        self.start_button.setEnabled(False)
        self._pipeline.plan_summary(self.floors, self.choice, redo=self.redo)

    @Slot(object)
    def _on_planned(self, plan: SummaryPlan) -> None:
        count = len(plan.blocks)
        self.start_button.setEnabled(count > 0)
        if count == 0:
            self._plan_text.setText(self.tr("There is nothing left to summarise."))
            self._plan_hint.setText(self._why_nothing(plan))
            return
        first, last = plan.blocks[0][0], plan.blocks[-1][1]
        self._plan_text.setText(
            self.tr("%n block(s), floors {first}–{last}", "", count).format(first=first, last=last)
        )
        if plan.extractor == "llm":
            hint = self.tr(
                "{model} is asked once per block: about {tokens} tokens to read."
            ).format(model=plan.model, tokens=f"{plan.prompt_tokens:,}")
            if plan.answered:
                answered = self.tr(
                    "%n block(s) were answered before and cost nothing.", "", plan.answered
                )
                hint = f"{hint}\n{answered}"
            self._plan_hint.setText(hint)
        else:
            self._plan_hint.setText(
                self.tr("Without a model: key sentences, names and places. Nothing is sent.")
            )

    def _why_nothing(self, plan: SummaryPlan) -> str:
        if plan.waiting:
            return self.tr("%n block(s) wait for your review.", "", plan.waiting)
        if self.floors is not None:
            return self.tr("To get another summary of these floors, make them again.")
        return self.tr("The newest floors are left alone while they may still change.")

    def _start(self) -> None:
        if self.redo and self.floors is not None:
            self._pipeline.redo(self.floors, self.choice)
        else:
            self._pipeline.summarise(self.floors, self.choice)
        self.close()
