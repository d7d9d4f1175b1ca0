"""Before the buffer is consolidated: what will be done. One undo takes it all back."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.domain.reports import ConsolidationPlan
from engram_desktop.viewmodels.pipeline.commands import Pipeline
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, named_frame
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog


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
                    "Archived events leave the prompt: outlines go on telling of them, and "
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
        )
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
