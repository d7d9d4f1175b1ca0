"""Several events selected: what they share, and changing it in all of them."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.edits.shared_fields import SharedFields, SharedPatch
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.workspace import Workspace


class EventMany(QObject):
    """What stands beside the list while more than one event is selected."""

    chosen = Signal(int)  # how many are selected; fewer than two: not ours
    read = Signal(object)  # SharedFields

    def __init__(
        self, workspace: Workspace, events: EventList, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
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
        """Read what these share; fewer than two are no business of ours."""
        if keys == self.keys:
            return
        self.keys = keys
        self.chosen.emit(len(keys))
        self._query.read_soon()  # a drag over rows selects one after the other

    def edit(self, patch: SharedPatch) -> None:
        """Change all of them alike, in one step."""
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
        if keys is self.keys:  # others may have been selected meanwhile
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
