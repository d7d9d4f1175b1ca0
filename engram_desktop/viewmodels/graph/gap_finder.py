"""Missing data of the entities of a chat, and suggestions which entities are the same."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import EntityNode, Suggestion
from engram_desktop.domain.graph.gaps import EntityGaps, Gap
from engram_desktop.domain.reports import EntityReport
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, newest_answer
from engram_desktop.viewmodels.workspace.messages import Notice, translated
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel


def gap_filters() -> dict[Gap, str]:
    """Return the display names of the graph's filters for missing data."""
    return {
        "alone": QCoreApplication.translate("Gaps", "alone: no relation"),
        "unlinked": QCoreApplication.translate("Gaps", "named without a link"),
        "described": QCoreApplication.translate("Gaps", "persons never described"),
        "home": QCoreApplication.translate("Gaps", "persons without a home"),
        "birthday": QCoreApplication.translate("Gaps", "persons without a birthday"),
    }


def gap_words() -> dict[Gap, str]:
    """Return what is missing of one entity, in words."""
    return {
        "alone": QCoreApplication.translate("Gaps", "no relation"),
        "unlinked": QCoreApplication.translate("Gaps", "named without a link"),
        "described": QCoreApplication.translate("Gaps", "never described"),
        "home": QCoreApplication.translate("Gaps", "no home"),
        "birthday": QCoreApplication.translate("Gaps", "no birthday"),
    }


def _concerns(changes: Changes, chat_id: str) -> bool:
    return changes.chat_id == chat_id and (changes.has_memory or changes.messages)


class GapsOfOne(WorkspaceModel):
    """Missing data of the entity that the graph page has selected."""

    read = Signal(object)  # EntityGaps, or None: no entity is selected

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self._entity_id = ""
        self._newest = newest_answer(workspace, self.read, self)
        workspace.hub.changed.connect(self._on_changed)

    @Slot(object)
    def show(self, entity: EntityNode | None) -> None:
        """Look for missing data of an entity; None clears the answer."""
        space = self._space
        memory, line = space.memory, space.line
        is_shown = entity is not None and line.chat_id and not space.actor and space.at is None
        if entity is None or not is_shown:
            self._entity_id = ""
            self._newest.drop()
            self.read.emit(None)
            return
        self._entity_id = entity_id = entity.id

        def look(ctx: JobContext) -> EntityGaps | None:
            return next(iter(memory.graph.gaps(ctx, line, [entity_id])), None)

        self._newest.ask(look)

    def show_floor(self, floor: int) -> None:
        self._space.floor_wanted.emit(floor, floor)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        """Look again after new messages: they may mention the entity."""
        if self._entity_id and changes.messages and changes.chat_id == self._space.chat_id:
            self.show(EntityNode(self._entity_id, "", "unknown"))


class GapFinder(WorkspaceModel):
    """Finds entities with missing data, while a filter is set; for the curator only."""

    found = Signal()

    def __init__(
        self, workspace: Workspace, graph: GraphPageModel, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self.of_one = GapsOfOne(workspace, self)
        graph.selected.connect(self.of_one.show)
        self.wanted: Gap | None = None
        self._answer: list[EntityGaps] = []
        self._query = LiveQuery(
            workspace,
            "gaps",
            self._ask,
            self._show,
            concerns=lambda changes: _concerns(changes, workspace.chat_id),
            forget=self._forget,
            parent=self,
        )
        self._query.set_active(False)

    @property
    def ids(self) -> list[str] | None:
        """Return the entities with the chosen gap, the best known first; None without a filter."""
        if self.wanted is None:
            return None
        return [one.entity_id for one in self._answer if self.wanted in one.gaps]

    def choose(self, gap: Gap | None) -> None:
        """Choose the gap to filter by; None clears the filter."""
        if gap == self.wanted:
            return
        was, self.wanted = self.wanted, gap
        self._query.set_active(gap is not None)
        if gap is None or was is not None:
            self.found.emit()  # one look finds all gaps

    def _ask(self) -> Callable[[JobContext], list[EntityGaps]] | None:
        memory, line = self._space.memory, self._space.line
        if not line.chat_id or self._space.actor or self.wanted is None:
            return None
        return lambda ctx: memory.graph.gaps(ctx, line)

    def _show(self, answer: list[EntityGaps]) -> None:
        self._answer = answer
        self.found.emit()

    def _forget(self) -> None:
        self._answer = []


class SameInbox(WorkspaceModel):
    changed = Signal(object)  # list[Suggestion]
    hidden_read = Signal(object)  # list[EntityNode]

    def __init__(
        self,
        workspace: Workspace,
        graph: GraphPageModel,
        undo: UndoActions,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo
        self._graph = graph
        self.waiting: list[Suggestion] = []
        self._query = newest_answer(workspace, self._show, self)
        graph.graph_changed.connect(self.read)

    @Slot()
    def read(self) -> None:
        """Read the open suggestions and the hidden entities."""
        line, memory = self._space.line, self._space.memory
        if not line.chat_id or self._space.actor:  # merging is for the curator only
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
        """Merge the two entities under the name of ``keep``."""
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
        """Search the whole graph for entities to merge."""
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.change(
            self.tr("Looking for duplicates"), lambda _ctx: memory.graph.find_same(chat)
        )
        job.succeeded.connect(self._on_looked)

    def update_profiles(self) -> None:
        """Ask the model to update the profiles of entities."""
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
            text = self.tr("There is no new event since the last update.")
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
