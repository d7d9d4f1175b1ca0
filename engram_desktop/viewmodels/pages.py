"""The viewmodels of one window; they are freed together."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels import (
    characters,
    findings,
    guide,
    inbox,
    knowledge,
    logs,
    next_prompt,
    overview,
    play,
    private_note,
    prompts,
    serving,
    state,
    tavern,
    turn_view,
)
from engram_desktop.viewmodels import recall as recall_models
from engram_desktop.viewmodels.chats import chat_files, chat_tree, volumes
from engram_desktop.viewmodels.chats.chat_files import ImportPlan
from engram_desktop.viewmodels.chats.chat_tree import Branches, ChatStatus, ChatTree
from engram_desktop.viewmodels.events import event_shapes
from engram_desktop.viewmodels.events.event_editor import EventEditor, EventHistory
from engram_desktop.viewmodels.events.event_edits import EventBinList, EventMany
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.graph import entity_editor, gap_finder, graph_view
from engram_desktop.viewmodels.knowledge import Viewpoint
from engram_desktop.viewmodels.pipeline import review
from engram_desktop.viewmodels.pipeline.commands import Automation, Pipeline
from engram_desktop.viewmodels.prompts import ScriptList
from engram_desktop.viewmodels.reading import reading_chat, text_marks
from engram_desktop.viewmodels.search import finders
from engram_desktop.viewmodels.settings.about import Releases
from engram_desktop.viewmodels.settings.library_health import LibraryHealth
from engram_desktop.viewmodels.tavern import TavernModel
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.viewmodels.worldbooks import worldbook_list
from engram_desktop.viewmodels.worldbooks.memory_shelf import MemoryShelf

MAX_FILTER_ENTITIES = 1_000  # entities offered in a menu with a search field

INBOX_AFTER_MS = 1_500  # after the start, before the inbox is made: the window is drawn first


class Pages(QObject):
    """Makes the viewmodels of a window: those of its frame at once, others when first used.

    A viewmodel made later finds a chat open: it reads when its page or dialog is shown.
    """

    entities_read = Signal(object)  # list[EntityNode], best connected first
    frame_made = Signal()  # the frame of the window was made and may be read for
    inbox_counted = Signal(int)  # number of waiting items in the inbox; 0 while unknown

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.characters: list[str] = []
        self.noted = private_note.NoteMarks(workspace, self)
        self.events = EventList(workspace, self, self.noted)
        self.branches = Branches(workspace, self)
        self.editor = EventEditor(workspace, self)
        self.event_many = EventMany(workspace, self.events, self)
        self.event_bin = EventBinList(workspace, self)
        self.event_history = EventHistory(workspace, self.editor, self)
        self.undo = UndoActions(workspace, self)
        self.events.deleted.connect(self.undo.offer)
        self.library_undo = UndoActions(workspace, self, is_library=True)
        self.chats = ChatTree(workspace, self.library_undo, self)
        self.memory_shelf = MemoryShelf(workspace, self)
        self.folders = chat_files.MemoryFolders(workspace, self)
        self.pipeline = Pipeline(workspace, self.undo, self)
        self.automation = Automation(workspace, self.undo, self)
        self.imports = ImportPlan(workspace, self)
        self.tavern = TavernModel(workspace, workspace.tavern, self)
        self.status = ChatStatus(workspace, self)
        self.status.changed.connect(self.pipeline.show_events_without_outline)
        self.health = LibraryHealth(workspace, self)
        self.releases = Releases(workspace, self)
        self.viewpoint = Viewpoint(workspace, self)
        self.scripts = ScriptList(workspace, self.library_undo, self)
        self._inbox_later = QTimer(self, singleShot=True, interval=INBOX_AFTER_MS)
        self._inbox_later.timeout.connect(lambda: self.inbox)
        self._inbox_later.start()
        self.frame_made.connect(self._read)
        self._entities = LiveQuery(
            workspace,
            "names of entities",
            self._ask_entities,
            self._show_entities,
            concerns=self._concerns_entities,
            parent=self,
        )
        self._entities.lane = "aside"

    def _read(self) -> None:
        """Read what the frame of the window shows, once it is connected."""
        self.library_undo.read()
        if self._space.chat_id:  # open already if the language of the window was changed
            self.events.reload()
            self.undo.read()
            self.status.read()
            self._entities.read()

    @cached_property
    def inbox(self) -> inbox.InboxList:
        """Return the inbox; from the first call on its count is shown beside every page."""
        made = inbox.InboxList(
            self._space, lambda: self.findings, lambda: self.graph, lambda: self.review, self
        )
        made.counted.connect(self.inbox_counted)
        return made

    @cached_property
    def opener(self) -> finders.HitOpener:
        to = finders.Destinations(lambda: self.graph, lambda: self.logs, lambda: self.worldbooks)
        return finders.HitOpener(self._space, to, self)

    def new_note(self) -> private_note.PrivateNoteModel:
        """Make the viewmodel of one field for private notes."""
        return private_note.PrivateNoteModel(self._space, self)

    @cached_property
    def trash(self) -> chat_tree.TrashList:
        return chat_tree.TrashList(self._space, self)

    @cached_property
    def volumes(self) -> volumes.Volumes:
        return volumes.Volumes(self._space, self.chats, self.library_undo, self)

    @cached_property
    def exports(self) -> chat_files.ChatExport:
        return chat_files.ChatExport(self._space, self)

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
        return overview.OverviewModel(
            self._space, self.automation, lambda: self.graph, lambda: self.findings, self
        )

    @cached_property
    def graph_files(self) -> graph_view.GraphFiles:
        return graph_view.GraphFiles(self._space, self)

    @cached_property
    def entity(self) -> entity_editor.EntityEditor:
        return entity_editor.EntityEditor(self._space, self.graph, self.undo, self)

    @cached_property
    def sheets(self) -> entity_editor.EntitySheets:
        return entity_editor.EntitySheets(self._space, self.graph, self)

    @cached_property
    def gaps(self) -> gap_finder.GapFinder:
        return gap_finder.GapFinder(self._space, self.graph, self)

    @cached_property
    def same(self) -> gap_finder.SameInbox:
        return gap_finder.SameInbox(self._space, self.graph, self.undo, self)

    @cached_property
    def logs(self) -> logs.LogList:
        made = logs.LogList(self._space, self)
        made.deleted.connect(self.undo.offer)
        return made

    @cached_property
    def quoted(self) -> text_marks.FindingMarks:
        return text_marks.FindingMarks(self._space, lambda: self.findings, self)

    @cached_property
    def findings(self) -> findings.FindingList:
        return findings.FindingList(self._space, self)

    @cached_property
    def state(self) -> state.StateView:
        return state.StateView(self._space, self)

    @cached_property
    def knowing(self) -> knowledge.KnowingModels:
        return knowledge.KnowingModels(self._space, self)

    @cached_property
    def event_views(self) -> event_shapes.EventViews:
        return event_shapes.EventViews(self._space, self.events, self)

    @cached_property
    def play(self) -> play.PlayChat:
        return play.PlayChat(self._space, self.undo, self)

    @cached_property
    def reading(self) -> reading_chat.ReadingChat:
        return reading_chat.ReadingChat(self._space, self.undo, self, self.noted)

    @cached_property
    def marks(self) -> text_marks.MemoryMarks:
        return text_marks.MemoryMarks(self._space, self)

    @cached_property
    def text_search(self) -> reading_chat.TextSearch:
        return reading_chat.TextSearch(self._space, self)

    @cached_property
    def passages(self) -> text_marks.PassageUses:
        made = text_marks.PassageUses(self._space, self.undo, self)
        made.entity_wanted.connect(self._show_entity)
        return made

    @cached_property
    def remembering(self) -> text_marks.Remembering:
        return text_marks.Remembering(self._space, self.undo, self)

    @cached_property
    def turn(self) -> turn_view.TurnView:
        return turn_view.TurnView(self._space, self)

    @cached_property
    def play_start(self) -> turn_view.PlayStart:
        return turn_view.PlayStart(self._space, self)

    @cached_property
    def worldbooks(self) -> worldbook_list.WorldbookList:
        return worldbook_list.WorldbookList(self._space, self.library_undo, self.memory_shelf, self)

    @cached_property
    def cast(self) -> characters.CharacterList:
        return characters.CharacterList(self._space, self.library_undo, self)

    @cached_property
    def recall(self) -> recall_models.RecallPageModel:
        return recall_models.RecallPageModel(self._space, self)

    @cached_property
    def next_prompt(self) -> next_prompt.NextPromptModel:
        return next_prompt.NextPromptModel(self._space, self)

    @cached_property
    def lab(self) -> recall_models.RecallLab:
        return recall_models.RecallLab(self._space, self)

    @cached_property
    def reflecting(self) -> review.Reflecting:
        return review.Reflecting(self._space, self.undo, self)

    @cached_property
    def review(self) -> review.Review:
        return review.Review(self._space, self.undo, self)

    @cached_property
    def adoption(self) -> tavern.Adoption:
        return tavern.Adoption(self._space, self)

    @cached_property
    def messages(self) -> reading_chat.MessageReader:
        return reading_chat.MessageReader(self._space, self)

    @cached_property
    def completion(self) -> prompts.TextPromptModel:
        return prompts.TextPromptModel(self._space, self)

    @cached_property
    def prompts(self) -> prompts.PromptEditor:
        return prompts.PromptEditor(self._space, self)

    @Slot(str)
    def _show_entity(self, entity_id: str) -> None:
        self.graph.show_entity(entity_id)

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
