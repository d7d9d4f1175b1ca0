"""The viewmodels of one window, made together because they end together."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.entity import EntityNode
from engram_desktop.viewmodels.adoption import Adoption
from engram_desktop.viewmodels.automation import Automation
from engram_desktop.viewmodels.book_list import BookList
from engram_desktop.viewmodels.branches import Branches
from engram_desktop.viewmodels.character_list import CharacterList
from engram_desktop.viewmodels.chat_status import ChatStatus
from engram_desktop.viewmodels.chat_tree import ChatTree
from engram_desktop.viewmodels.entity_editor import EntityEditor
from engram_desktop.viewmodels.event_editor import EventEditor
from engram_desktop.viewmodels.event_list import EventList
from engram_desktop.viewmodels.graph_view import GraphPageModel
from engram_desktop.viewmodels.import_plan import ImportPlan
from engram_desktop.viewmodels.library_health import LibraryHealth
from engram_desktop.viewmodels.log_list import LogList
from engram_desktop.viewmodels.message_reader import MessageReader
from engram_desktop.viewmodels.pipeline import Pipeline
from engram_desktop.viewmodels.prompt_editor import PromptEditor
from engram_desktop.viewmodels.recall import RecallPageModel
from engram_desktop.viewmodels.recall_lab import RecallLab
from engram_desktop.viewmodels.reflection import Reflecting
from engram_desktop.viewmodels.review import Review
from engram_desktop.viewmodels.same_inbox import SameInbox
from engram_desktop.viewmodels.script_list import ScriptList
from engram_desktop.viewmodels.state_view import StateView
from engram_desktop.viewmodels.tavern import TavernModel
from engram_desktop.viewmodels.trash_list import TrashList
from engram_desktop.viewmodels.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace import Workspace

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
        workspace.chat_changed.connect(self._read_entities)
        workspace.hub.changed.connect(self._on_changed)
        if workspace.chat_id:  # a window made anew shows the chat the last one did
            self.events.reload()
            self.undo.read()
            self.status.read()
            self._read_entities()

    @Slot()
    def _read_entities(self) -> None:
        chat, memory, branch = self._space.chat_id, self._space.memory, self._space.branch_id
        if chat:
            job = self._space.look_up(
                lambda _ctx: memory.find_entities(chat, "", MAX_FILTER_ENTITIES, branch)
            )
            job.succeeded.connect(self._on_entities)

    @Slot(object)
    def _on_entities(self, entities: list[EntityNode]) -> None:
        self.characters = [e.name for e in entities if e.type == "char"]
        self.entities_read.emit(entities)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if changes.chat_id == self._space.chat_id and (changes.entities or changes.structure):
            self._read_entities()
