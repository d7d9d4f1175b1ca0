"""The HTTP client under every request: what it may send, and where.

It follows no redirect (a redirect would carry the story to another host), uses the proxy of the
settings or of the environment, never one for this computer, and sends only the headers set here:
the OpenAI client would add its own, an organisation and a project from the environment. It accepts
the compressions that are unpacked in pieces. The body of an error is read here, up to a limit,
before the OpenAI client would read all of it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from engram_desktop import __version__
from engram_desktop.domain.errors import LlmError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.llm.client.faults import one_line
from engram_desktop.llm.client.incoming import read_error
from engram_desktop.llm.endpoint.endpoint import NO_PROXY, SYSTEM_PROXY, Endpoint

_T = QT_TRANSLATE_NOOP

_CONNECT_SECONDS = 10.0  # for a server that is there; how long it may think is a setting
_SENT_HEADERS = {
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "host",
    "transfer-encoding",
}


class BadProxy(LlmError):
    """The proxy of the settings, or of the environment, cannot be used."""

    text = QT_TRANSLATE_NOOP("errors", "The proxy cannot be used: {detail}.")
    hint = QT_TRANSLATE_NOOP(
        "errors",
        "Check the proxy in the settings; “as the system” reads HTTPS_PROXY and ALL_PROXY.",
    )


def proxy_of(endpoint: Endpoint) -> str | None:
    """Return the address of the proxy that was chosen; None for none and for the system's.

    Raises BadProxy where one is wanted and none is named: going straight was not what was chosen.
    """
    if endpoint.is_loopback or endpoint.proxy in (SYSTEM_PROXY, NO_PROXY):
        return None
    if not endpoint.proxy:
        raise BadProxy(Phrase(_T("reports", "its address is empty")))
    return endpoint.proxy


class Declined(Exception):
    """A ``response`` that is an error or a redirect, and ``text``, the beginning of its body."""

    def __init__(self, response: httpx2.Response, text: str) -> None:
        super().__init__(response.status_code)
        self.response = response
        self.text = text


@asynccontextmanager
async def open_http(endpoint: Endpoint) -> AsyncIterator[httpx2.AsyncClient]:
    """Open a client for ``endpoint``. Raises BadProxy."""

    async def send_only_own_headers(request: httpx2.Request) -> None:
        for name in list(request.headers):
            if name.lower() not in _SENT_HEADERS:
                del request.headers[name]
        request.headers["Accept-Encoding"] = "gzip, deflate"
        request.headers["User-Agent"] = f"Engram/{__version__}"
        if endpoint.key:
            request.headers["Authorization"] = f"Bearer {endpoint.key}"

    async def decline_errors(response: httpx2.Response) -> None:
        if not response.is_success:
            raise Declined(response, await read_error(response))

    try:
        client = httpx2.AsyncClient(
            follow_redirects=False,
            timeout=httpx2.Timeout(endpoint.timeout, connect=_CONNECT_SECONDS),
            event_hooks={"request": [send_only_own_headers], "response": [decline_errors]},
            trust_env=endpoint.reads_environment,
            proxy=proxy_of(endpoint),
        )
    except (ImportError, ValueError, httpx2.InvalidURL) as error:  # a SOCKS proxy without its
        # package, or what is no URL
        raise BadProxy(one_line(str(error))) from error
    async with client:
        yield client
