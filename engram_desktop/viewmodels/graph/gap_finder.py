"""What is missing of the entities of a chat: a filter of the graph, and what its panel says."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.graph.gaps import EntityGaps, Gap
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, NewestAnswer
from engram_desktop.viewmodels.workspace.workspace import Workspace


def gap_filters() -> dict[Gap, str]:
    """Name what the graph can be filtered by."""
    return {
        "alone": QCoreApplication.translate("Gaps", "alone: no relation"),
        "unlinked": QCoreApplication.translate("Gaps", "named without a link"),
        "described": QCoreApplication.translate("Gaps", "persons never described"),
        "home": QCoreApplication.translate("Gaps", "persons without a home"),
        "birthday": QCoreApplication.translate("Gaps", "persons without a birthday"),
    }


def gap_words() -> dict[Gap, str]:
    """Name what is missing of one entity."""
    return {
        "alone": QCoreApplication.translate("Gaps", "no relation"),
        "unlinked": QCoreApplication.translate("Gaps", "named without a link"),
        "described": QCoreApplication.translate("Gaps", "never described"),
        "home": QCoreApplication.translate("Gaps", "no home"),
        "birthday": QCoreApplication.translate("Gaps", "no birthday"),
    }


def _concerns(changes: Changes, chat_id: str) -> bool:
    return changes.chat_id == chat_id and (changes.has_memory or changes.messages)


class GapsOfOne(QObject):
    """What is missing of the entity that the graph page has selected."""

    read = Signal(object)  # EntityGaps, or None: nothing, or nobody is selected

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self._entity_id = ""
        self._newest = NewestAnswer(workspace.jobs, self)
        self._newest.answered.connect(self.read)
        self._newest.failed.connect(workspace.messages.show_error)
        workspace.hub.changed.connect(self._on_changed)

    @Slot(object)
    def show(self, entity: EntityNode | None) -> None:
        """Look for what is missing of an entity; None: of nobody."""
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
        """Look again after new messages: they may name the entity."""
        if self._entity_id and changes.messages and changes.chat_id == self._space.chat_id:
            self.show(EntityNode(self._entity_id, "", "unknown"))


class GapFinder(QObject):
    """Looks through the chat only while something is asked for. The curator's: as nobody else."""

    found = Signal()

    def __init__(
        self, workspace: Workspace, graph: GraphPageModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
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
        """The entities of which it is missing, the best known first; None: nothing is asked."""
        if self.wanted is None:
            return None
        return [one.entity_id for one in self._answer if self.wanted in one.gaps]

    def choose(self, gap: Gap | None) -> None:
        """Ask who lacks something; None asks nothing."""
        if gap == self.wanted:
            return
        was, self.wanted = self.wanted, gap
        self._query.set_active(gap is not None)
        if gap is None or was is not None:
            self.found.emit()  # one look finds all that is missing

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
