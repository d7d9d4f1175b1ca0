"""The panel of one turn of play, and the dialog that starts a play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace

from PySide6.QtCore import QLocale, QObject, Signal, Slot
from PySide6.QtGui import QImage

from engram_desktop.domain.cards import CharacterRow
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.play import (
    Recalled,
    RecordedEvent,
    ScriptedScene,
    Started,
    TurnNote,
)
from engram_desktop.domain.recall.query import Level
from engram_desktop.domain.state.tree import StateChange, StateOp
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.state import parse_typed
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, PageModel, newest_answer
from engram_desktop.viewmodels.workspace.transcript import faces_of_cards
from engram_desktop.viewmodels.workspace.workspace import TypingPlace, Workspace, WorkspaceModel


class TurnView(PageModel):
    """State and commands of the turn panel. It reads only while the page is shown."""

    shown = Signal(object)  # TurnNote, or None: the message was not made here

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.floor = -1
        self.note: TurnNote | None = None
        self._query = LiveQuery(
            workspace,
            "turn",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.set_active(False)

    @Slot(int)
    def choose(self, floor: int) -> None:
        """Show the turn that made the message of a floor."""
        self.floor = floor
        self._query.read()

    def place(self, what: str) -> TypingPlace:
        line = self._space.line
        return TypingPlace(f"turn {line.branch_id} {self.floor} {what}", line.chat_id)

    @Slot()
    def show_panel(self) -> None:
        """Ask for the panel beside the page to be shown."""
        self._space.panel_wanted.emit()

    def correct_level(self, level: Level, floor: int | None = None) -> None:
        """Correct the level of a turn: the shown one, or that of ``floor``."""
        floor = self.floor if floor is None else floor
        line, memory = self._space.line, self._space.memory
        self._space.change(
            self.tr("Correcting a turn"),
            lambda _ctx: memory.play.correct_level(line, floor, level),
        )

    def correct_value(self, number: int, text: str) -> None:
        """Replace the new value of one change of the turn."""
        changes = list(self._changes())
        if number < len(changes):
            value = parse_typed(text, changes[number].new)
            changes[number] = replace(changes[number], new=value)
            self._correct_state(changes)

    def take_back(self, number: int) -> None:
        """Remove one change of the turn."""
        changes = list(self._changes())
        if number < len(changes):
            del changes[number]
            self._correct_state(changes)

    def correct_event(self, event: RecordedEvent | None) -> None:
        """Replace the event that the turn recorded; None removes it."""
        line, memory, floor = self._space.line, self._space.memory, self.floor
        if self.note is not None and event != self.note.event:
            self._space.change(
                self.tr("Correcting a turn"),
                lambda _ctx: memory.play.correct_event(line, floor, event),
            )

    def show_event(self) -> None:
        """Show the recorded event."""
        if self.note is not None and self.note.event_pk is not None:
            self._space.event_wanted.emit(self.note.event_pk)

    @Slot()
    def show_state(self) -> None:
        """Show the state page."""
        self._space.page_wanted.emit("state")

    def read_recalled(self, item: Recalled) -> None:
        """Show the messages of a memory that the turn recalled."""
        if item.start_index >= 0:
            self._space.floor_wanted.emit(item.start_index, item.end_index)

    def _changes(self) -> tuple[StateChange, ...]:
        state = self.note.state if self.note is not None else ()
        return tuple(change for change in state if change.fault is None)

    def _correct_state(self, changes: list[StateChange]) -> None:
        line, memory, floor = self._space.line, self._space.memory, self.floor
        ops = [
            StateOp("set" if c.new is not None else "remove", c.path, c.new, c.reason)
            for c in changes
        ]
        self._space.change(
            self.tr("Correcting a turn"), lambda _ctx: memory.play.correct_state(line, floor, ops)
        )

    def _ask(self) -> Callable[[JobContext], tuple[int, TurnNote | None]] | None:
        line, memory, floor = self._space.line, self._space.memory, self.floor
        if not line.chat_id or floor < 0 or self._space.actor:  # only the curator sees turns
            return None
        return lambda _ctx: (floor, memory.play.notes(line, floor, floor).get(floor))

    def _show(self, answer: tuple[int, TurnNote | None]) -> None:
        floor, note = answer
        if floor == self.floor:
            self.note = note
            self.shown.emit(note)

    def _forget(self) -> None:
        self.floor, self.note = -1, None
        self.shown.emit(None)

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        return is_ours and (changes.messages or changes.state or changes.rows)


@dataclass(frozen=True, slots=True)
class StartChoices:
    """The characters a chat can begin with; ``faces`` by id."""

    rows: tuple[CharacterRow, ...] = ()
    faces: dict[str, QImage] = field(default_factory=dict)
    scenes: tuple[ScriptedScene, ...] = ()


class PlayStart(WorkspaceModel):
    """State and commands of the dialog that starts a play.

    It reads nothing before `read` is called.
    """

    loaded = Signal(object)  # Cast
    greeted = Signal(object)  # list[str]
    started = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self._reading = newest_answer(workspace, self.loaded, self)
        self._greeting = newest_answer(workspace, self.greeted, self)

    def read(self) -> None:
        memory, language = self._space.memory, QLocale().name()[:2]
        self._reading.ask(lambda ctx: _cast(ctx, memory, language))

    def ask_greetings(self, card_ids: Sequence[str], player: str) -> None:
        """Read the greetings for a chat with these cards; emits `greeted`."""
        memory = self._space.memory
        if card_ids:
            self._greeting.ask(lambda _ctx: memory.play.greetings(card_ids, player))
        else:
            self._greeting.drop()
            self.greeted.emit([])

    def start(self, card_ids: Sequence[str], greeting: int, player: str) -> None:
        """Start a chat with these cards and show it."""
        memory = self._space.memory
        self._start(lambda ctx: memory.play.start(ctx, card_ids, greeting=greeting, player=player))

    def start_scene(self, scene: ScriptedScene) -> None:
        """Start a scene that plays without a model, and show it."""
        memory = self._space.memory
        self._start(lambda ctx: memory.play.start_scripted(ctx, scene.name, scene.language))

    def start_own_scene(self) -> None:
        """Start the built-in scene in the window's language, else the first one."""
        language, memory = QLocale().name()[:2], self._space.memory

        def work(ctx: JobContext) -> Started:
            scenes = memory.play.scripted_scenes()
            scene = next((s for s in scenes if s.language.startswith(language)), scenes[0])
            return memory.play.start_scripted(ctx, scene.name, scene.language)

        self._start(work)

    def _start(self, work: Callable[[JobContext], Started]) -> None:
        job = self._space.change(self.tr("Beginning a chat"), work)
        job.succeeded.connect(self._on_started)

    @Slot(object)
    def _on_started(self, started: Started) -> None:
        self._space.show_chat(started.line.chat_id)
        self._space.page_wanted.emit("play")
        self.started.emit()


def _cast(ctx: JobContext, memory: Memory, language: str) -> StartChoices:
    rows = tuple(memory.characters.all())
    faces = faces_of_cards(ctx, memory, rows)
    scenes = memory.play.scripted_scenes()
    own = [scene for scene in scenes if scene.language.startswith(language)]
    return StartChoices(rows, faces, tuple(own or scenes))
