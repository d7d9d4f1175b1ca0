"""The ASGI application of the server: the guard around a router with the routes of all parts."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.serving.identity import parse_origins
from engram_desktop.server.access import AccessRules, Guard
from engram_desktop.server.answers import (
    BUG,
    Refusal,
    on_bug,
    on_http_error,
    on_known_error,
    refuse,
)
from engram_desktop.server.server_state import ServerState, now_ms

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from engram_desktop.domain.phrase import Phrase

_LOG = logging.getLogger(__name__)


def build_app(
    state: ServerState, routes: Sequence[BaseRoute], rules: Callable[[], AccessRules]
) -> ASGIApp:
    """Build the application: the router, the guard around it, and a handler of internal errors."""
    handlers = {HTTPException: on_http_error, KnownError: on_known_error, Exception: on_bug}
    router = Starlette(routes=routes, exception_handlers=handlers, lifespan=state.lifespan)
    router.router.redirect_slashes = False

    def show_refused(scope: Scope, status: int, why: Phrase) -> None:
        path = "".join(c if c.isprintable() else "\ufffd" for c in scope["path"][:200])
        exchange = state.exchanges.begin(now_ms(), path, client=client_of(scope))
        state.exchanges.change(
            exchange.number, outcome="refused", status=status, failure=why, is_finished=True
        )

    return _LastDefence(Guard(router, rules, show_refused))


def rules_for(state: ServerState, key: Callable[[], str]) -> Callable[[], AccessRules]:
    """Return the access rules of the current settings."""
    names = frozenset(own_names())

    def rules() -> AccessRules:
        settings = state.settings()
        origins = parse_origins(settings.serve_origins)
        return AccessRules(key(), settings.serve_network, names, origins)

    return rules


def client_of(scope: Scope) -> str:
    """Return the name a client gives itself, in a form that can be shown."""
    agent = next((value for name, value in scope["headers"] if name == b"user-agent"), b"")
    return "".join(c if c.isprintable() else "\ufffd" for c in agent.decode("latin-1")[:200])


def own_names() -> list[str]:
    """Return the names of this computer in its network."""
    name = socket.gethostname().lower().rstrip(".")
    short = name.partition(".")[0]
    return [n for n in {name, short, f"{short}.local", f"{short}.lan"} if n]


class _LastDefence:
    """Answers an internal error and logs it; no detail is sent to the client."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_begun = False

        async def send_on(message: Message) -> None:
            nonlocal is_begun
            is_begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_on)
        except Refusal as refusal:
            if not is_begun:
                await refuse(send, refusal)
        except Exception:  # noqa: BLE001 - the last line of defence: it is logged as a bug
            _LOG.exception("a request to the memory server failed")
            if scope["type"] == "http" and not is_begun:
                await refuse(send, Refusal(500, "internal_error", BUG))
