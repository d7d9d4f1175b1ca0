"""Dialogs shown before a step of the pipeline runs."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from engram_desktop.domain.pipeline.draft import ExtractorChoice
from engram_desktop.domain.reports import ConsolidationPlan, ReflectionPlan, SummaryPlan, TrimPlan
from engram_desktop.viewmodels.pipeline.commands import Floors, Pipeline
from engram_desktop.viewmodels.pipeline.review import Reflecting
from engram_desktop.viewmodels.workspace.choice_texts import choice_text
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.mixed_fields import FloorChoice
from engram_desktop.widgets.parts.layouts import add_row, column
from engram_desktop.widgets.parts.pieces import label, named_frame

# Before a summary: the floors, the method, and the cost.


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


# Before the buffer is consolidated: the planned changes. One undo reverts them all.


class ConsolidateDialog(FramedDialog):
    def __init__(self, pipeline: Pipeline, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=480)
        self._pipeline = pipeline
        self.set_title(self.tr("Consolidate memory"))
        card = named_frame("well")
        inner = column(card, 14, 6)
        self._what = label(self.tr("Planning…"), wrap=True)
        self._cost = label("", "quiet", wrap=True)
        self._locked = label("", "quiet", wrap=True)
        self._outlines = label("", "quiet", wrap=True)
        for part in (self._what, self._outlines, self._cost, self._locked):
            inner.addWidget(part)
        self.body.addWidget(card)
        self.body.addWidget(
            label(
                self.tr(
                    "Archived events leave the prompt: outlines still cover them, and "
                    "they come back word for word when they are recalled. "
                    "One undo takes all of it back."
                ),
                "quiet",
                wrap=True,
            )
        )
        self.add_close(self.tr("Cancel"))
        self.start_button = self.add_button(self.tr("Consolidate"), "main")
        self.start_button.setEnabled(False)
        self.start_button.clicked.connect(self._start)
        pipeline.consolidation_planned.connect(self._on_planned)
        pipeline.plan_consolidation()

    @Slot(object)
    def _on_planned(self, plan: ConsolidationPlan) -> None:
        self.start_button.setEnabled(plan.events > 0)
        self.start_button.setFocus()
        self._what.setText(
            self.tr(
                "%n event(s) will be embedded, linked into the graph and archived.", "", plan.events
            )
            if plan.events
            else self.tr("There is nothing to archive: a summary puts new events into the buffer.")
        )
        self._cost.setVisible(plan.events > 0)
        self._outlines.setText(self._pipeline.outlines_text(plan))
        self._outlines.setVisible(plan.outlines > 0)
        self._cost.setText(
            self.tr("About {tokens} tokens, embedded by {embedder}.").format(
                tokens=f"{plan.tokens:,}", embedder=plan.embedder
            )
        )
        self._locked.setText(self.tr("%n locked event(s) stay in the buffer.", "", plan.locked))
        self._locked.setVisible(plan.locked > 0)

    def _start(self) -> None:
        self._pipeline.consolidate()
        self.close()


# Before trimming (精简): the outlines that would be made, and their cost. One undo reverts all.


class TrimDialog(FramedDialog):
    def __init__(self, pipeline: Pipeline, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=480)
        self._pipeline = pipeline
        self.set_title(self.tr("Trim into outlines"))
        card = named_frame("well")
        inner = column(card, 14, 6)
        self._what = label(self.tr("Planning…"), wrap=True)
        self._untold = label("", "quiet", wrap=True)
        self._tokens = label("", "quiet", wrap=True)
        for part in (self._what, self._untold, self._tokens):
            inner.addWidget(part)
        self.body.addWidget(card)
        hint = self.tr(
            "An outline takes the place of the oldest events that are always visible. The events "
            "stay, are recalled as before, and come back when the outline is taken apart."
        )
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.add_close(self.tr("Cancel"))
        self.start_button = self.add_button(self.tr("Make outlines"), "main")
        self.start_button.setEnabled(False)
        self.start_button.clicked.connect(self._start)
        pipeline.trim_planned.connect(self._on_planned)
        pipeline.plan_trim()

    @Slot(object)
    def _on_planned(self, plan: TrimPlan) -> None:
        self.start_button.setEnabled(plan.outlines > 0)
        self.start_button.setFocus()  # otherwise Enter would press "Cancel", which has the focus
        self._what.setText(
            self._pipeline.outlines_text(plan)
            if plan.outlines
            else self.tr("There is nothing to trim.")
        )
        self._untold.setText(self.tr("%n archived event(s) are in no outline.", "", plan.untold))
        self._untold.setVisible(plan.untold > 0)
        self._tokens.setText(
            self.tr("Always visible: {used} of {limit} tokens.").format(
                used=f"{plan.tokens:,}", limit=f"{plan.limit:,}"
            )
        )

    def _start(self) -> None:
        self._pipeline.trim()
        self.close()


# Before looking back: the floors, and the cost.


class ReflectDialog(FramedDialog):
    def __init__(
        self, reflecting: Reflecting, messages: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=520)
        self.set_title(self.tr("Look back"))
        self._reflecting = reflecting
        hint = self.tr(
            "A model reads the floors once more: events that were missed go to the buffer, and what"
            " each character keeps to himself or herself becomes a private log. Each block can be"
            " undone by itself."
        )
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.choice_of_floors = FloorChoice(self.tr("What is new since the last time"), messages)
        self.body.addWidget(self.choice_of_floors)
        card = named_frame("well")
        inner = column(card, 14, 6)
        self.plan_text = label(self.tr("Planning…"), wrap=True)
        self.plan_hint = label("", "quiet", wrap=True)
        inner.addWidget(self.plan_text)
        inner.addWidget(self.plan_hint)
        self.body.addWidget(card)
        self.add_close(self.tr("Cancel"))
        self.start_button = self.add_button(self.tr("Look back"), "main")
        self.start_button.setEnabled(False)
        self.start_button.clicked.connect(self._start)
        reflecting.planned.connect(self._on_planned)
        self.choice_of_floors.changed.connect(self._plan)
        self._plan()

    @property
    def floors(self) -> Floors:
        return self.choice_of_floors.floors

    @Slot()
    def _plan(self) -> None:
        self.start_button.setEnabled(False)
        self._reflecting.plan(self.floors)

    @Slot(object)
    def _on_planned(self, plan: ReflectionPlan) -> None:
        count = len(plan.blocks)
        self.start_button.setEnabled(count > 0 and plan.has_model)
        if not count:
            self.plan_text.setText(self.tr("There is nothing new to look back on."))
            self.plan_hint.setText(
                self.tr("Floors that are not summarised yet, and the newest, are left for later.")
            )
            return
        first, last = plan.blocks[0][0], plan.blocks[-1][1]
        self.plan_text.setText(
            self.tr("%n block(s), floors {first}–{last}", "", count).format(first=first, last=last)
        )
        if plan.has_model:
            text = self.tr(
                "{model} is asked %n time(s), once per character and block:"
                " about {tokens} tokens to read.",
                "",
                plan.requests,
            )
            self.plan_hint.setText(text.format(model=plan.model, tokens=f"{plan.prompt_tokens:,}"))
        else:
            self.plan_hint.setText(
                self.tr("This needs a model. Set up a chat endpoint in the settings first.")
            )

    def _start(self) -> None:
        self._reflecting.start(self.floors)
        self.close()
