"""The first steps, one after the other, in the place of the page: never a dialog in the way."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from engram_desktop.viewmodels.guide.guide import Guide
from engram_desktop.widgets.guide.guide_steps import (
    FolderStep,
    GuideStep,
    LookStep,
    ModelStep,
    TavernStep,
)
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, named_frame, text_button
from engram_desktop.widgets.parts.look.look import Look

WIDTH, HEIGHT = 640, 420  # pixels of the card: what the longest step takes


class GuidePage(QWidget):
    finished = Signal()
    library_wanted = Signal(object)  # Path

    def __init__(
        self, look: Look, guide: Guide, library: Path, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.look_step = LookStep(guide)
        self.folder_step = FolderStep(library)
        self.tavern_step = TavernStep(look, guide)
        self.model_step = ModelStep(look, guide)
        self.steps: tuple[GuideStep, ...] = (
            self.look_step,
            self.folder_step,
            self.tavern_step,
            self.model_step,
        )
        self._stack = QStackedWidget()
        for step in self.steps:
            self._stack.addWidget(self._scrolled(step))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 16, 16, 16)
        outer.addStretch(2)
        outer.addWidget(self._make_card())
        outer.addStretch(3)
        self.folder_step.library_wanted.connect(self.library_wanted)
        self.show_step(0)

    @property
    def step(self) -> int:
        """Number of the step shown."""
        return self._stack.currentIndex()

    def _scrolled(self, step: GuideStep) -> QScrollArea:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(step.title)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(step)
        return area

    def _make_card(self) -> QWidget:
        card = named_frame("card")
        card.setMaximumWidth(WIDTH)
        inside = column(card, 24, 12)
        self._at = label("", "hint")
        inside.addWidget(self._at)
        self._stack.setMinimumHeight(300)
        self._stack.setMaximumHeight(HEIGHT)
        inside.addWidget(self._stack, 1)
        line = QHBoxLayout()
        self.skip_button = text_button(self.tr("Skip all this"), "link")
        self.skip_button.clicked.connect(self.finished)
        line.addWidget(self.skip_button)
        line.addStretch(1)
        self.back_button = text_button(self.tr("Back"))
        self.back_button.clicked.connect(self._back)
        line.addWidget(self.back_button)
        self.next_button = text_button("", "main")
        self.next_button.setDefault(True)
        self.next_button.clicked.connect(self._next)
        line.addWidget(self.next_button)
        inside.addLayout(line)
        return card

    def show_step(self, number: int) -> None:
        last = len(self.steps) - 1
        number = max(0, min(number, last))
        self._stack.setCurrentIndex(number)
        self._at.setText(
            self.tr("Step {number} of {count}").format(number=number + 1, count=last + 1)
        )
        self.back_button.setVisible(number > 0)
        self.next_button.setText(self.tr("Done") if number == last else self.tr("Next"))
        if self.isVisible():
            self.begin()

    def begin(self) -> None:
        """Look for what the step shown offers, and let Enter go on."""
        self.steps[self.step].begin()
        self.next_button.setFocus()

    @Slot()
    def _back(self) -> None:
        self.show_step(self.step - 1)

    @Slot()
    def _next(self) -> None:
        if self.step == len(self.steps) - 1:
            self.finished.emit()
        else:
            self.show_step(self.step + 1)
