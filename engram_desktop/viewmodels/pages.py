"""The viewmodels of one window: they end together."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from PySide6.QtCore import QObject, Signal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.characters import character_list
from engram_desktop.viewmodels.chats import chat_export, message_reader, trash_list
from engram_desktop.viewmodels.chats.branches import Branches
from engram_desktop.viewmodels.chats.chat_status import ChatStatus
from engram_desktop.viewmodels.chats.chat_tree import ChatTree
from engram_desktop.viewmodels.chats.import_plan import ImportPlan
from engram_desktop.viewmodels.events import outline_tree
from engram_desktop.viewmodels.events.event_bin import EventBin
from engram_desktop.viewmodels.events.event_editor import EventEditor
from engram_desktop.viewmodels.events.event_history import EventHistory
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.events.event_many import EventMany
from engram_desktop.viewmodels.graph import (
    entity_editor,
    entity_sheet,
    graph_files,
    graph_view,
    same_inbox,
)
from engram_desktop.viewmodels.guide import guide
from engram_desktop.viewmodels.knowledge import secret_list, who_knows
from engram_desktop.viewmodels.knowledge.viewpoint import Viewpoint
from engram_desktop.viewmodels.logs import log_list
from engram_desktop.viewmodels.overview import overview
from engram_desktop.viewmodels.pipeline import reflection, review
from engram_desktop.viewmodels.pipeline.automation import Automation
from engram_desktop.viewmodels.pipeline.commands import Pipeline
from engram_desktop.viewmodels.play import play_chat, play_start, turn_view
from engram_desktop.viewmodels.prompts import prompt_editor, text_prompt
from engram_desktop.viewmodels.prompts.script_list import ScriptList
from engram_desktop.viewmodels.reading import memory_marks, reading_chat, remembering, text_search
from engram_desktop.viewmodels.recall import lab, question
from engram_desktop.viewmodels.search import hit_opener
from engram_desktop.viewmodels.serving import serving
from engram_desktop.viewmodels.settings.library_health import LibraryHealth
from engram_desktop.viewmodels.settings.releases import Releases
from engram_desktop.viewmodels.state import state_view
from engram_desktop.viewmodels.tavern import adoption
from engram_desktop.viewmodels.tavern.folder import TavernModel
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.viewmodels.worldbooks import worldbook_list
from engram_desktop.viewmodels.worldbooks.memory_shelf import MemoryShelf

MAX_FILTER_ENTITIES = 1_000  # offered in a menu that is typed into


class Pages(QObject):
    """What the frame of the window shows is made with it, the rest when it is first asked for.

    What is made late finds a chat open: it reads when its page or dialog is shown.
    """

    entities_read = Signal(object)  # list[EntityNode], best connected first

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.characters: list[str] = []
        self.events = EventList(workspace, self)
        self.branches = Branches(workspace, self)
        self.editor = EventEditor(workspace, self)
        self.event_many = EventMany(workspace, self.events, self)
        self.event_bin = EventBin(workspace, self)
        self.event_history = EventHistory(workspace, self.editor, self)
        self.undo = UndoActions(workspace, self)
        self.library_undo = UndoActions(workspace, self, is_library=True)
        self.chats = ChatTree(workspace, self.library_undo, self)
        self.memory_shelf = MemoryShelf(workspace, self)
        self.pipeline = Pipeline(workspace, self.undo, self)
        self.automation = Automation(workspace, self.undo, self)
        self.imports = ImportPlan(workspace, self)
        self.tavern = TavernModel(workspace, workspace.tavern, self)
        self.status = ChatStatus(workspace, self)
        self.status.changed.connect(self.pipeline.tell_untold)
        self.health = LibraryHealth(workspace, self)
        self.releases = Releases(workspace, self)
        self.viewpoint = Viewpoint(workspace, self)
        self.scripts = ScriptList(workspace, self.library_undo, self)
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

    @cached_property
    def opener(self) -> hit_opener.HitOpener:
        to = hit_opener.Destinations(lambda: self.graph, lambda: self.logs, lambda: self.worldbooks)
        return hit_opener.HitOpener(self._space, to, self)

    @cached_property
    def trash(self) -> trash_list.TrashList:
        return trash_list.TrashList(self._space, self)

    @cached_property
    def exports(self) -> chat_export.ChatExport:
        return chat_export.ChatExport(self._space, self)

    @cached_property
    def serving(self) -> serving.Serving:
        return serving.Serving(self._space, self.chats, self)

    @cached_property
    def graph(self) -> graph_view.GraphPageModel:
        return graph_view.GraphPageModel(self._space, self)

    @cached_property
    def guide(self) -> guide.Guide:
        return guide.Guide(self._space, self.tavern, self)

    @cached_property
    def overview(self) -> overview.OverviewModel:
        return overview.OverviewModel(self._space, self.automation, lambda: self.graph, self)

    @cached_property
    def graph_files(self) -> graph_files.GraphFiles:
        return graph_files.GraphFiles(self._space, self)

    @cached_property
    def entity(self) -> entity_editor.EntityEditor:
        return entity_editor.EntityEditor(self._space, self.graph, self.undo, self)

    @cached_property
    def sheets(self) -> entity_sheet.EntitySheets:
        return entity_sheet.EntitySheets(self._space, self.graph, self)

    @cached_property
    def same(self) -> same_inbox.SameInbox:
        return same_inbox.SameInbox(self._space, self.graph, self.undo, self)

    @cached_property
    def logs(self) -> log_list.LogList:
        return log_list.LogList(self._space, self)

    @cached_property
    def state(self) -> state_view.StateView:
        return state_view.StateView(self._space, self)

    @cached_property
    def who(self) -> who_knows.WhoKnows:
        return who_knows.WhoKnows(self._space, self)

    @cached_property
    def secrets(self) -> secret_list.SecretList:
        return secret_list.SecretList(self._space, self)

    @cached_property
    def play(self) -> play_chat.PlayChat:
        return play_chat.PlayChat(self._space, self.undo, self)

    @cached_property
    def reading(self) -> reading_chat.ReadingChat:
        return reading_chat.ReadingChat(self._space, self.undo, self)

    @cached_property
    def marks(self) -> memory_marks.MemoryMarks:
        return memory_marks.MemoryMarks(self._space, self)

    @cached_property
    def text_search(self) -> text_search.TextSearch:
        return text_search.TextSearch(self._space, self)

    @cached_property
    def outline_tree(self) -> outline_tree.OutlineTree:
        return outline_tree.OutlineTree(self._space, self.events, self)

    @cached_property
    def remembering(self) -> remembering.Remembering:
        return remembering.Remembering(self._space, self.undo, self)

    @cached_property
    def turn(self) -> turn_view.TurnView:
        return turn_view.TurnView(self._space, self)

    @cached_property
    def play_start(self) -> play_start.PlayStart:
        return play_start.PlayStart(self._space, self)

    @cached_property
    def worldbooks(self) -> worldbook_list.WorldbookList:
        return worldbook_list.WorldbookList(self._space, self.library_undo, self.memory_shelf, self)

    @cached_property
    def cast(self) -> character_list.CharacterList:
        return character_list.CharacterList(self._space, self.library_undo, self)

    @cached_property
    def recall(self) -> question.RecallPageModel:
        return question.RecallPageModel(self._space, self)

    @cached_property
    def lab(self) -> lab.RecallLab:
        return lab.RecallLab(self._space, self)

    @cached_property
    def reflecting(self) -> reflection.Reflecting:
        return reflection.Reflecting(self._space, self.undo, self)

    @cached_property
    def review(self) -> review.Review:
        return review.Review(self._space, self.undo, self)

    @cached_property
    def adoption(self) -> adoption.Adoption:
        return adoption.Adoption(self._space, self)

    @cached_property
    def messages(self) -> message_reader.MessageReader:
        return message_reader.MessageReader(self._space, self)

    @cached_property
    def completion(self) -> text_prompt.TextPromptModel:
        return text_prompt.TextPromptModel(self._space, self)

    @cached_property
    def prompts(self) -> prompt_editor.PromptEditor:
        return prompt_editor.PromptEditor(self._space, self)

    def _ask_entities(self) -> Callable[[JobContext], list[EntityNode]] | None:
        line, memory, names = self._space.line, self._space.memory, self._space.actors
        if not line.chat_id:
            return None
        return lambda ctx: memory.graph.find_entities(
            line, "", MAX_FILTER_ENTITIES, memory.knowledge.askers(ctx, line, names)
        )

    def _show_entities(self, entities: list[EntityNode]) -> None:
        self.characters = [e.name for e in entities if e.type == "char"]
        self.entities_read.emit(entities)

    def _concerns_entities(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        return is_ours and bool(changes.entities or changes.graph)
