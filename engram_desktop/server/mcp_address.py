"""MCP below the server's own address, for programs that speak it over HTTP.

Importing the protocol's library takes half a second, so that is done at the first request.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from engram_desktop.server.access import ClientGone
from engram_desktop.server.answers import Refusal

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.routing import BaseRoute
    from starlette.types import Receive, Scope, Send

    from engram_desktop.server.server_state import ServerState

PATH = "/mcp"
INVALID_REQUEST = -32_600  # of JSON-RPC: the request is not acceptable


def routes(state: ServerState) -> Sequence[BaseRoute]:
    """Return the routes of this part."""
    address = _Address(state)
    state.during(address.open())
    return [Route(path, address) for path in (PATH, f"{PATH}/")]


class _Address:
    """An application that is created and started at its first request."""

    def __init__(self, state: ServerState) -> None:
        self._state = state
        self._app: Starlette | None = None
        self._making = asyncio.Lock()
        self._ready = asyncio.Event()
        self._ended = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Stop the application when the server ends."""
        try:
            yield
        finally:
            self._ended.set()
            if self._running is not None:
                await self._running

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self._state.gate.request() as held:
                body = await held.body(scope, receive)
                app = await self._made()
                await app({**scope, "path": "/"}, _given(_whole_text(body), receive), send)
        except Refusal as refusal:
            await _refuse(send, refusal)
        except ClientGone:
            return

    async def _made(self) -> Starlette:
        async with self._making:
            if self._app is None:
                self._app = await asyncio.to_thread(self._make)
                self._running = asyncio.create_task(self._run(self._app))
                await self._ready.wait()
            return self._app

    def _make(self) -> Starlette:
        from engram_desktop.server import mcp  # noqa: PLC0415 - see above

        state = self._state
        return mcp.mcp_app(mcp.build_mcp(state.memory, state.context, state.on_changes))

    async def _run(self, app: Starlette) -> None:
        """Run the sessions of the protocol in one task, from start to end."""
        async with app.router.lifespan_context(app):
            self._ready.set()
            await self._ended.wait()


def _given(body: bytes, receive: Receive) -> Receive:
    """Return a receiver of ``body``, which was read already, and then of further messages."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def give() -> Any:
        return waiting.pop() if waiting else await receive()

    return give


def _whole_text(body: bytes) -> bytes:
    """Replace halves of characters in a JSON text: an answer that quotes one cannot be sent."""
    if b"\\ud" not in body.lower():
        return body
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):  # the protocol's library reports it
        return body
    text = json.dumps(value, ensure_ascii=False)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


async def _refuse(send: Send, refusal: Refusal) -> None:
    """Answer in the shape of the protocol, since MCP clients read no other error."""
    error = {"code": INVALID_REQUEST, "message": refusal.message}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    headers = [*refusal.headers, (b"content-length", str(len(body)).encode())]
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
