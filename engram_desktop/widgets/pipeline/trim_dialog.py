"""Before trimming (精简): which outlines would be made, and their cost. One undo takes all back."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.domain.reports import TrimPlan
from engram_desktop.viewmodels.pipeline.commands import Pipeline
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, named_frame
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog


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
        self.start_button.setFocus()  # Enter would press what has the focus: "Cancel"
        self._what.setText(
            self._pipeline.outlines_text(plan)
            if plan.outlines
            else self.tr("There is nothing to trim.")
        )
        self._untold.setText(
            self.tr("%n archived event(s) are told by no outline.", "", plan.untold)
        )
        self._untold.setVisible(plan.untold > 0)
        self._tokens.setText(
            self.tr("Always visible: {used} of {limit} tokens.").format(
                used=f"{plan.tokens:,}", limit=f"{plan.limit:,}"
            )
        )

    def _start(self) -> None:
        self._pipeline.trim()
        self.close()
