"""At the head of the page: the one thing that is to be done next, with its button."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from engram_desktop.domain.overview.next_step import NextStep
from engram_desktop.domain.overview.overview import Progress
from engram_desktop.viewmodels.overview.overview import OverviewModel
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.basics.skeleton import Skeleton
from engram_desktop.widgets.parts.look.look import Look


@dataclass(frozen=True, slots=True)
class _Words:
    title: str
    hint: str
    button: str
    icon: str


class StepStrip(QFrame):
    summarise_wanted = Signal()
    consolidate_wanted = Signal()
    connect_wanted = Signal()

    def __init__(self, look: Look, model: OverviewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._look = look
        self._model = model
        self._icon = "info"
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 12, 12, 12)
        line.setSpacing(14)
        self._picture = label()
        line.addWidget(self._picture)
        words = QVBoxLayout()
        words.setSpacing(3)
        self.title = label("", "heading", wrap=True)
        self.hint = label("", "quiet", wrap=True)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(6)
        self._bar.setAccessibleName(self.tr("How far the memory is"))
        self.skeleton = Skeleton(look, 2)
        for part in (self.title, self.hint, self._bar, self.skeleton):
            words.addWidget(part)
        line.addLayout(words, 1)
        self.button = text_button("", "main")
        self.button.clicked.connect(self._act)
        line.addWidget(self.button)
        model.step_changed.connect(self.tell)
        look.changed.connect(self._draw)
        self.tell()

    @Slot()
    def tell(self) -> None:
        """Say what is next, as it is now."""
        current = self._model.current
        is_read = current is not None
        is_running = is_read and self._model.is_running
        self.skeleton.setVisible(not is_read)
        for part in (self._picture, self.title, self.hint, self.button):
            part.setVisible(is_read)
        self._bar.setVisible(is_running)
        if current is None:
            return
        progress = current.overview.progress
        words = self._words(progress)
        self._bar.setRange(0, max(1, progress.floors))
        self._bar.setValue(progress.remembered)
        self.title.setText(self.tr("Memory is being made…") if is_running else words.title)
        self.hint.setText(words.hint)
        self.hint.setVisible(bool(words.hint))
        self.button.setText(words.button)
        self._icon = "refresh" if is_running else words.icon
        self._draw()

    @Slot()
    def _draw(self) -> None:
        self._picture.setPixmap(self._look.pixmap(self._icon, "accent", 24))

    def _words(self, progress: Progress) -> _Words:
        unread = self.tr("%n floor(s) are not in memory yet", "", progress.untold)
        words: Mapping[NextStep, _Words] = {
            "review": _Words(
                self.tr("%n block(s) wait for your review", "", progress.waiting),
                self.tr("What they told becomes events once you have looked through it."),
                self.tr("Review…"),
                "eye",
            ),
            "retry": _Words(
                self.tr("%n block(s) could not be read", "", progress.failed),
                self.tr("The answers were kept: mend them, or ask again."),
                self.tr("Look at them…"),
                "warning",
            ),
            "agree": _Words(unread, self._model.price, self.tr("Go ahead"), "summarise"),
            "summarise": _Words(
                unread,
                self.tr("A summary turns them into events you can read, correct and recall."),
                self.tr("Summarise…"),
                "summarise",
            ),
            "consolidate": _Words(
                self.tr("The buffer is full: %n event(s)", "", progress.events.buffer),
                self.tr("Consolidated, they are recalled when the story needs them."),
                self.tr("Consolidate…"),
                "archive",
            ),
            "connect": _Words(
                self.tr("Made without a model, on this computer"),
                self.tr("With a model, the story, the people and what binds them get richer."),
                self.tr("Connect a model…"),
                "plug",
            ),
            "none": _Words(
                self.tr("Memory is up to date"),
                self._model.automation_text,
                self.tr("Play on"),
                "check",
            ),
        }
        return words[self._model.step]

    @Slot()
    def _act(self) -> None:
        model = self._model
        slots: Mapping[NextStep, Callable[[], object]] = {
            "review": model.review,
            "retry": model.retry,
            "agree": model.agree,
            "summarise": self.summarise_wanted.emit,
            "consolidate": self.consolidate_wanted.emit,
            "connect": self.connect_wanted.emit,
            "none": lambda: model.show_page("play"),
        }
        slots[model.step]()
