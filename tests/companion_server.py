"""The companion's routes behind a plain server: what the memory server lends them, and no guard."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.server.companion import companion_routes
from engram_desktop.services.memory import Memory

T = TypeVar("T")


@dataclass
class Desk:
    """Threads to work on; what was written and what grew are kept for a test to see."""

    memory: Memory
    changed: list[Changes] = field(default_factory=list)
    grown: list[Line] = field(default_factory=list)
    shown: list[Line | None] = field(default_factory=list)
    before: Callable[[], object] = lambda: None  # what a thread does first: such as wait

    def __post_init__(self) -> None:
        self._workers = ThreadPoolExecutor(4)
        self._keeper = ThreadPoolExecutor(1)

    @property
    def on_changes(self) -> Callable[[Changes], object]:
        return self.changed.append

    @property
    def on_grown(self) -> Callable[[Line], object]:
        return self.grown.append

    def show(self, line: Line | None) -> bool:
        self.shown.append(line)
        return True

    def submit(self, job: Callable[[JobContext], T], *, keeps: bool = False) -> Future[T]:
        def run() -> T:
            self.before()
            return job(NullContext())

        return (self._keeper if keeps else self._workers).submit(run)

    async def work(
        self, job: Callable[[JobContext], T], *, seconds: float | None = None, keeps: bool = False
    ) -> T:
        async with asyncio.timeout(seconds):
            return await asyncio.wrap_future(self.submit(job, keeps=keeps))

    def close(self) -> None:
        self._workers.shutdown()
        self._keeper.shutdown()


@dataclass
class Caller:
    """Asks a running server as the companion does."""

    url: str
    desk: Desk

    def ask(self, name: str, body: object = None, *, raw: bytes | None = None) -> Any:
        """What it answers, as JSON; see `status` too."""
        return self.answer(name, body, raw=raw)[1]

    def answer(self, name: str, body: object = None, *, raw: bytes | None = None) -> Any:
        where = urlsplit(self.url)
        connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=30)
        data = raw if raw is not None else json.dumps(body or {}).encode()
        with contextlib.closing(connection):
            connection.request("POST", f"/companion/v1/{name}", data)
            response = connection.getresponse()
            text = response.read()
        return response.status, json.loads(text) if text else None


@contextlib.contextmanager
def serving(memory: Memory) -> Iterator[Caller]:
    """Serve a library's companion routes on a free port until the block ends."""
    desk = Desk(memory)
    cors = Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"])
    app = Starlette(routes=companion_routes(desk, desk.show), middleware=[cors])
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, log_level="warning", lifespan="off", ws="none")
    )
    ready = threading.Event()

    async def run() -> None:
        server.config.load()
        server.lifespan = server.config.lifespan_class(server.config)
        await server.startup()
        ready.set()
        await server.main_loop()
        await server.shutdown()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    try:
        assert ready.wait(30)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Caller(f"http://127.0.0.1:{port}", desk)
    finally:
        server.should_exit = True
        thread.join(30)
        desk.close()
