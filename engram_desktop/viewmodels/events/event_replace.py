"""Find and replace in events: what would change, found while it is typed, and doing it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
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

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.edits.replacing import (
    FindReplace,
    Replaced,
    ReplacePlan,
    TextField,
)
from engram_desktop.domain.text.words.word_diff import Piece, word_diff
from engram_desktop.jobs.context import Progress
from engram_desktop.qtjobs.handle import JobHandle
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.workspace.messages import describe
from engram_desktop.viewmodels.workspace.workspace import Workspace

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
TYPING_PAUSE_MS = 250  # a preview of ten thousand events follows the typing, not each key
BEFORE_CHANGE = 16  # characters that are shown before the first word that changes

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
    """One row for each field that would change; ticked rows are wanted."""

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
    def pieces(change: Replaced) -> tuple[Piece, ...]:
        """Return the words of a change, from a little before the first that differs."""
        pairs = zip(change.before, change.after, strict=True)
        pieces: list[Piece] = []
        for before, after in pairs:
            if before != after:
                pieces += ([Piece("same", " · ")] if pieces else []) + list(
                    word_diff(before, after)
                )
        if pieces and pieces[0].kind == "same" and len(pieces[0].text) > BEFORE_CHANGE:
            pieces[0] = Piece("same", "…" + pieces[0].text[-BEFORE_CHANGE:])
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


class EventReplace(QObject):
    """``chosen`` and ``listed`` are the events that were selected and listed when it opened."""

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
        super().__init__(parent)
        self._space = workspace
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
        """Look for this when the typing pauses."""
        self._asked = asked
        self._keys = self.chosen if only_chosen else self.listed
        self.stop()
        self.busy_changed.emit(True)
        self._typing.start()

    @Slot()
    def stop(self) -> None:
        """Stop looking, or replacing."""
        self._typing.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self.busy_changed.emit(False)

    def replace(self) -> None:
        """Write what is ticked, in one step."""
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
