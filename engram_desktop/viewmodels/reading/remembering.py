"""记住这段: an event made of floors somebody selected, its words proposed, then corrected."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.unsaved_texts import Place, UnsavedTexts
from engram_desktop.viewmodels.workspace.workspace import Workspace

MOST_FLOORS = 400  # what is more than that is summarised in blocks, and is no one event


@dataclass(frozen=True, slots=True)
class Proposal:
    """What could be remembered; ``has_model``: a model could be asked for better words."""

    data: PlotExtraction | None
    has_model: bool = False


class Remembering(QObject):
    """State and commands of the form. ``span`` None: nothing is being written."""

    begun = Signal(object)  # SourceRange or None
    proposed = Signal(object)  # Proposal
    busy_changed = Signal(bool)

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._undo = undo
        self.span: SourceRange | None = None
        self._data = PlotExtraction("")
        self._asking = NewestAnswer(workspace.jobs, self)
        self._asking.answered.connect(self._on_proposed)
        self._asking.failed.connect(workspace.messages.show_error)
        self._asking.busy_changed.connect(self.busy_changed)
        workspace.chat_changed.connect(self.leave)

    @property
    def unsaved(self) -> UnsavedTexts:
        return self._space.unsaved

    @property
    def is_busy(self) -> bool:
        return self._asking.is_busy

    @property
    def place(self) -> Place:
        """Where the words of what is being written are kept."""
        line, span = self._space.line, self.span or SourceRange(0, 0)
        return Place(f"remember {line.branch_id} {span.start_index} {span.end_index}", line.chat_id)

    def begin(self, first: int, last: int) -> None:
        """Write what is to be remembered of some floors, and ask what it could be."""
        if self._space.actor or not self._space.chat_id or first < 0:
            return
        self.span = SourceRange(first, min(last, first + MOST_FLOORS - 1))
        self._data = PlotExtraction("")
        self.begun.emit(self.span)
        self._space.panel_wanted.emit()
        self._ask(by_model=False)

    @Slot()
    def ask_model(self) -> None:
        """Ask the model for the words; it costs what one summary costs."""
        self._ask(by_model=True)

    def save(self, summary: str, keywords: tuple[str, ...]) -> None:
        """Store the event; it joins the buffer."""
        span, line, memory = self.span, self._space.line, self._space.memory
        if span is None or not summary.strip():
            return
        data = replace(self._data, summary=summary, keywords=keywords)
        job = self._space.change(
            self.tr("Adding a memory"), lambda _ctx: memory.events.add(line, data, span)[1]
        )
        job.succeeded.connect(lambda changes: self._on_saved(span, changes))
        self.leave()

    @Slot()
    def leave(self) -> None:
        """Write nothing after all."""
        self._asking.drop()
        if self.span is not None:
            self.span = None
            self.begun.emit(None)

    def _ask(self, *, by_model: bool) -> None:
        span, line, memory = self.span, self._space.line, self._space.memory
        if span is None:
            return
        floors = (span.start_index, span.end_index)
        self._asking.ask(
            lambda ctx: Proposal(
                memory.pipeline.propose(ctx, line, floors, by_model=by_model),
                memory.endpoints.has_model(),
            ),
            lane="network" if by_model else "interactive",
        )

    @Slot(object)
    def _on_proposed(self, proposal: Proposal) -> None:
        if self.span is not None:
            self._data = proposal.data or PlotExtraction("")
            self.proposed.emit(proposal)

    def _on_saved(self, span: SourceRange, changes: Changes) -> None:
        floors = floors_words(span.start_index, span.end_index)
        self._undo.offer(self.tr("Remembered: {floors}").format(floors=floors), changes.undo_label)
