"""MCP below the server's own address, for programs that speak it over HTTP.

The protocol's library takes half a second to read: that is done at the first request.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.routing import BaseRoute
    from starlette.types import Receive, Scope, Send

    from engram_desktop.server.desk import Desk

PATH = "/mcp"


def routes(desk: Desk) -> Sequence[BaseRoute]:
    """The addresses of this part."""
    address = _Address(desk)
    desk.during(address.open())
    return [Route(path, address) for path in (PATH, f"{PATH}/")]


class _Address:
    """An application that is made, and begins to run, when somebody first asks for it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._app: Starlette | None = None
        self._making = asyncio.Lock()
        self._ready = asyncio.Event()
        self._ended = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """End what runs when the server does."""
        try:
            yield
        finally:
            self._ended.set()
            if self._running is not None:
                await self._running

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._making:
            if self._app is None:
                self._app = await asyncio.to_thread(self._make)
                self._running = asyncio.create_task(self._run(self._app))
                await self._ready.wait()
        await self._app({**scope, "path": "/"}, receive, send)

    def _make(self) -> Starlette:
        from engram_desktop.server import mcp  # noqa: PLC0415 - see above

        desk = self._desk
        return mcp.mcp_app(mcp.build_mcp(desk.memory, desk.context, desk.on_changes))

    async def _run(self, app: Starlette) -> None:
        """Hold the sessions of the protocol open, in one task from their begin to their end."""
        async with app.router.lifespan_context(app):
            self._ready.set()
            await self._ended.wait()
