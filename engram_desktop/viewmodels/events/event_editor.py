"""Editor of one event: a draft over the stored event, saved automatically.

A draft is saved within a second of typing, when the focus leaves a field, when another event is
selected and on Ctrl+S. It never overwrites text that is still being typed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Conflict, LibraryBusy
from engram_desktop.domain.memory import extraction as extractions
from engram_desktop.domain.memory.event import EventNode, EventPatch
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline import patches
from engram_desktop.domain.text import moment, words
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.viewmodels.workspace.choice_texts import confidence_names, floors_text, listed
from engram_desktop.viewmodels.workspace.messages import Notice, describe
from engram_desktop.viewmodels.workspace.undo_actions import step_text
from engram_desktop.viewmodels.workspace.workspace import (
    SAVE_WITHIN_MS,
    TypingPlace,
    Workspace,
    WorkspaceModel,
)

if TYPE_CHECKING:
    from engram_desktop.domain.reports import EventVersion
    from engram_desktop.domain.state.condition import Verdict


MAX_SOURCE_FLOORS = 60


@dataclass(frozen=True, slots=True)
class _Edit:
    """An edit of one event. ``expected``: the stored values of its fields when it was begun.

    With ``expected`` None the edit overwrites any stored value.
    """

    chat_id: str
    pk: int
    patch: EventPatch
    expected: dict[str, Any] | None


class EventEditor(WorkspaceModel):
    shown = Signal(object)  # EventNode or None
    draft_changed = Signal()
    saved = Signal()
    source_read = Signal(object)  # list[Message]
    condition_checked = Signal(object)  # Verdict on the condition of the event shown

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self._chat_id = ""
        self.current: EventNode | None = None
        self._patch = EventPatch()
        self._expected: dict[str, Any] = {}  # values after all running saves
        self._writing: Counter[tuple[str, int]] = Counter()  # running saves by chat and event
        self._idle = QTimer(self, singleShot=True, interval=SAVE_WITHIN_MS)
        self._idle.timeout.connect(self._save_typed)
        workspace.hub.changed.connect(self._on_changed)
        workspace.chat_changed.connect(self._on_chat_changed)

    @property
    def place(self) -> TypingPlace:
        """Return the typing place of the shown event."""
        name = f"data of {self.current.id}" if self.current is not None else "data"
        return TypingPlace(name, self._chat_id)

    @property
    def is_dirty(self) -> bool:
        return self._patch != EventPatch()

    def show_event(self, key: int | None) -> None:
        """Save the draft of the event shown before, then show the event ``key``."""
        if key is not None and self.current is not None and key == self.current.pk:
            return
        self.save()
        self._chat_id = self._space.chat_id
        self._load(key)

    def edit(self, **values: Any) -> None:
        """Change fields of the draft; values equal to the stored ones are ignored."""
        if self.current is None:
            return
        stored = self._stored()
        self._patch = replace(
            self._patch,
            **{
                name: None if stored.get(name) == value else value for name, value in values.items()
            },
        )
        if self.is_dirty and not self._idle.isActive():
            self._idle.start()
        self.draft_changed.emit()

    @Slot()
    def save(self) -> None:
        self._idle.stop()
        if self.current is None or not self.is_dirty:
            return
        edit = _Edit(self._chat_id, self.current.pk, self._patch, self._expected)
        self._expected = self._expected | patches.values_of_patch(self._patch)
        self._patch = EventPatch()
        self._write(edit)

    def _write(self, edit: _Edit) -> None:
        memory = self._space.memory
        self._writing[edit.chat_id, edit.pk] += 1
        job = self._space.change(
            self.tr("Saving the event"),
            lambda _ctx: memory.events.update(edit.chat_id, edit.pk, edit.patch, edit.expected),
            failed=lambda error: self._on_refused(edit, error),
        )
        job.succeeded.connect(lambda _changes: self._on_saved(edit))
        job.finished.connect(lambda: self._writing.subtract([(edit.chat_id, edit.pk)]))

    def _on_saved(self, edit: _Edit) -> None:
        """Show the stored event, unless the user has typed since."""
        if self._is_shown(edit):
            if self.is_dirty or self._writing[edit.chat_id, edit.pk] > 1:
                rows = self._space.memory.events.fetch(edit.chat_id, [edit.pk])
                self.current = rows.get(edit.pk, self.current)
            else:
                self._load(edit.pk)
        self.saved.emit()

    @Slot()
    def _save_typed(self) -> None:
        """Save what was typed; an emptied summary is saved once it has text again."""
        if self._patch.summary is None or self._patch.summary.strip():
            self.save()

    def discard(self) -> None:
        self._idle.stop()
        self._patch = EventPatch()
        self._expected = self._stored()
        self.shown.emit(self.current)

    def card(self) -> str:
        """Return the event's card, rendered from the draft."""
        if self.current is None:
            return ""
        return self._space.memory.events.render_card(self._chat_id, self.current, self._patch)

    def raw_json(self) -> str:
        if self.current is None:
            return ""
        data = self._patch.raw_data or self.current.raw_data
        return json.dumps(data.to_json(), ensure_ascii=False, indent=2)

    def check_json(self, text: str) -> tuple[extractions.Fault, ...]:
        """Return every fault of ``text``, read as the data of one event."""
        return read_json(text)[1]

    def edit_json(self, text: str) -> tuple[extractions.Fault, ...]:
        """Save ``text`` as the event's data if it has no fault; return every fault."""
        data, faults = read_json(text)
        if data is not None and not faults:
            self.edit(raw_data=data)
        return faults

    def read_source(self) -> None:
        """Read the messages that the event summarises; emits `source_read`."""
        if self.current is None:
            return
        chat, span = self._chat_id, self.current.source_range
        last = min(span.end_index, span.start_index + MAX_SOURCE_FLOORS - 1)
        memory, line = self._space.memory, Line(chat, self._space.branch_id)
        job = self._space.look_up(lambda _ctx: memory.messages.slice(line, span.start_index, last))
        job.succeeded.connect(self.source_read)

    def check_condition(self) -> None:
        """Check whether the condition of the shown event holds now; emits `condition_checked`."""
        event, memory = self.current, self._space.memory
        if event is None or not event.condition:
            return
        line, text = Line(self._chat_id, self._space.branch_id), event.condition
        owner, people = event.owner or "", event.participants

        def check(ctx: JobContext) -> tuple[int, Verdict]:
            return event.pk, memory.state.check_condition(ctx, line, text, owner, people)

        self._space.look_up(check).succeeded.connect(self._on_checked)

    @Slot(object)
    def _on_checked(self, answer: tuple[int, Verdict]) -> None:
        key, verdict = answer
        if self.current is not None and self.current.pk == key:
            self.condition_checked.emit(verdict)

    def _stored(self) -> dict[str, Any]:
        return {} if self.current is None else patches.values_of(self.current)

    def _load(self, key: int | None) -> None:
        rows = {} if key is None else self._space.memory.events.fetch(self._chat_id, [key])
        self.current = rows.get(key) if key is not None else None
        self._patch = EventPatch()
        self._expected = self._stored()
        self.shown.emit(self.current)

    def _on_refused(self, edit: _Edit, error: BaseException) -> None:
        """Handle a refused save.

        If another program holds the lock, the draft stays in the form and in the message. If the
        values themselves were refused, the stored event is shown again.
        """
        messages = self._space.messages
        if not isinstance(error, Conflict | LibraryBusy):
            messages.show_error(error)
            if self._is_shown(edit) and not self.is_dirty:
                self._load(edit.pk)
            return
        if self._is_shown(edit) and edit.expected is not None:
            self._patch = replace(edit.patch, **patches.values_of_patch(self._patch))
            self._expected = edit.expected
            self.draft_changed.emit()
        text, hint = describe(error)
        if isinstance(error, LibraryBusy):
            again = self.tr("Try again")
            messages.show(Notice("error", text, hint, again, partial(self._save_again, edit)))
            return
        messages.show(
            Notice(
                "error",
                text,
                self.tr("Nothing was overwritten. Which of the two is to stand?"),
                self.tr("What I wrote"),
                partial(self._save_again, replace(edit, expected=None)),
                self.tr("The other"),
                partial(self._give_up, edit),
                topic=f"event {edit.chat_id} {edit.pk}",
            )
        )

    def _is_shown(self, edit: _Edit) -> bool:
        event = self.current
        return event is not None and (self._chat_id, event.pk) == (edit.chat_id, edit.pk)

    def _save_again(self, edit: _Edit) -> None:
        if self._is_shown(edit):  # it may have been edited since
            edit = replace(edit, patch=replace(edit.patch, **patches.values_of_patch(self._patch)))
            self._idle.stop()
            self._patch = EventPatch()
        self._write(edit)

    def _give_up(self, edit: _Edit) -> None:
        if self._is_shown(edit):
            self._idle.stop()
            self._load(edit.pk)

    @Slot(str)
    def _on_chat_changed(self, _chat_id: str) -> None:
        self.show_event(None)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        event = self.current
        if event is None or changes.chat_id != self._chat_id or self.is_dirty:
            return
        if self._writing[self._chat_id, event.pk] > 0:  # keep the draft until all is saved
            return
        is_unnamed = not changes.events and (changes.rows or changes.counts)
        if event.pk in changes.events or is_unnamed:
            self._load(event.pk)


def read_json(text: str) -> tuple[extractions.PlotExtraction | None, tuple[extractions.Fault, ...]]:
    """Parse the data of one event from ``text``; return it with every fault and its path."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        return None, (extractions.Fault("$", str(error)),)
    extraction = extractions.parse_extraction(value)
    if len(extraction.events) > 1:
        return None, (
            *extraction.faults,
            extractions.Fault("events", "must hold exactly one event"),
        )
    return (extraction.events[0] if extraction.events else None), extraction.faults


class EventHistory(WorkspaceModel):
    read = Signal(object)  # list[EventVersion], the newest first

    def __init__(
        self, workspace: Workspace, editor: EventEditor, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._editor = editor
        self._job: JobHandle | None = None
        self._is_wanted = False
        self.versions: list[EventVersion] = []
        editor.shown.connect(self._on_shown)
        workspace.hub.changed.connect(self._on_changed)

    @property
    def is_hidden(self) -> bool:
        """Whether the chat is seen as a character: only the curator sees versions."""
        return bool(self._space.actors)

    def watch(self, *, wanted: bool) -> None:
        """Start reading the versions of the shown event, live; stop with ``wanted`` False."""
        self._is_wanted = wanted
        if wanted:
            self._look()

    def pieces(self, number: int) -> list[tuple[str, tuple[words.DiffPiece, ...]]]:
        """Return what a version changed against the one before: fields with their words."""
        version = self.versions[number]
        older = self.versions[number + 1] if number + 1 < len(self.versions) else None
        before = dict((*_texts(older.event), *_marks(older.event))) if older else {}
        whole = {name for name, text in _marks(version.event)}
        changes = [
            (name, before.get(name, text if older is None else ""), text)
            for name, text in (*_texts(version.event), *_marks(version.event))
        ]
        return [
            (name, _whole(old, text) if name in whole else words.word_diff(old, text))
            for name, old, text in changes
            if (text if older is None else text != old)
        ]

    def can_restore(self, number: int) -> bool:
        """Return whether a version can be restored: every one but the newest."""
        return 0 < number < len(self.versions) and not self.versions[0].event.is_locked

    def restore(self, number: int) -> None:
        """Restore the event to a version, as one undo step."""
        event, patch = self.versions[0].event, self.versions[number].patch
        memory, chat = self._space.memory, self._space.chat_id
        self._space.change(
            self.tr("Going back to a version"),
            lambda _ctx: memory.events.update(chat, event.pk, patch),
        )

    def title(self, number: int) -> str:
        """Return a title for a version: what made it, and when."""
        version = self.versions[number]
        if version.label is None:
            return self.tr("Before the oldest step that is kept")
        return f"{moment.local_moment(version.at):%Y-%m-%d %H:%M}  {step_text(version.label)}"

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
        """Read again after a change by others; the editor reports changes of the event itself."""
        is_here = changes.chat_id == self._space.chat_id and changes.undo_label is not None
        if self._is_wanted and is_here and not changes.events:
            self._look()


def _whole(before: str, after: str) -> tuple[words.DiffPiece, ...]:
    """Return a change of a whole text as one piece."""
    if before == after:
        return (words.DiffPiece("same", after),)
    pieces = (words.DiffPiece("gone", before), words.DiffPiece("new", after))
    return tuple(piece for piece in pieces if piece.text)


def _texts(event: EventNode) -> Iterator[tuple[str, str]]:
    """Yield the texts of an event by the names of its fields."""
    data = event.raw_data
    relations = "\n".join(f"{r.subject} {r.predicate} {r.object}" for r in data.relations)
    yield QCoreApplication.translate("EventHistory", "Summary"), event.summary
    yield QCoreApplication.translate("EventHistory", "Event"), data.structured_kv.event
    yield QCoreApplication.translate("EventHistory", "Story time"), data.timestamp
    yield QCoreApplication.translate("EventHistory", "Place"), data.location
    yield QCoreApplication.translate("EventHistory", "Details"), data.details
    yield QCoreApplication.translate("EventHistory", "Keywords"), listed(data.keywords)
    names = listed(entity.name for entity in data.entities)
    yield QCoreApplication.translate("EventHistory", "Entities"), names
    yield QCoreApplication.translate("EventHistory", "Relations"), relations


def _marks(event: EventNode) -> Iterator[tuple[str, str]]:
    """Yield the settings of an event by field name; these are compared as a whole."""
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
    yield QCoreApplication.translate("EventHistory", "State"), listed(marks)
    yield QCoreApplication.translate("EventHistory", "Significance"), significance
    trust = confidence_names()[event.confidence]
    yield QCoreApplication.translate("EventHistory", "Trust"), trust
    yield QCoreApplication.translate("EventHistory", "Floors"), floors_text(event)
