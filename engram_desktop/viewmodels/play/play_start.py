"""How a chat to be played begins: with cards of the library, or as a scene written beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from PySide6.QtCore import QLocale, QObject, Signal, Slot
from PySide6.QtGui import QImage

from engram_desktop.domain.cards.character import CharacterRow
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.play.turn import ScriptedScene, Started
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.faces import MAX_FACES, face_of
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Cast:
    """Whom a chat can begin with; ``faces`` by id."""

    rows: tuple[CharacterRow, ...] = ()
    faces: dict[str, QImage] = field(default_factory=dict)
    scenes: tuple[ScriptedScene, ...] = ()


class PlayStart(QObject):
    """State and commands of the dialog. `read` begins it."""

    loaded = Signal(object)  # Cast
    greeted = Signal(object)  # list[str]
    started = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self._reading = NewestAnswer(workspace.jobs, self)
        self._reading.answered.connect(self.loaded)
        self._reading.failed.connect(workspace.messages.show_error)
        self._greeting = NewestAnswer(workspace.jobs, self)
        self._greeting.answered.connect(self.greeted)
        self._greeting.failed.connect(workspace.messages.show_error)

    def read(self) -> None:
        memory = self._space.memory
        self._reading.ask(lambda ctx: _cast(ctx, memory))

    def ask_greetings(self, card_ids: Sequence[str], player: str) -> None:
        """Ask how a chat with these cards may begin."""
        memory = self._space.memory
        if card_ids:
            self._greeting.ask(lambda _ctx: memory.play.greetings(card_ids, player))
        else:
            self._greeting.drop()
            self.greeted.emit([])

    def start(self, card_ids: Sequence[str], greeting: int, player: str) -> None:
        """Begin a chat with these cards and show it."""
        memory = self._space.memory
        self._start(lambda ctx: memory.play.start(ctx, card_ids, greeting=greeting, player=player))

    def start_scene(self, scene: ScriptedScene) -> None:
        """Begin a scene that plays without a model, and show it."""
        memory = self._space.memory
        self._start(lambda ctx: memory.play.start_scripted(ctx, scene.name, scene.language))

    def start_own_scene(self) -> None:
        """Begin the scene that is written in the window's language, or the first there is."""
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


def _cast(ctx: JobContext, memory: Memory) -> Cast:
    rows = tuple(memory.characters.all())
    faces = {}
    for row in rows[:MAX_FACES]:
        ctx.check()
        try:
            faces[row.id] = face_of(memory.characters.picture(row.id))
        except KnownError:
            continue  # a card whose picture cannot be had is still a character
    return Cast(rows, faces, tuple(memory.play.scripted_scenes()))
