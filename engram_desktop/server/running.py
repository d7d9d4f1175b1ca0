"""The memory server on its own thread, started and stopped by a window or a command."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import gc
import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import uvicorn
from typing_extensions import override

from engram_desktop.domain.address import is_loopback
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.server import app, forward, mcp_address, models
from engram_desktop.server.access import MOST_HEADER, ClientLimits, Gate, PatientProtocol
from engram_desktop.server.companion import companion_routes
from engram_desktop.server.server_state import Exchanges, OnExchange, ServerState, ignore_exchange

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.llm.keys import ServeKey
    from engram_desktop.services.memory import Memory

_LOG = logging.getLogger(__name__)
_BACKLOG = 256  # connections the system holds until they are accepted
_STOP_SECONDS = 2.0  # for running requests to end; the window waits no longer
# A request gives up the interpreter some 80 times, at each access to a database and each piece it
# passes on. Other threads that compute then keep it for this long; Python's default is 5 ms.
_TURN_SECONDS = 0.0005
_IDLE_SECONDS = 75  # for a connection without a request: Node keeps its own for less

Part = Callable[[ServerState], Sequence["BaseRoute"]]
# The parts of the server; each adds its routes.
PARTS: tuple[Part, ...] = (forward.routes, companion_routes, mcp_address.routes)


class PortTaken(KnownError):
    """``port`` cannot be listened on; ``detail`` is the system's message."""

    text = QT_TRANSLATE_NOOP("errors", "The memory server cannot listen on port {port}: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "Choose another port in the settings, or 0 for a free one.")
    command_hint = "Choose another port in the settings (serve.port), or 0 for a free one."


class NotStarted(KnownError):
    text = QT_TRANSLATE_NOOP("errors", "The memory server did not start.")
    hint = QT_TRANSLATE_NOOP("errors", "Try again; the log says what happened.")


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens. ``url`` ends in /v1: it is the base URL for other programs.

    ``others`` are addresses for other machines, if it is open to the network. ``is_key_kept``: the
    key is the same at the next start.
    """

    url: str
    key: str
    is_key_kept: bool = True
    others: tuple[str, ...] = ()


class MemoryServer:
    """The server. Call start and stop from one thread; its work runs on threads of its own.

    ``contexts`` makes contexts for its jobs and so decides where they write. ``on_exchange``
    receives each request and each change of it, ``on_changes`` what was written, ``on_grown`` each
    line with new messages; ``on_show`` raises the window. All are called on the server's threads
    and must return at once.
    """

    def __init__(  # noqa: PLR0913 - each is a door of its own
        self,
        memory: Memory,
        contexts: Callable[[], JobContext] = NullContext,
        *,
        on_exchange: OnExchange = ignore_exchange,
        on_changes: Callable[[Changes], object] = lambda _changes: None,
        on_grown: Callable[[Line], object] = lambda _line: None,
        on_show: Callable[[Line | None], bool] = lambda _line: False,
        parts: Sequence[Part] = PARTS,
        limits: ClientLimits = ClientLimits(),  # noqa: B008 - frozen
        protocol: type[PatientProtocol] = PatientProtocol,
    ) -> None:
        self._memory = memory
        self._contexts = contexts
        self._on_changes = on_changes
        self._on_grown = on_grown
        self._on_show = on_show
        self._parts = parts
        self.gate = Gate(limits)
        self._protocol = protocol
        self.exchanges = Exchanges(on_exchange)
        self._running: _Running | None = None
        self._ending: list[_Running] = []

    @property
    def is_running(self) -> bool:
        return self._running is not None and self._running.is_alive

    @property
    def address(self) -> Address | None:
        """The address it listens on; None if it does not run."""
        return self._running.address if self.is_running and self._running else None

    def wait_until_warm(self, seconds: float) -> bool:
        """Wait until the data of the chats played last has been read, if the server runs.

        Returns whether it has been read. An earlier request has to read it itself, and may go on
        without memory.
        """
        return self._running is None or self._running.wait_until_warm(seconds)

    def start(self, port: int | None = None) -> Address:
        """Start listening; returns the address. ``port`` None: the setting's; 0: a free one.

        A running server is left as it is. Raises PortTaken, BadSetting for invalid further
        endpoints, and the errors of reading the key.
        """
        if self._running is not None and self._running.is_alive:
            return self._running.address
        memory = self._memory
        memory.endpoints.check_upstreams()
        settings = memory.settings.read()
        key = memory.endpoints.serve_key()
        sockets = _listening(settings.serve_port if port is None else port, settings.serve_network)
        try:
            self._running = _Running(self._state(), self._parts, sockets, key, self._protocol)
        except BaseException:
            for listening in sockets:
                listening.close()
            raise
        return self._running.address

    def renew_key(self) -> Address | None:
        """Make a new key; the old one is refused from now on."""
        key = self._memory.endpoints.renew_serve_key()
        if self._running is None or not self._running.is_alive:
            return None
        return self._running.renew(key)

    def stop(self) -> None:
        """End every running request and stop listening. Returns within 2 s."""
        running, self._running = self._running, None
        if running is not None:
            self._ending.append(running)
            running.stop()

    def join(self) -> None:
        """Wait, after `stop`, until no thread of the server uses the library, before it is closed.

        A running search in a very long chat is completed, which takes some seconds at most.
        """
        while self._ending:
            self._ending.pop().join()

    def _state(self) -> ServerState:
        return ServerState(
            self._memory,
            self._contexts,
            self.exchanges,
            self._on_changes,
            self._on_grown,
            self.gate,
            self._on_show,
        )


class _Server(uvicorn.Server):
    """A server that sets an event once it listens."""

    def __init__(self, config: uvicorn.Config, ready: threading.Event) -> None:
        super().__init__(config)
        self._ready = ready

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready.set()


class _Running:
    """One run of the server: its sockets, its thread, its state."""

    def __init__(
        self,
        state: ServerState,
        parts: Sequence[Part],
        sockets: list[socket.socket],
        key: ServeKey,
        protocol: type[PatientProtocol],
    ) -> None:
        self._state = state
        self._key = key
        routes = [route for part in parts for route in part(state)]
        built = app.build_app(state, routes, app.rules_for(state, lambda: self._key.key))
        port = sockets[0].getsockname()[1]
        names = frozenset(app.own_names())
        state.is_own = lambda url: models.is_own(url, port, names)
        self.address = Address(
            f"http://127.0.0.1:{port}/v1",
            key.key,
            key.is_kept,
            _others(port) if state.settings().serve_network else (),
        )
        sys.setswitchinterval(min(_TURN_SECONDS, sys.getswitchinterval()))  # of the whole process
        ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server = _Server(_config(built, protocol), ready)
        self._sockets = sockets
        self._thread = threading.Thread(target=self._run, name="engram-server", daemon=True)
        self._thread.start()
        # The thread ends before it is ready only if it failed.
        while not ready.wait(0.02):
            if not self._thread.is_alive():
                raise NotStarted

        self._warming = state.begin(state.memory.serving.warm)
        # What was read lives as long as the server: garbage collection need not scan it.
        self._warming.add_done_callback(lambda _read: gc.freeze())

    def wait_until_warm(self, seconds: float) -> bool:
        return not concurrent.futures.wait([self._warming], seconds).not_done

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def renew(self, key: ServeKey) -> Address:
        self._key = key
        self.address = replace(self.address, key=key.key, is_key_kept=key.is_kept)
        return self.address

    def stop(self) -> None:
        self._server.should_exit = True
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended already
                loop.call_soon_threadsafe(self._state.end_open)
        began = time.monotonic()
        self._thread.join(_STOP_SECONDS)
        self._state.close(max(0.1, _STOP_SECONDS - (time.monotonic() - began)))

    def join(self) -> None:
        self._thread.join()
        self._state.join()

    def _run(self) -> None:
        try:
            with asyncio.Runner() as runner:
                self._loop = runner.get_loop()
                runner.run(self._server.serve(self._sockets))
        except Exception:  # noqa: BLE001 - logged; `start` and `is_running` tell of it
            _LOG.exception("the memory server ended")
        finally:
            for listening in self._sockets:
                listening.close()


def _config(built: ASGIApp, protocol: type[PatientProtocol]) -> uvicorn.Config:
    return uvicorn.Config(
        built,
        http=protocol,
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="critical",  # its warnings are about strangers' input; bugs are logged by `app`
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=MOST_HEADER,
    )


def _listening(port: int, network: bool) -> list[socket.socket]:  # noqa: FBT001 - a setting
    """Listen on IPv4, and on IPv6 if available: “localhost” may be either. Raises PortTaken."""
    first = _bound(socket.AF_INET, "0.0.0.0" if network else "127.0.0.1", port)  # noqa: S104
    taken = first.getsockname()[1]
    try:
        return [first, _bound(socket.AF_INET6, "::" if network else "::1", taken)]
    except PortTaken:  # no IPv6, or another program has it: the address shown is the IPv4 one
        return [first]


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    try:
        listening = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise PortTaken(error.strerror or str(error), port=port) from error
    try:
        if sys.platform == "win32":  # otherwise another program could listen on the same port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:  # otherwise the port is blocked for a minute after a stop
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        raise PortTaken(error.strerror or str(error), port=port) from error
    return listening


def _others(port: int) -> tuple[str, ...]:
    """Return the URLs by which other machines reach this one, as far as it knows."""
    try:
        rows = socket.getaddrinfo(socket.gethostname(), port, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        return ()
    hosts = dict.fromkeys(str(row[4][0]) for row in rows)
    return tuple(f"http://{host}:{port}/v1" for host in hosts if not is_loopback(host))
