"""What the event shown was: its versions, what each changed, and going back to one."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.event_version import EventVersion
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.text.moment import local_moment
from engram_desktop.domain.text.words.word_diff import Piece, word_diff
from engram_desktop.qtjobs.handle import JobHandle
from engram_desktop.viewmodels.events.event_editor import EventEditor
from engram_desktop.viewmodels.events.event_words import confidence_names, floors_text
from engram_desktop.viewmodels.workspace.undo_actions import step_text
from engram_desktop.viewmodels.workspace.workspace import Workspace


class EventHistory(QObject):
    read = Signal(object)  # list[EventVersion], the newest first

    def __init__(
        self, workspace: Workspace, editor: EventEditor, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._editor = editor
        self._job: JobHandle | None = None
        self._is_wanted = False
        self.versions: list[EventVersion] = []
        editor.shown.connect(self._on_shown)
        workspace.hub.changed.connect(self._on_changed)

    @property
    def is_hidden(self) -> bool:
        """Whether the library is seen as somebody: what an event was is the curator's."""
        return bool(self._space.actors)

    def watch(self, *, wanted: bool) -> None:
        """Read the versions of the event shown, and read again as it changes."""
        self._is_wanted = wanted
        if wanted:
            self._look()

    def pieces(self, number: int) -> list[tuple[str, tuple[Piece, ...]]]:
        """Return what a version changed against the one before it: fields, and their words."""
        version = self.versions[number]
        older = self.versions[number + 1] if number + 1 < len(self.versions) else None
        before = dict((*_texts(older.event), *_marks(older.event))) if older else {}
        whole = {name for name, text in _marks(version.event)}
        changes = [
            (name, before.get(name, text if older is None else ""), text)
            for name, text in (*_texts(version.event), *_marks(version.event))
        ]
        return [
            (name, _whole(old, text) if name in whole else word_diff(old, text))
            for name, old, text in changes
            if (text if older is None else text != old)
        ]

    def can_restore(self, number: int) -> bool:
        """Whether there is something to go back to: the newest version stands already."""
        return 0 < number < len(self.versions) and not self.versions[0].event.is_locked

    def restore(self, number: int) -> None:
        """Make the event read as it did in a version; an undoable step of its own."""
        event, patch = self.versions[0].event, self.versions[number].patch
        memory, chat = self._space.memory, self._space.chat_id
        self._space.change(
            self.tr("Going back to a version"),
            lambda _ctx: memory.events.update(chat, event.pk, patch),
        )

    def title(self, number: int) -> str:
        """Say what made a version, and when."""
        version = self.versions[number]
        if version.label is None:
            return self.tr("Before the oldest step that is kept")
        return f"{local_moment(version.at):%Y-%m-%d %H:%M}  {step_text(version.label)}"

    def _look(self) -> None:
        event = self._editor.current
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if event is None or self.is_hidden:
            self._on_read([])
            return
        memory, chat, pk = self._space.memory, self._space.chat_id, event.pk
        self._job = self._space.look_up(lambda _ctx: memory.events.history(chat, pk))
        self._job.succeeded.connect(self._on_read)

    @Slot(object)
    def _on_read(self, versions: list[EventVersion]) -> None:
        self.versions = versions
        self.read.emit(versions)

    @Slot(object)
    def _on_shown(self, _event: EventNode | None) -> None:
        if self._is_wanted:
            self._look()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        """Read again after whatever is a step; the editor tells of changes of the event itself."""
        is_here = changes.chat_id == self._space.chat_id and changes.undo_label is not None
        if self._is_wanted and is_here and not changes.events:
            self._look()


def _whole(before: str, after: str) -> tuple[Piece, ...]:
    """Return a text that changed as one word."""
    if before == after:
        return (Piece("same", after),)
    pieces = (Piece("gone", before), Piece("new", after))
    return tuple(piece for piece in pieces if piece.text)


def _texts(event: EventNode) -> Iterator[tuple[str, str]]:
    """Yield what is told of an event, by the names of its fields."""
    data = event.raw_data
    relations = "\n".join(f"{r.subject} {r.predicate} {r.object}" for r in data.relations)
    yield QCoreApplication.translate("EventHistory", "Summary"), event.summary
    yield QCoreApplication.translate("EventHistory", "Event"), data.structured_kv.event
    yield QCoreApplication.translate("EventHistory", "Story time"), data.timestamp
    yield QCoreApplication.translate("EventHistory", "Place"), data.location
    yield QCoreApplication.translate("EventHistory", "Details"), data.details
    yield QCoreApplication.translate("EventHistory", "Keywords"), ", ".join(data.keywords)
    names = ", ".join(entity.name for entity in data.entities)
    yield QCoreApplication.translate("EventHistory", "Entities"), names
    yield QCoreApplication.translate("EventHistory", "Relations"), relations


def _marks(event: EventNode) -> Iterator[tuple[str, str]]:
    """Yield what is set of an event: half of such a word that changed would tell nothing."""
    if event.is_deleted:
        lamp = QCoreApplication.translate("EventHistory", "deleted")
    elif event.is_archived:
        lamp = QCoreApplication.translate("EventHistory", "green")
    else:
        lamp = QCoreApplication.translate("EventHistory", "blue")
    marks = [lamp]
    if event.is_locked:
        marks.append(QCoreApplication.translate("EventHistory", "locked"))
    if event.is_stale:
        marks.append(QCoreApplication.translate("EventHistory", "stale"))
    significance = f"{event.significance_score:.2f}"
    yield QCoreApplication.translate("EventHistory", "State"), ", ".join(marks)
    yield QCoreApplication.translate("EventHistory", "Significance"), significance
    trust = confidence_names()[event.confidence]
    yield QCoreApplication.translate("EventHistory", "Trust"), trust
    yield QCoreApplication.translate("EventHistory", "Floors"), floors_text(event)
