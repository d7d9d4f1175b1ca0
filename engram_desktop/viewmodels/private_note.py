"""Private notes: read and written beside their subject, and marks of everything that has one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory import private_note
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, newest_answer
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel


@dataclass(frozen=True, slots=True)
class NotedThing:
    """The subject of a note, and its text."""

    chat_id: str
    kind: private_note.NoteKind
    ref: str
    text: str = ""

    def is_same_as(self, other: NotedThing) -> bool:
        """Return whether both are the note of the same subject, whatever the text."""
        return (self.chat_id, self.kind, self.ref) == (other.chat_id, other.kind, other.ref)


class PrivateNoteModel(WorkspaceModel):
    """Editor of one note. Empty when the chat is seen as a character: notes are the user's own."""

    shown = Signal(object)  # NotedThing or None

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.current: NotedThing | None = None
        self._newest = newest_answer(workspace, self._on_read, self)
        workspace.hub.changed.connect(self._on_changed)
        workspace.chat_changed.connect(self._on_chat_changed)

    def show(self, kind: private_note.NoteKind, ref: str) -> None:
        """Read the note of something in the shown chat; for the chat itself ``ref`` is empty."""
        chat_id, memory = self._space.chat_id, self._space.memory
        if not chat_id or self._space.actor:
            self.leave()
            return
        self._newest.ask(
            lambda _ctx: NotedThing(chat_id, kind, ref, memory.chats.notes.read(chat_id, kind, ref))
        )

    def show_floor(self, floor: int) -> None:
        """Read the note of the message at a floor of the shown line."""
        line, memory = self._space.line, self._space.memory
        if not line.chat_id or self._space.actor:
            self.leave()
            return

        def read(_ctx: JobContext) -> NotedThing | None:
            messages = memory.messages.slice(line, floor, floor)
            if not messages:
                return None
            ref = messages[0].id
            text = memory.chats.notes.read(line.chat_id, "message", ref)
            return NotedThing(line.chat_id, "message", ref, text)

        self._newest.ask(read)

    def leave(self) -> None:
        """Show no note."""
        self._newest.drop()
        self._on_read(None)

    @Slot(str)
    def _on_chat_changed(self, _chat_id: str) -> None:
        self.leave()

    def save(self, thing: NotedThing, text: str) -> None:
        """Save a note; a text equal to the stored one is not written again."""
        if text.strip() == thing.text.strip():
            return
        chat_id, kind, ref = thing.chat_id, thing.kind, thing.ref
        memory = self._space.memory
        self._space.change(
            self.tr("Saving a private note"),
            lambda _ctx: memory.chats.notes.write(chat_id, kind, ref, text),
        )

    @Slot(object)
    def _on_read(self, thing: NotedThing | None) -> None:
        self.current = thing
        self.shown.emit(thing)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        thing = self.current
        if thing is not None and changes.notes and changes.chat_id == thing.chat_id:
            self.show(thing.kind, thing.ref)


def note_words() -> str:
    """Return the tooltip of the mark of a private note."""
    return QCoreApplication.translate("NoteMarks", "You wrote a private note on this")


class NoteMarks(WorkspaceModel):
    """What has a private note in the shown line, read at once, so that rows only look it up.

    Empty when the chat is seen as a character: notes are the user's own.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.parts = private_note.NotedParts()
        self._query = LiveQuery(
            workspace,
            "marks of private notes",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=lambda: self._show(private_note.NotedParts()),
            parent=self,
        )

    def has_event(self, event_id: str) -> bool:
        """Return whether an event has a note."""
        return event_id in self.parts.events

    def has_entity(self, entity_id: str) -> bool:
        """Return whether an entity has a note."""
        return entity_id in self.parts.entities

    def has_floor(self, floor: int) -> bool:
        """Return whether the message of a floor has a note."""
        return floor in self.parts.floors

    def _ask(self) -> Callable[[JobContext], private_note.NotedParts] | None:
        line, memory = self._space.line, self._space.memory
        if not line.chat_id or self._space.actor:
            return None
        return lambda _ctx: memory.chats.notes.parts(line)

    def _show(self, parts: private_note.NotedParts) -> None:
        if parts != self.parts:
            self.parts = parts
            self.changed.emit()

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        moves = self.parts.of_messages > 0 and (changes.messages or changes.branches)
        return is_ours and (changes.notes or moves)
