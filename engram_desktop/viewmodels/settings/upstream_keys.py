"""Keys of the memory server's further endpoints: which there are, and keeping one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.messages import describe
from engram_desktop.viewmodels.workspace.workspace import Workspace

Rows = list[tuple[str, bool]]  # name, and whether it has a key


class UpstreamKeys(QObject):
    read = Signal(object)  # Rows
    refused = Signal(str)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        workspace.hub.changed.connect(self._on_changed)

    def look(self) -> None:
        """Read which further endpoints there are, and which of them have a key of their own."""
        self._run(self._rows)

    def save(self, name: str, key: str) -> None:
        """Keep the key of one; an empty one deletes."""

        def saved(ctx: JobContext) -> Rows:
            self._space.memory.endpoints.set_upstream_key(name, key)
            return self._rows(ctx)

        self._run(saved)

    def _rows(self, _ctx: JobContext) -> Rows:
        endpoints = self._space.memory.endpoints
        has_key = endpoints.upstreams_with_key()
        return [(upstream.name, upstream.name in has_key) for upstream in endpoints.upstreams()]

    def _run(self, work: Callable[[JobContext], Rows]) -> None:
        job = self._space.jobs.submit("", work, lane="interactive")
        job.succeeded.connect(self.read)
        job.failed.connect(self._on_failed)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if changes.settings:
            self.look()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, KnownError):
            self.refused.emit(" ".join(part for part in describe(error) if part))
        else:
            self._space.messages.show_error(error)
