"""Run the memory server for the window: started and stopped off the GUI thread, heard on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle, Jobs, Work
from engram_desktop.server import running
from engram_desktop.services.memory import Memory

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.serving.exchange import Exchange
    from engram_desktop.qtjobs.live_changes import ChangeHub
    from engram_desktop.server.running import Address, MemoryServer

SERVE = "engram serve"  # two servers at one library would keep the same messages twice


class ServerKeeper(QObject):
    """Owns one server. Its events arrive on other threads and are emitted on the GUI thread."""

    changed = Signal()  # started, stopped, or with another address or key
    heard = Signal(object)  # an Exchange, on each change
    failed = Signal(object)  # Exception
    shown = Signal(object)  # another program asks for the window, at this Line or None

    _exchange_heard = Signal(object)
    _changes_heard = Signal(object)
    _show_heard = Signal(object)

    def __init__(
        self, memory: Memory, jobs: Jobs, hub: ChangeHub, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._jobs = jobs
        self._hub = hub
        self._server: MemoryServer | None = None
        self._job: JobHandle | None = None
        self.address: Address | None = None
        self._listens_by: tuple[int, bool] = (0, False)  # the settings it was started with
        self._is_stopped = False
        # Emitted on the server's threads: Qt queues the calls.
        self._exchange_heard.connect(self.heard)
        self._changes_heard.connect(self._publish)
        self._show_heard.connect(self.shown)
        hub.changed.connect(self._on_changed)

    @property
    def is_running(self) -> bool:
        return self.address is not None

    @property
    def is_busy(self) -> bool:
        """Return whether it is being started or stopped."""
        return self._job is not None

    def exchanges(self) -> list[Exchange]:
        """Return the newest requests, the newest first."""
        return self._server.exchanges.newest() if self._server is not None else []

    def exchange(self, number: int) -> Exchange | None:
        """Return one request, with its bodies if they are still held."""
        return self._server.exchanges.get(number) if self._server is not None else None

    def start(self) -> None:
        """Listen where the settings say; `failed` reports an error."""
        if self._job is None:
            self._do(self._start)

    def halt(self) -> None:
        """Stop listening; running requests are ended."""
        server = self._server
        if self._job is None and server is not None:
            self._do(lambda _ctx: self._end(server))

    def renew_key(self) -> None:
        """Make a new key: programs with the old one are refused from now on."""
        if self._job is None:
            self._do(lambda _ctx: self._made().renew_key() or self.address)

    def stop(self) -> None:
        """Stop before the window closes; waits at most two seconds for running requests."""
        self._is_stopped = True
        if self._server is not None:
            self._server.stop()
        self.address = None

    def join(self) -> None:
        """Wait, after `stop`, until nothing of it uses the library, before that is closed."""
        if self._server is not None:
            self._server.join()

    def _made(self) -> MemoryServer:
        if self._server is None:
            self._server = running.MemoryServer(
                self._memory,
                self._jobs.guest,
                on_exchange=self._hear,
                on_changes=self._hear_changes,
                on_show=self._hear_show,
            )
        return self._server

    def _start(self, _ctx: JobContext) -> Address:
        self._memory.sharing.occupy(SERVE)
        self._listens_by = self._wanted()
        try:
            return self._made().start()
        except BaseException:
            self._memory.sharing.vacate(SERVE)
            raise

    def _end(self, server: MemoryServer) -> None:
        server.stop()
        self._memory.sharing.vacate(SERVE)

    def _wanted(self) -> tuple[int, bool]:
        settings = self._memory.settings.read()
        return settings.serve_port, settings.serve_network

    def _hear(self, exchange: Exchange) -> None:
        """Pass an exchange on from a thread of the server, unless the window closes."""
        if not self._is_stopped:
            self._exchange_heard.emit(exchange)

    def _hear_changes(self, changes: Changes) -> None:
        if not self._is_stopped:
            self._changes_heard.emit(changes)

    def _hear_show(self, line: Line | None) -> bool:
        if not self._is_stopped:
            self._show_heard.emit(line)
        return not self._is_stopped

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        """Listen at another address if the settings changed."""
        server = self._server
        if not changes.settings or server is None or not self.is_running or self._job is not None:
            return
        if self._wanted() != self._listens_by:

            def restart(ctx: JobContext) -> Address:
                server.stop()
                return self._start(ctx)

            self._do(restart)

    def _do(self, work: Work) -> None:
        self._job = self._jobs.submit("", work, lane="interactive")
        self._job.succeeded.connect(self._on_done)
        self._job.failed.connect(self.failed)
        self._job.finished.connect(self._on_finished)
        self.changed.emit()

    @Slot(object)
    def _on_done(self, address: Address | None) -> None:
        self.address = address

    @Slot()
    def _on_finished(self) -> None:
        self._job = None
        self.changed.emit()

    @Slot(object)
    def _publish(self, changes: Changes) -> None:
        self._hub.publish(changes, self)
