"""Edits of many events: find and replace, shared fields, duplicates, and the bin."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.edits import (
    DuplicateGroup,
    FindReplace,
    Replaced,
    ReplacePlan,
    SharedFields,
    SharedPatch,
    TextField,
)
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.text import words
from engram_desktop.jobs.context import JobContext, Progress
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.messages import describe
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
TYPING_PAUSE_MS = 250  # a preview looks at up to 10,000 events: not at each key
BEFORE_CHANGE = 16  # characters shown before the first changed word

ChangeRole = Qt.ItemDataRole.UserRole


def field_names() -> dict[TextField, str]:
    return {
        "summary": QCoreApplication.translate("EventReplace", "Summary"),
        "details": QCoreApplication.translate("EventReplace", "Details"),
        "time": QCoreApplication.translate("EventReplace", "Story time"),
        "place": QCoreApplication.translate("EventReplace", "Place"),
        "keywords": QCoreApplication.translate("EventReplace", "Keywords"),
        "structured": QCoreApplication.translate("EventReplace", "Structured fields"),
        "names": QCoreApplication.translate("EventReplace", "Names of entities and relations"),
    }


class ChangeModel(QAbstractListModel):
    """Table with one row for each field that would change; the user ticks the rows to replace."""

    ticked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.changes: Sequence[Replaced] = ()
        self._left_out: set[int] = set()

    def show(self, changes: Sequence[Replaced]) -> None:
        self.beginResetModel()
        self.changes = changes
        self._left_out = set()
        self.endResetModel()
        self.ticked.emit()

    def wanted(self) -> list[Replaced]:
        return [c for n, c in enumerate(self.changes) if n not in self._left_out]

    def wanted_count(self) -> int:
        return len(self.changes) - len(self._left_out)

    def tick_all(self, *, wanted: bool) -> None:
        self._left_out = set() if wanted else set(range(len(self.changes)))
        if self.changes:
            self.dataChanged.emit(self.index(0), self.index(len(self.changes) - 1))
        self.ticked.emit()

    @staticmethod
    def pieces(change: Replaced) -> tuple[words.DiffPiece, ...]:
        """Return the words of a change, from shortly before the first that differs."""
        pairs = zip(change.before, change.after, strict=True)
        pieces: list[words.DiffPiece] = []
        for before, after in pairs:
            if before != after:
                pieces += ([words.DiffPiece("same", " · ")] if pieces else []) + list(
                    words.word_diff(before, after)
                )
        if pieces and pieces[0].kind == "same" and len(pieces[0].text) > BEFORE_CHANGE:
            pieces[0] = words.DiffPiece("same", "…" + pieces[0].text[-BEFORE_CHANGE:])
        return tuple(pieces)

    @override
    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.changes)

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        change = self.changes[index.row()]
        if role == Qt.ItemDataRole.CheckStateRole:
            is_wanted = index.row() not in self._left_out
            return Qt.CheckState.Checked if is_wanted else Qt.CheckState.Unchecked
        if role == ChangeRole:
            return change
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{field_names()[change.field]}: {' · '.join(change.after)}"
        return None

    @override
    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        if Qt.CheckState(value) == Qt.CheckState.Checked:
            self._left_out.discard(index.row())
        else:
            self._left_out.add(index.row())
        self.dataChanged.emit(index, index)
        self.ticked.emit()
        return True

    @override
    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        return (
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemIsUserCheckable
            | Qt.ItemFlag.ItemNeverHasChildren
        )


class EventReplace(WorkspaceModel):
    """Find and replace in events.

    ``chosen`` and ``listed`` are the events that were selected and listed when the dialog opened.
    """

    planned = Signal(object)  # ReplacePlan
    progressed = Signal(int, int)  # events looked at, of all
    failed = Signal(str)  # why the pattern cannot be used
    busy_changed = Signal(bool)
    done = Signal()

    def __init__(
        self,
        workspace: Workspace,
        events: EventList,
        chosen: array[int],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(workspace, parent)
        self.chosen = chosen
        self.listed = events.model.keys()
        self.changes = ChangeModel(self)
        self._asked = FindReplace("")
        self._keys = self.listed
        self._job: JobHandle | None = None
        self._chat = workspace.chat_id
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._look)

    def ask(self, asked: FindReplace, *, only_chosen: bool) -> None:
        """Search for ``asked`` when the typing pauses."""
        self._asked = asked
        self._keys = self.chosen if only_chosen else self.listed
        self.stop()
        self.busy_changed.emit(True)
        self._typing.start()

    @Slot()
    def stop(self) -> None:
        """Cancel a running search or replacement."""
        self._typing.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.busy_changed.emit(False)

    def replace(self) -> None:
        """Replace in the ticked rows, as one undo step."""
        wanted, find = self.changes.wanted(), self._asked.find
        if not wanted or self._chat != self._space.chat_id:
            return
        memory, chat = self._space.memory, self._chat
        job = self._space.change(
            self.tr("Replacing in %n place(s)", "", len(wanted)),
            lambda ctx: memory.events.replace(ctx, chat, wanted, find),
        )
        job.succeeded.connect(lambda _changes: self.done.emit())
        self._follow(job)

    @Slot()
    def _look(self) -> None:
        memory, chat, keys, asked = self._space.memory, self._chat, self._keys, self._asked
        if not asked.find:
            self._on_planned(ReplacePlan())
            self.busy_changed.emit(False)
            return
        job = self._space.jobs.submit(
            "", lambda ctx: memory.events.plan_replacing(ctx, chat, keys, asked), lane="follow"
        )
        job.succeeded.connect(lambda plan: self._on_planned(plan) if job is self._job else None)
        job.failed.connect(lambda error: self._on_failed(error) if job is self._job else None)
        self._follow(job)

    def _follow(self, job: JobHandle) -> None:
        self._job = job
        self.busy_changed.emit(True)
        job.progressed.connect(self._on_progressed)
        job.finished.connect(lambda: self._on_finished(job))

    @Slot(object)
    def _on_progressed(self, progress: Progress) -> None:
        self.progressed.emit(progress.done, progress.total or 0)

    def _on_finished(self, job: JobHandle) -> None:
        if job is self._job:
            self._job = None
            self.busy_changed.emit(False)

    def _on_planned(self, plan: ReplacePlan) -> None:
        self.changes.show(plan.changes)
        self.planned.emit(plan)

    def _on_failed(self, error: BaseException) -> None:
        self.changes.show(())
        if isinstance(error, KnownError):
            self.failed.emit(describe(error)[0])
        else:
            self._space.messages.show_error(error)


class EventMany(WorkspaceModel):
    """Viewmodel of the panel shown while two or more events are selected."""

    chosen = Signal(int)  # number of selected events; below two the panel is hidden
    read = Signal(object)  # SharedFields

    def __init__(
        self, workspace: Workspace, events: EventList, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._events = events
        self.keys = array("q")
        self._query = LiveQuery(
            workspace,
            "shared fields",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )

    def show_keys(self, keys: array[int]) -> None:
        """Read what these events share; fewer than two clear the panel."""
        if keys == self.keys:
            return
        self.keys = keys
        self.chosen.emit(len(keys))
        self._query.read_soon()  # dragging over rows selects them one after the other

    def edit(self, patch: SharedPatch) -> None:
        """Apply ``patch`` to all selected events, as one undo step."""
        memory, chat, keys = self._space.memory, self._space.chat_id, self.keys
        if patch != SharedPatch() and len(keys) > 1 and chat:
            self._space.change(
                self.tr("Editing %n event(s)", "", len(keys)),
                lambda ctx: memory.events.edit_many(ctx, chat, keys, patch),
            )

    def set_archived(self, *, archived: bool) -> None:
        self._events.set_archived(self.keys, archived=archived)

    def set_locked(self, *, locked: bool) -> None:
        self._events.set_locked(self.keys, locked=locked)

    def set_confirmed(self, *, confirmed: bool) -> None:
        self._events.set_confirmed(self.keys, confirmed=confirmed)

    def _ask(self) -> Callable[[JobContext], tuple[array[int], SharedFields]] | None:
        memory, chat, keys = self._space.memory, self._space.chat_id, self.keys
        if len(keys) < 2 or not chat:
            return None
        return lambda _ctx: (keys, memory.events.shared(chat, keys))

    def _show(self, answer: tuple[array[int], SharedFields]) -> None:
        keys, shared = answer
        if keys is self.keys:  # the selection may have changed meanwhile
            self.read.emit(shared)

    def _concerns(self, changes: Changes) -> bool:
        is_known = bool(changes.events)
        is_ours = changes.chat_id == self._space.chat_id
        is_told = changes.rows or changes.counts or changes.texts or changes.trust
        is_hit = is_known and not changes.events.isdisjoint(self.keys)
        return is_ours and (is_hit or (not is_known and is_told))

    def _forget(self) -> None:
        self.keys = array("q")
        self.chosen.emit(0)


MOST_SHOWN = 200  # groups listed at once: more than a user works through in one session

Group = tuple[DuplicateGroup, list[EventNode]]


class EventDuplicates(WorkspaceModel):
    """Groups of duplicate events, read again after each change."""

    listed = Signal(object, int)  # list[Group] that are shown, and the number of all groups
    busy_changed = Signal(bool)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self._query = LiveQuery(
            workspace,
            "duplicates",
            self._ask,
            lambda answer: self.listed.emit(*answer),
            concerns=self._concerns,
            forget=lambda: self.listed.emit([], 0),
            parent=self,
        )
        self._query.lane = "follow"  # all events are compared
        self._query.busy_changed.connect(self.busy_changed)

    def read(self) -> None:
        self._query.read()

    def keep_only(self, group: DuplicateGroup, pk: int) -> None:
        """Delete the other events of a group."""
        others = [other for other in group.pks if other != pk]
        memory, chat = self._space.memory, self._space.chat_id
        self._space.change(
            self.tr("Deleting %n duplicate(s)", "", len(others)),
            lambda ctx: memory.events.delete(ctx, chat, others),
        )

    def join(self, pks: Sequence[int]) -> None:
        memory, chat = self._space.memory, self._space.chat_id
        self._space.change(
            self.tr("Joining %n event(s)", "", len(pks)),
            lambda ctx: memory.events.join(ctx, chat, pks),
        )

    def keep_apart(self, group: DuplicateGroup) -> None:
        """Remember that the events of a group are not duplicates."""
        memory, chat = self._space.memory, self._space.chat_id
        pairs = [pair.ids for pair in group.pairs]
        self._space.change(
            self.tr("Keeping events apart"), lambda _ctx: memory.events.keep_apart(chat, pairs)
        )

    def _ask(self) -> Callable[[JobContext], tuple[list[Group], int]] | None:
        line, memory = self._space.line, self._space.memory
        if not line.chat_id or self._space.actors:  # duplicates are shown to the curator only
            return None

        def read(ctx: JobContext) -> tuple[list[Group], int]:
            groups = memory.events.duplicates(ctx, line)
            shown = groups[:MOST_SHOWN]
            events = memory.events.fetch(line.chat_id, [pk for g in shown for pk in g.pks])
            found = [(g, [events[pk] for pk in g.pks if pk in events]) for g in shown]
            return found, len(groups)

        return read

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        return is_ours and changes.may_change_duplicates


class EventBinList(WorkspaceModel):
    listed = Signal(object)  # list[EventNode], the last deleted first

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self._is_watched = False
        workspace.hub.changed.connect(self._on_changed)

    def watch(self, *, wanted: bool) -> None:
        """Start reading the bin, live; stop with ``wanted`` False."""
        self._is_watched = wanted
        if wanted:
            self._read()

    def bring_back(self, pks: Sequence[int]) -> None:
        memory, chat = self._space.memory, self._space.chat_id
        self._space.change(
            self.tr("Bringing %n event(s) back", "", len(pks)),
            lambda ctx: memory.events.bring_back(ctx, chat, pks),
        )

    def _read(self) -> None:
        if self._space.actors or not self._space.chat_id:  # the bin is shown to the curator only
            self.listed.emit([])
            return
        memory, line = self._space.memory, self._space.line
        job = self._space.look_up(lambda _ctx: memory.events.deleted(line))
        job.succeeded.connect(self.listed)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if self._is_watched and changes.chat_id == self._space.chat_id and changes.rows:
            self._read()
