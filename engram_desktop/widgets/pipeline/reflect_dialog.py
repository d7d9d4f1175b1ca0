"""Before looking back: which floors, and what it will cost."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.domain.reports import ReflectionPlan
from engram_desktop.viewmodels.pipeline.commands import Floors
from engram_desktop.viewmodels.pipeline.reflection import Reflecting
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, named_frame
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.floor_choice import FloorChoice


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
