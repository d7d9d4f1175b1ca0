"""The viewmodels of one window, made together because they end together."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.characters.character_list import CharacterList
from engram_desktop.viewmodels.chats.branches import Branches
from engram_desktop.viewmodels.chats.chat_status import ChatStatus
from engram_desktop.viewmodels.chats.chat_tree import ChatTree
from engram_desktop.viewmodels.chats.import_plan import ImportPlan
from engram_desktop.viewmodels.chats.message_reader import MessageReader
from engram_desktop.viewmodels.chats.trash_list import TrashList
from engram_desktop.viewmodels.events.event_editor import EventEditor
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.graph.entity_editor import EntityEditor
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel
from engram_desktop.viewmodels.graph.same_inbox import SameInbox
from engram_desktop.viewmodels.logs.log_list import LogList
from engram_desktop.viewmodels.pipeline.automation import Automation
from engram_desktop.viewmodels.pipeline.commands import Pipeline
from engram_desktop.viewmodels.pipeline.reflection import Reflecting
from engram_desktop.viewmodels.pipeline.review import Review
from engram_desktop.viewmodels.prompts.prompt_editor import PromptEditor
from engram_desktop.viewmodels.prompts.script_list import ScriptList
from engram_desktop.viewmodels.recall.lab import RecallLab
from engram_desktop.viewmodels.recall.question import RecallPageModel
from engram_desktop.viewmodels.settings.library_health import LibraryHealth
from engram_desktop.viewmodels.state.state_view import StateView
from engram_desktop.viewmodels.tavern.adoption import Adoption
from engram_desktop.viewmodels.tavern.folder import TavernModel
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.viewmodels.worldbooks.book_list import BookList

MAX_FILTER_ENTITIES = 40


class Pages(QObject):
    entities_read = Signal(object)  # list[EntityNode], best connected first

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.characters: list[str] = []
        self.trash = TrashList(workspace, self)
        self.events = EventList(workspace, self)
        self.branches = Branches(workspace, self)
        self.editor = EventEditor(workspace, self)
        self.undo = UndoActions(workspace, self)
        self.library_undo = UndoActions(workspace, self, is_library=True)
        self.chats = ChatTree(workspace, self.library_undo, self)
        self.graph = GraphPageModel(workspace, self)
        self.entity = EntityEditor(workspace, self.graph, self.undo, self)
        self.same = SameInbox(workspace, self.graph, self.undo, self)
        self.logs = LogList(workspace, self)
        self.state = StateView(workspace, self)
        self.books = BookList(workspace, self.library_undo, self)
        self.cast = CharacterList(workspace, self.library_undo, self)
        self.recall = RecallPageModel(workspace, self)
        self.lab = RecallLab(workspace, self)
        self.pipeline = Pipeline(workspace, self.undo, self)
        self.reflecting = Reflecting(workspace, self.undo, self)
        self.review = Review(workspace, self.undo, self)
        self.automation = Automation(workspace, self.undo, self)
        self.imports = ImportPlan(workspace, self)
        self.adoption = Adoption(workspace, self)
        self.tavern = TavernModel(workspace, workspace.tavern, self)
        self.status = ChatStatus(workspace, self)
        self.status.changed.connect(self.pipeline.tell_untold)
        self.health = LibraryHealth(workspace, self)
        self.messages = MessageReader(workspace, self)
        self.scripts = ScriptList(workspace, self.library_undo, self)
        self.prompts = PromptEditor(workspace, self)
        self.library_undo.read()
        self._entities = LiveQuery(
            workspace,
            "names of entities",
            self._ask_entities,
            self._show_entities,
            concerns=self._concerns_entities,
            parent=self,
        )
        if workspace.chat_id:  # a window made anew shows the chat the last one did
            self.events.reload()
            self.undo.read()
            self.status.read()
            self._entities.read()

    def _ask_entities(self) -> Callable[[JobContext], list[EntityNode]] | None:
        line, memory = self._space.line, self._space.memory
        if not line.chat_id:
            return None
        return lambda _ctx: memory.graph.find_entities(line, "", MAX_FILTER_ENTITIES)

    def _show_entities(self, entities: list[EntityNode]) -> None:
        self.characters = [e.name for e in entities if e.type == "char"]
        self.entities_read.emit(entities)

    def _concerns_entities(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        return is_ours and bool(changes.entities or changes.graph)
