"""Words selected in a message, made into an event, a fact, a thread, an entity or a relation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QObject, Signal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace

PassageUse = Literal["event", "fact", "thread", "entity", "relation"]
LONGEST_NAME = 80  # characters of an entity's name, as of names that a model gives


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of one message; ``speaker`` is "" for the narration."""

    floor: int
    words: str
    speaker: str = ""
    is_fact: bool = False


@dataclass(frozen=True, slots=True)
class RelationPassage:
    """Words of a floor that relate two entities; ``names`` are whom they name, the speaker last."""

    floor: int
    words: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AddedEntity:
    """An entity made by hand, or who has the name already."""

    entity_id: str
    changes: Changes


class PassageUses(QObject):
    """What is made of a passage. Only the curator makes anything."""

    memory_wanted = Signal(object)  # Passage: it is to be written as an event or a fact
    entity_wanted = Signal(str)  # id of an entity to be shown
    relation_wanted = Signal(object)  # RelationPassage: it is to be said who is related how

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._undo = undo

    @property
    def is_allowed(self) -> bool:
        """Whether anything may be made: what another person perceives is only read."""
        return bool(self._space.chat_id) and not self._space.actor

    def use(self, use: PassageUse, floor: int, words: str) -> None:
        """Make something of some words of a floor."""
        words = words.strip()
        if not words or not self.is_allowed:
            return
        if use == "thread":
            self._note_thread(floor, words)
        elif use == "entity":
            self._add_entity(words)
        elif use == "relation":
            self._ask_relation(floor, words)
        else:
            self._write(floor, words, is_fact=use == "fact")

    def save(self, data: PlotExtraction, span: SourceRange) -> None:
        """Store an event or a fact; the reader stays where they are."""
        line, memory = self._space.line, self._space.memory
        floors = floors_words(span.start_index, span.end_index)
        self._change(
            self.tr("Adding a memory"),
            self.tr("Remembered: {floors}").format(floors=floors),
            lambda _ctx: memory.events.add(line, data, span)[1],
        )

    def relate(self, passage: RelationPassage, src: str, predicate: str, dst: str) -> None:
        """Store a relation that holds from the floor of its words on."""
        line, memory = self._space.line, self._space.memory
        self._change(
            self.tr("Adding a relation"),
            self.tr("Related, from floor {floor} on").format(floor=passage.floor),
            lambda _ctx: memory.graph.add_relation(line, src, predicate, dst, passage.floor),
        )

    def noted(self, floor: int, words: str) -> list[str]:
        """Return the ids of threads that were noted of these words."""
        if not words.strip() or not self.is_allowed:
            return []
        return self._space.memory.findings.noted_at(self._space.line, floor, words)

    def forget(self, ids: list[str]) -> None:
        """Take noted threads away."""
        line, memory = self._space.line, self._space.memory
        self._change(
            self.tr("Forgetting a thread"),
            self.tr("No longer a thread"),
            lambda _ctx: memory.findings.forget_threads(line, ids),
        )

    def _write(self, floor: int, words: str, *, is_fact: bool) -> None:
        line, memory = self._space.line, self._space.memory

        def look(ctx: JobContext) -> Passage:
            speaker = memory.findings.speaker_of(ctx, line, floor, words)
            return Passage(floor, words, speaker, is_fact)

        self._space.look_up(look).succeeded.connect(self.memory_wanted)

    def _ask_relation(self, floor: int, words: str) -> None:
        """Look whom the words name: persons before places and things; then who says them."""
        line, memory = self._space.line, self._space.memory

        def look(ctx: JobContext) -> RelationPassage:
            named = memory.graph.named_in(line, words)
            persons = sorted(named, key=lambda entity: entity.type != "char")
            speaker = memory.findings.speaker_of(ctx, line, floor, words)
            known = memory.graph.named(line.chat_id, speaker) if speaker else None
            ends = [entity.name for entity in (*persons, *filter(None, [known]))]
            return RelationPassage(floor, words, tuple(dict.fromkeys(ends)))

        self._space.look_up(look).succeeded.connect(self.relation_wanted)

    def _note_thread(self, floor: int, words: str) -> None:
        line, memory = self._space.line, self._space.memory
        self._change(
            self.tr("Noting a thread"),
            self.tr("Noted as an open thread: it stands on the page of findings"),
            lambda ctx: memory.findings.note_thread(ctx, line, floor, words),
        )

    def _change(self, title: str, done: str, work: Callable[[JobContext], Changes]) -> None:
        job = self._space.change(title, work)
        job.succeeded.connect(lambda changes: self._undo.offer(done, changes.undo_label))

    def _add_entity(self, words: str) -> None:
        line, memory = self._space.line, self._space.memory
        name = " ".join(words.split())[:LONGEST_NAME]
        job = self._space.change(
            self.tr("Adding an entity"),
            lambda _ctx: AddedEntity(*memory.graph.add_entity(line, name)),
        )
        job.succeeded.connect(self._on_added)

    def _on_added(self, added: AddedEntity) -> None:
        self._space.page_wanted.emit("graph")
        self._space.panel_wanted.emit()
        self.entity_wanted.emit(added.entity_id)
