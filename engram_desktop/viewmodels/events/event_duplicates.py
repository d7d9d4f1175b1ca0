"""Events of the chat shown that tell the same: their groups, and what becomes of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.edits.duplicates import DuplicateGroup
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.workspace import Workspace

MOST_SHOWN = 200  # groups that are listed at once: more than anybody goes through in one go

Group = tuple[DuplicateGroup, list[EventNode]]


class EventDuplicates(QObject):
    """Reads again after each change: what was joined or kept apart is gone from the list."""

    listed = Signal(object, int)  # list[Group] as far as they are shown, and how many there are
    busy_changed = Signal(bool)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
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
        """Delete the others of a group."""
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
        """Remember that these are not the same."""
        memory, chat = self._space.memory, self._space.chat_id
        pairs = [pair.ids for pair in group.pairs]
        job = self._space.change(
            self.tr("Keeping events apart"), lambda _ctx: memory.events.keep_apart(chat, pairs)
        )
        job.succeeded.connect(lambda _changes: self._query.refresh())

    def _ask(self) -> Callable[[JobContext], tuple[list[Group], int]] | None:
        line, memory = self._space.line, self._space.memory
        if not line.chat_id or self._space.actors:  # what tells the same is the curator's
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
        is_told = changes.rows or changes.texts or changes.order
        return is_ours and bool(is_told or (changes.undo_label and not changes.events))
