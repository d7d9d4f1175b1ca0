"""Preview of the memory text in the next prompt, line by line, and commands on its lines."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.recall.query import InjectedLine, NextPrompt


SETTLE_MS = 400  # milliseconds without changes before the preview is composed again


class NextPromptModel(WorkspaceModel):
    """The preview of the next prompt. It reads from the first request on, while shown."""

    changed = Signal()  # the preview was read or dropped

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.next: NextPrompt | None = None
        self._query = LiveQuery(
            workspace,
            "next prompt",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.settle_ms = SETTLE_MS
        self._query.set_active(False)

    @Slot()
    def begin(self) -> None:
        self._query.set_active(True)

    @property
    def parts(self) -> dict[str, int]:
        """Return the tokens of each part, in the order in which they are written."""
        tokens: dict[str, int] = {}
        for line in self.next.injection.lines if self.next is not None else ():
            tokens[line.part] = tokens.get(line.part, 0) + line.tokens
        return tokens

    def share(self, kinds: Collection[str]) -> tuple[int, int]:
        """Return the number of lines with memories of these kinds, and their tokens."""
        told = self.next.injection.lines if self.next is not None else ()
        lines = [line for line in told if line.kind in kinds]
        return len(lines), sum(line.tokens for line in lines)

    def set_budget(self, tokens: int) -> None:
        """Set the budget in tokens for this chat."""
        chat, memory = self._space.chat_id, self._space.memory
        if self.next is not None and chat and tokens != self.next.budget:
            self._space.change(
                self.tr("Saving a setting"),
                lambda _ctx: memory.settings.set("inject.tokens", tokens, chat),
            )

    def leave_out(self, line: InjectedLine) -> None:
        """Take a line out: an event of the story so far is archived, any other memory is muted."""
        if line.part == "always":
            self._set_archived(line.ref, archived=True)
        elif line.ref:
            chat, memory = self._space.chat_id, self._space.memory
            self._space.change(
                self.tr("Muting a memory"),
                lambda _ctx: memory.recall.set_muted(chat, [line.ref], muted=True),
            )

    def keep_in(self, event_id: str) -> None:
        """Make an event always visible."""
        self._set_archived(event_id, archived=False)

    def _set_archived(self, event_id: str, *, archived: bool) -> None:
        chat, memory = self._space.chat_id, self._space.memory

        def work(ctx: JobContext) -> Changes:
            event = memory.events.find_one(chat, event_id)
            keys = [event.pk] if event is not None else []
            return memory.events.set_archived(ctx, chat, keys, archived=archived)

        title = self.tr("Archiving an event") if archived else self.tr("Making an event visible")
        self._space.change(title, work)

    def _ask(self) -> Callable[[JobContext], NextPrompt] | None:
        space = self._space
        memory, line, actor, at = space.memory, space.line, space.actor or None, space.at
        if not space.chat_id:
            return None
        return lambda ctx: memory.inject.preview(ctx, line, actor, at)

    def _concerns(self, changes: Changes) -> bool:
        is_here = changes.chat_id in (None, self._space.chat_id)
        return is_here and (
            changes.settings
            or changes.recall
            or changes.index
            or changes.worldbooks
            or changes.messages
            or changes.knowledge
            or changes.has_memory
        )

    def _show(self, found: NextPrompt) -> None:
        self.next = found
        self.changed.emit()

    def _forget(self) -> None:
        self.next = None
        self.changed.emit()
