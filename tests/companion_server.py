"""The companion's routes in the memory server, and somebody who asks as the companion does."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from starlette.routing import Route
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.server.companion import companion_routes
from engram_desktop.server.running import MemoryServer
from engram_desktop.server.server_state import ServerState
from engram_desktop.services.memory import Memory


@dataclass
class Seen:
    """What the server told of, and what its jobs do first: such as wait."""

    changed: list[Changes] = field(default_factory=list)
    grown: list[Line] = field(default_factory=list)
    shown: list[Line | None] = field(default_factory=list)
    before: Callable[[], object] = lambda: None
    then: Callable[[Line], object] = lambda _line: None  # what is done when a line grew

    def grow(self, line: Line) -> None:
        self.grown.append(line)
        self.then(line)

    def show(self, line: Line | None) -> bool:
        self.shown.append(line)
        return True


class _Context(NullContext):
    def __init__(self, seen: Seen) -> None:
        self._seen = seen

    @override
    def check(self) -> None:
        self._seen.before()


@dataclass
class Caller:
    """Asks a running server as the companion does."""

    url: str
    key: str
    seen: Seen
    state: ServerState

    def ask(self, name: str, body: object = None) -> Any:
        """What it answers, as JSON."""
        return self.answer(name, body)[1]

    def answer(
        self, name: str, body: object = None, *, raw: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        """The status of an answer too; ``raw`` is sent as it is."""
        where = urlsplit(self.url)
        connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=30)
        data = raw if raw is not None else json.dumps(body or {}).encode()
        with contextlib.closing(connection):
            sent = {"Authorization": f"Bearer {self.key}"} | headers
            connection.request("POST", f"/companion/v1/{name}", data, sent)
            response = connection.getresponse()
            text = response.read()
        return response.status, json.loads(text) if text else None


@contextlib.contextmanager
def serving(memory: Memory) -> Iterator[Caller]:
    """Serve a library's companion routes on a free port until the block ends."""
    seen = Seen()
    states: list[ServerState] = []

    def part(state: ServerState) -> list[Route]:
        states.append(state)
        return companion_routes(state)

    server = MemoryServer(
        memory,
        lambda: _Context(seen),
        on_changes=seen.changed.append,
        on_grown=seen.grow,
        on_show=seen.show,
        parts=(part,),
    )
    address = server.start(0)
    try:
        yield Caller(address.url.removesuffix("/v1"), address.key, seen, states[0])
    finally:
        server.stop()
