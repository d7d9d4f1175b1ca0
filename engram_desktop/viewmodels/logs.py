"""The private logs of a chat: search and filter them, and edit one at a time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import LibraryBusy
from engram_desktop.domain.memory.event import LogPatch, LogQuery, PrivateLog
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.scope import ScopeName
from engram_desktop.domain.state.condition import Verdict
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.choice_texts import floors_words
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, PagedListModel, PageModel
from engram_desktop.viewmodels.workspace.workspace import SAVE_WITHIN_MS, AskedMemories, Workspace

Owners = list[tuple[str, int]]


def scope_names() -> dict[ScopeName, str]:
    """Return the display names of the scopes: who may know a memory."""
    return {
        "private": QCoreApplication.translate("LogList", "Only this character"),
        "shared": QCoreApplication.translate("LogList", "Those who were there"),
        "global": QCoreApplication.translate("LogList", "Everybody"),
        "conditional": QCoreApplication.translate("LogList", "When a condition holds"),
    }


class LogListModel(PagedListModel[PrivateLog]):
    @override
    def text(self, row: PrivateLog) -> str:
        return f"{row.owner}: {row.content}"

    @override
    def spoken_text(self, row: PrivateLog) -> str:
        span = row.source_range
        floors = floors_words(span.start_index, span.end_index)
        stale = [self.tr("Stale")] if row.is_stale else []
        return ". ".join([*stale, row.owner, *row.emotion_tags, floors, row.content])


@dataclass(frozen=True, slots=True)
class _Written:
    key: int
    changes: Changes


class LogList(PageModel):
    """State and commands of the page of private logs. It reads only while active (`set_active`)."""

    found = Signal(int)  # number of listed rows
    owners_read = Signal(object)  # Owners
    shown = Signal(object)  # PrivateLog or None: the one being edited
    written = Signal(int)  # key of a new entry
    deleted = Signal(str, object)  # a description; the StepLabel of the undo step
    wanted = Signal(int)  # key of an entry to show, whatever the filter
    condition_checked = Signal(object)  # Verdict on the condition of `current`

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.model = LogListModel(self._fetch, self)
        self.query = LogQuery()
        self.current: PrivateLog | None = None
        self._chat_id = ""  # chat of `current`
        self._patch = LogPatch()
        self._idle = QTimer(self, singleShot=True, interval=SAVE_WITHIN_MS)
        self._idle.timeout.connect(self._save_typed)
        self._query = LiveQuery(
            workspace,
            "logs",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.forgets_once = True
        self._query.set_active(False)
        workspace.hub.changed.connect(self._on_changed)

    def search(self, text: str) -> None:
        self.query = replace(self.query, text=text.strip())
        self._query.read_soon()

    def filter_owner(self, owner: str | None) -> None:
        self.query = replace(self.query, owner=owner)
        self.read()

    def show_all(self) -> None:
        """Clear the filter."""
        self.query = LogQuery()
        self.read()

    def find_entry(self, key: int) -> None:
        """Clear the filter, so that the list can show an entry."""
        self.query = LogQuery()
        self.wanted.emit(key)

    def show_log(self, key: int | None) -> None:
        """Save the draft of the entry shown before, then show the entry ``key``."""
        self.save()
        self._load(key)

    def edit(self, **values: Any) -> None:
        """Change fields of the draft; values equal to the stored ones are ignored."""
        log = self.current
        if log is None:
            return
        stored = {name: getattr(log, name) or "" for name in values}
        self._patch = replace(
            self._patch,
            **{name: None if stored[name] == v else v for name, v in values.items()},
        )
        if self._patch != LogPatch() and not self._idle.isActive():
            self._idle.start()

    @Slot()
    def _save_typed(self) -> None:
        """Save what was typed; an emptied text is saved once it has words again."""
        if self._patch.content != "" and self._patch.owner != "":
            self.save()

    @Slot()
    def save(self) -> None:
        """Save the draft; an entry of scope ``conditional`` is not saved without a condition."""
        patch, log = self._patch, self.current
        if log is None or patch == LogPatch():
            return
        if patch.scope == "conditional" and not (patch.condition or log.condition):
            return
        self._idle.stop()
        self._patch = LogPatch()
        chat, key, memory = self._chat_id, log.pk, self._space.memory
        job = self._space.change(
            self.tr("Saving a private log"), lambda _ctx: memory.logs.update(chat, key, patch)
        )
        job.failed.connect(self._on_refused)

    def add(self, patch: LogPatch) -> None:
        """Add a new entry and show it."""
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Adding a private log"),
            lambda _ctx: _Written(*memory.logs.add(line, patch)),
        )
        job.succeeded.connect(self._on_written)

    def delete(self, keys: Sequence[int]) -> None:
        if not len(keys):
            return
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.change(
            self.tr("Deleting %n private log(s)", "", len(keys)),
            lambda _ctx: memory.logs.delete(chat, keys),
        )
        text = self.tr("%n private log(s) deleted", "", len(keys))
        job.succeeded.connect(lambda changes: self.deleted.emit(text, changes.undo_label))

    def ask_who(self, keys: Sequence[int]) -> None:
        """Ask for the dialog that shows who knows these entries."""
        logs = list(self._fetch(keys).values())
        if logs:
            text = logs[0].content if len(logs) == 1 else ""
            last = max(log.source_range.end_index for log in logs)
            refs = tuple(("log", log.id) for log in logs)
            self._space.who_wanted.emit(AskedMemories(refs, text, last))

    def read_source(self) -> None:
        """Show the messages that the entry is about."""
        if self.current is not None:
            span = self.current.source_range
            self._space.floor_wanted.emit(span.start_index, span.end_index)

    def check_condition(self) -> None:
        """Check whether the condition of the shown entry holds now, for its owner."""
        log, memory = self.current, self._space.memory
        line = Line(self._chat_id, self._space.branch_id)
        if log is None or not log.condition:
            return
        text, owner, key = log.condition, log.owner, log.pk
        job = self._space.look_up(
            lambda ctx: (key, memory.state.check_condition(ctx, line, text, owner))
        )
        job.succeeded.connect(self._on_checked)

    @Slot(object)
    def _on_checked(self, answer: tuple[int, Verdict]) -> None:
        key, verdict = answer
        if self.current is not None and self.current.pk == key:
            self.condition_checked.emit(verdict)

    @Slot(object)
    def _on_refused(self, error: BaseException) -> None:
        """Show the stored entry again after a refused save.

        If another program holds the lock, the draft stays in the form and can be saved from the
        message.
        """
        if self._patch == LogPatch() and not isinstance(error, LibraryBusy):
            self.shown.emit(self.current)

    def _load(self, key: int | None) -> None:
        rows = {} if key is None else self._fetch([key])
        self.current = rows.get(key) if key is not None else None
        self._chat_id = self._space.chat_id
        self._patch = LogPatch()
        self.shown.emit(self.current)

    def _fetch(self, keys: Sequence[int]) -> dict[int, PrivateLog]:
        return self._space.memory.logs.fetch(self._space.chat_id, keys)

    @Slot(object)
    def _on_written(self, written: _Written) -> None:
        self.written.emit(written.key)

    def _ask(self) -> Callable[[JobContext], tuple[array[int], Owners]] | None:
        line, memory = self._space.line, self._space.memory
        names = self._space.actors
        query = replace(self.query, branch_id=line.branch_id, until=self._space.at)
        if not line.chat_id:
            return None

        def work(ctx: JobContext) -> tuple[array[int], Owners]:
            actors = memory.knowledge.askers(ctx, line, names)
            keys = memory.logs.find(line.chat_id, replace(query, actors=actors))
            owners = memory.logs.owners(line)
            return keys, [(name, n) for name, n in owners if not names or name in names]

        return work

    def _show(self, answer: tuple[array[int], Owners]) -> None:
        keys, owners = answer
        if keys == self.model.keys():
            self.model.refresh()
        else:
            self.model.set_keys(keys)
        self.owners_read.emit(owners)
        self.found.emit(len(keys))

    def _forget(self) -> None:
        self.model.set_keys(array("q"))  # the old keys have no meaning in the new chat
        self.query = LogQuery()
        self.found.emit(0)
        self.show_log(None)

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        return is_ours and (changes.logs or changes.messages or changes.state)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if self._concerns(changes) and self.current is not None and self._patch == LogPatch():
            self._load(self.current.pk)
