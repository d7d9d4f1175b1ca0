"""The HTTP client under every request: what it may send, and where.

It follows no redirect (a redirect would carry the story to another host), reads proxies from the
environment but never uses one for this computer, and lets only its own headers out. Of compressions
it asks for those that the HTTP client unpacks in pieces.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from engram_desktop import __version__
from engram_desktop.domain.errors import LlmError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.llm.endpoint import Endpoint
from engram_desktop.llm.faults import one_line

_CONNECT_SECONDS = 10.0
_OURS = {
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "host",
    "transfer-encoding",
}


class BadProxy(LlmError):
    """The proxy of the environment cannot be used."""

    text = QT_TRANSLATE_NOOP("errors", "The proxy set on this computer cannot be used: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "Check HTTPS_PROXY and ALL_PROXY, or the system's proxy.")


@asynccontextmanager
async def open_http(endpoint: Endpoint) -> AsyncIterator[httpx2.AsyncClient]:
    """Open a client for ``endpoint``. Raises BadProxy."""

    async def only_ours(request: httpx2.Request) -> None:
        for name in list(request.headers):
            if name.lower() not in _OURS:
                del request.headers[name]
        request.headers["Accept-Encoding"] = "gzip, deflate"
        request.headers["User-Agent"] = f"Engram/{__version__}"
        if endpoint.key:
            request.headers["Authorization"] = f"Bearer {endpoint.key}"

    try:
        client = httpx2.AsyncClient(
            follow_redirects=False,
            timeout=httpx2.Timeout(endpoint.timeout, connect=_CONNECT_SECONDS),
            event_hooks={"request": [only_ours]},
            trust_env=not endpoint.is_loopback,
        )
    except (ImportError, ValueError) as error:  # a SOCKS proxy without its package, or no URL
        raise BadProxy(one_line(str(error))) from error
    async with client:
        yield client
