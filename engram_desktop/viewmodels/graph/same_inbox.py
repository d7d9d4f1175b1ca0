"""The inbox of entities that may be one: what waits, and the user's answers."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import EntityNode, Suggestion
from engram_desktop.domain.reports import EntityReport
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel
from engram_desktop.viewmodels.workspace.live_query import NewestAnswer
from engram_desktop.viewmodels.workspace.messages import Notice, translated
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace


class SameInbox(QObject):
    changed = Signal(object)  # list[Suggestion]
    hidden_read = Signal(object)  # list[EntityNode]

    def __init__(
        self,
        workspace: Workspace,
        graph: GraphPageModel,
        undo: UndoActions,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._undo = undo
        self._graph = graph
        self.waiting: list[Suggestion] = []
        self._query = NewestAnswer(workspace.jobs, self)
        self._query.answered.connect(self._show)
        self._query.failed.connect(workspace.messages.show_error)
        graph.graph_changed.connect(self.read)

    @Slot()
    def read(self) -> None:
        """Read what waits, and who is hidden."""
        line, memory = self._space.line, self._space.memory
        if not line.chat_id or self._space.actor:  # whom one may be is the curator's to see
            self._query.drop()
            self._show(([], []))
            return
        self._query.ask(
            lambda _ctx: (
                memory.graph.suggestions(line),
                memory.graph.hidden_entities(line.chat_id),
            )
        )

    def accept(self, suggestion: Suggestion, keep: EntityNode) -> None:
        """Merge the two under the name of ``keep``."""
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.change(
            self.tr("Merging"),
            lambda _ctx: memory.graph.accept_suggestion(chat, suggestion.id, keep.id),
        )
        gone = next(e for e in (suggestion.one, suggestion.other) if e.id != keep.id)
        job.succeeded.connect(lambda changes: self._on_merged(gone, keep, changes))

    def dismiss(self, suggestion: Suggestion) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        self._space.change(
            self.tr("Keeping apart"),
            lambda _ctx: memory.graph.dismiss_suggestion(chat, suggestion.id),
        )

    def look_again(self) -> None:
        """Look through the whole graph."""
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.change(
            self.tr("Looking for duplicates"), lambda _ctx: memory.graph.find_same(chat)
        )
        job.succeeded.connect(self._on_looked)

    def update_profiles(self) -> None:
        """Ask the model what is new about entities."""
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Updating profiles"),
            lambda ctx: memory.pipeline.update_profiles(ctx, line),
            lane="network",
        )
        job.succeeded.connect(self._on_updated)

    def _on_merged(self, gone: EntityNode, keep: EntityNode, changes: Changes) -> None:
        self._graph.show_survivor(gone.id, keep.id)
        text = self.tr("“{name}” was merged.").format(name=gone.name)
        self._undo.offer(text, changes.undo_label)

    @Slot(object)
    def _show(self, answer: tuple[list[Suggestion], list[EntityNode]]) -> None:
        self.waiting, hidden = answer
        self.changed.emit(self.waiting)
        self.hidden_read.emit(hidden)

    @Slot(object)
    def _on_looked(self, changes: Changes) -> None:
        if changes.undo_label is None:
            self._space.messages.show(Notice("info", self.tr("Nothing new looks like one entity.")))

    @Slot(object)
    def _on_updated(self, report: EntityReport) -> None:
        if not report.events and not report.failed:
            text = self.tr("Nothing was told since the last update.")
            self._space.messages.show(Notice("info", text))
            return
        text = self.tr("%n profile(s) updated", "", report.updated)
        self._space.messages.show(
            Notice(
                "warning" if report.failed else "success",
                text,
                "\n".join(translated(why) for why in report.failed),
                self.tr("Undo"),
                self._undo.way_back(),
            )
        )
