"""Forward another program's request to an endpoint, and return its response byte for byte.

Only configured endpoints are connected to, with their own keys. The caller's keys, cookies and
connection headers are dropped. Redirects are neither followed nor passed on: a client that followed
one would carry the story to another host. No request is tried twice, since the first attempt may
have been billed. The exception is a kept connection that breaks at once, without an answer: the
endpoint closed it while it was idle, and read no request.

The reply is read from the bytes of the response once that is complete. This never raises: an
unreadable response gives no reply, and its bytes were passed on all the same.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal, Self

import httpx2

from engram_desktop import __version__
from engram_desktop.domain.errors import LlmError, Unreachable
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.llm.connection import (
    BadProxy,
    cleaned,
    content_text,
    from_http,
    from_status,
    one_line,
    proxy_of,
    server_words,
    trust_of,
)
from engram_desktop.llm.endpoint import Endpoint, Task

_MOST = 16_000_000  # bytes of an answer after unpacking: each token comes in about 300


@dataclass(frozen=True, slots=True)
class Overheard:
    """The reply read from a response. ``is_whole``: complete; ``finish``: why the model stopped.

    ``read`` is the number of tokens the model read of its request, 0 if unknown.
    """

    text: str = ""
    finish: str = ""
    is_whole: bool = False
    read: int = 0


NOTHING_HEARD = Overheard()


def overheard(body: bytes, kind: str, packing: str = "") -> Overheard:
    """Read the first choice of an answer; ``kind`` is its Content-Type, ``packing`` its encoding.

    A streamed answer is whole with ``[DONE]``, or with a piece that has a finish reason.
    """
    unpacked = _unpacked(body, packing.strip().lower())
    if unpacked is None or len(unpacked) > _MOST:
        return NOTHING_HEARD
    text = unpacked.decode("utf-8-sig", "replace")
    if "event-stream" in kind.lower() or text.lstrip()[:6] in {"data: ", "data:{"}:
        return _of_pieces(text)
    return _of_whole(text)


def _of_whole(text: str) -> Overheard:
    answer = _json(text)
    choice = _first_choice(answer)
    if choice is None:
        return NOTHING_HEARD
    words, finish = _words(choice), _finish(choice)
    return Overheard(cleaned(words), finish, is_whole=True, read=_read(answer))


def _of_pieces(text: str) -> Overheard:
    """Read events: the ``data:`` lines of one are joined to one text; other lines are ignored."""
    words: list[str] = []
    finish, is_done, is_bad, read = "", False, False, 0
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for data in _events(lines):
        if data.strip() == "[DONE]":
            is_done = True
            break
        piece = _json(data)
        if not isinstance(piece, dict) or piece.get("error"):
            is_bad = True
            continue
        read = _read(piece) or read
        choice = _first_choice(piece)
        if choice is not None:
            words.append(_words(choice))
            finish = _finish(choice) or finish
    is_whole = (is_done or bool(finish)) and not is_bad
    return Overheard(cleaned("".join(words)), finish, is_whole, read)


def _events(lines: list[str]) -> list[str]:
    """Join the ``data:`` lines of each event; without blank lines, each line is an event."""
    events: list[str] = []
    pending: list[str] = []
    for line in [*lines, ""]:
        if line.startswith("data:"):
            data = line[5:].removeprefix(" ")
            if pending and _is_whole_json(pending[-1]):
                events += pending
                pending = []
            pending.append(data)
        elif not line.strip() and pending:
            events.append("\n".join(pending))
            pending = []
    return events


def _is_whole_json(data: str) -> bool:
    return data.rstrip().endswith("}") and _json(data) is not None


def _first_choice(answer: Any) -> dict[str, Any] | None:
    rows = answer.get("choices") if isinstance(answer, dict) else None
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("index", 0) in (0, None):
            return row
    return None


def _words(choice: dict[str, Any]) -> str:
    """Return the text of a choice of any shape: a piece, a message, or a text completion."""
    for name in ("delta", "message"):
        message = choice.get(name)
        if isinstance(message, dict):
            return content_text(message.get("content"))
    return content_text(choice.get("text"))


def _finish(choice: dict[str, Any]) -> str:
    return str(choice.get("finish_reason") or "")


def _read(answer: dict[str, Any]) -> int:
    """Return the number of tokens of a request as the server counted them, cached ones included."""
    match answer.get("usage"):
        case {"prompt_tokens": int(count), "prompt_tokens_details": {"cached_tokens": int(known)}}:
            return max(count, known)
        case {"prompt_tokens": int(count), "cache_read_input_tokens": int(known)}:
            return count + known
        case {"prompt_tokens": int(count)}:
            return max(count, 0)
    return 0


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _unpacked(body: bytes, packing: str) -> bytes | None:
    """Undo a compression that came although none was asked for, up to a limit."""
    if packing in {"", "identity"}:
        return body
    if packing not in {"gzip", "x-gzip", "deflate"}:
        return None
    for bits in (47, -15):  # gzip or zlib by header; deflate without one
        machine = zlib.decompressobj(bits)
        try:
            return machine.decompress(body, _MOST + 1)
        except zlib.error:
            continue
    return None


_T = QT_TRANSLATE_NOOP

Headers = Sequence[tuple[bytes, bytes]]
Forwarded = Literal["chat", "completion", "embed", "models"]
PATHS: dict[Forwarded, str] = {
    "chat": "/chat/completions",
    "completion": "/completions",
    "embed": "/embeddings",
    "models": "/models",
}
# The task named in errors; a completion is reported as a chat.
_TASKS: dict[Forwarded, Task] = {
    "chat": "chat",
    "completion": "chat",
    "embed": "embed",
    "models": "models",
}
_CONNECT_SECONDS = 10.0  # for a reachable server
# Without a byte: a model may think for a quarter of an hour before it answers in one piece, and the
# waiting client can leave at any time.
_SILENCE_SECONDS = 1_800.0
_CLIENTS = 16  # endpoints with held connections; nobody configures more
_IDLE_CONNECTIONS = 20  # of one endpoint, held for further requests
_IDLE_SECONDS = 20.0  # they are held; servers close theirs after 60 and more
# A kept connection that breaks later may have carried a request that is being answered. Bounds one
# round trip; not measured.
_CLOSED_SECONDS = 3.0

# Headers of the caller that mean something to the endpoint. All others are dropped: keys, cookies,
# the caller's origin, and those that concern one connection only.
_PASSED_ON = {
    b"accept",
    b"content-type",
    b"http-referer",
    b"idempotency-key",
    b"user-agent",
    b"x-request-id",
    b"x-title",
}
_PASSED_BEGINNINGS = (b"openai-", b"anthropic-", b"x-session-")
# Headers of an answer that concern one connection, or its origin.
_NOT_HANDED_BACK = {
    b"alt-svc",
    b"connection",
    b"keep-alive",
    b"proxy-authenticate",
    b"proxy-authorization",
    b"proxy-connection",
    b"public-key-pins",
    b"set-cookie",
    b"strict-transport-security",
    b"te",
    b"trailer",
    b"transfer-encoding",
    b"upgrade",
    b"www-authenticate",
}


@dataclass(frozen=True, slots=True)
class Coming:
    """A response as it arrives. ``pieces`` raises LlmError if the connection breaks."""

    status: int
    headers: Headers
    pieces: AsyncGenerator[bytes]

    def header(self, name: bytes) -> str:
        """Return a header, or an empty text."""
        return next((v.decode("latin-1") for n, v in self.headers if n.lower() == name), "")


class Forwarding:
    """Connections to endpoints, for one event loop, as an asynchronous context manager."""

    def __init__(
        self, silence: float = _SILENCE_SECONDS, closed_within: float = _CLOSED_SECONDS
    ) -> None:
        self._silence = silence
        self._closed_within = closed_within
        self._clients: dict[tuple[str, str], httpx2.AsyncClient] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.aclose()

    @asynccontextmanager
    async def send(
        self,
        endpoint: Endpoint,
        what: Forwarded,
        body: bytes | None,
        headers: Headers = (),
        on_sent: Callable[[], object] = int,
    ) -> AsyncIterator[Coming]:
        """Send a request with the caller's ``headers``; without a body, a GET. Raises LlmError.

        ``on_sent`` is called once all is sent. Leaving the block ends the request, even in the
        middle of its answer.
        """
        task = _TASKS[what]
        try:
            request = httpx2.Request(
                "GET" if body is None else "POST",
                endpoint.base_url + PATHS[what],
                headers=_passed_on(headers, endpoint),
                content=body,
                extensions={
                    "timeout": {
                        "connect": _CONNECT_SECONDS,
                        "read": self._silence,
                        "write": self._silence,
                        "pool": None,
                    }
                },
            )
            response = await self._answer(self._client(endpoint), request, on_sent)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise from_http(error, endpoint, task).error from error
        try:
            if 300 <= response.status_code < 400:
                raise from_status(response, "", endpoint, task, time.time()).error
            yield Coming(
                response.status_code,
                _handed_back(response.headers.raw),
                _pieces(response, endpoint, task),
            )
        finally:
            await response.aclose()

    async def _answer(
        self, client: httpx2.AsyncClient, request: httpx2.Request, on_sent: Callable[[], object]
    ) -> httpx2.Response:
        """Send ``request``; if a kept connection turns out to be closed, try the next one."""
        while True:
            is_kept, began = True, time.monotonic()

            async def note(event: str, _details: object) -> None:
                nonlocal is_kept
                is_kept = is_kept and "connect_tcp" not in event
                if event.endswith("send_request_body.complete"):
                    on_sent()

            request.extensions["trace"] = note
            try:
                return await client.send(request, stream=True)
            except (httpx2.RemoteProtocolError, httpx2.ReadError):
                if not is_kept or time.monotonic() - began > self._closed_within:
                    raise

    def _client(self, endpoint: Endpoint) -> httpx2.AsyncClient:
        key = (endpoint.origin, endpoint.proxy)
        client = self._clients.get(key)
        if client is None:
            while len(self._clients) >= _CLIENTS:
                # not closed: a request may be running on it; it closes with the last one
                self._clients.pop(next(iter(self._clients)))
            try:
                client = httpx2.AsyncClient(
                    follow_redirects=False,
                    trust_env=endpoint.reads_environment,
                    proxy=proxy_of(endpoint),
                    verify=trust_of(endpoint),
                    limits=httpx2.Limits(
                        max_connections=None,
                        max_keepalive_connections=_IDLE_CONNECTIONS,
                        keepalive_expiry=_IDLE_SECONDS,
                    ),
                )
            except (ImportError, ValueError, httpx2.InvalidURL) as error:  # as in `connection`
                raise BadProxy(one_line(str(error))) from error
            self._clients[key] = client
        return client


def words_of_error(body: bytes, key: str) -> str:
    """Return the message in the body of an error, on one line, with the key masked."""
    return server_words(body.decode("utf-8", "replace"), key)


async def _pieces(
    response: httpx2.Response, endpoint: Endpoint, task: Task
) -> AsyncGenerator[bytes]:
    try:
        async for piece in response.aiter_raw():
            yield piece
    except httpx2.TimeoutException as error:
        words = Phrase(_T("reports", "it sent nothing more in time"))
        raise Unreachable(words, url=endpoint.final_url(task)) from error
    except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
        raise _broken(error, endpoint, task) from error


def _broken(error: Exception, endpoint: Endpoint, task: Task) -> LlmError:
    return from_http(error, endpoint, task).error


def _passed_on(headers: Headers, endpoint: Endpoint) -> list[tuple[bytes, bytes]]:
    """Return the caller's headers that are passed on, and our own."""
    passed = [
        (name.lower(), value)
        for name, value in headers
        if name.lower() in _PASSED_ON or name.lower().startswith(_PASSED_BEGINNINGS)
    ]
    names = {name for name, _value in passed}
    passed.append((b"host", _host(endpoint)))
    # An uncompressed response is passed on as it comes, and can be read on the way.
    passed.append((b"accept-encoding", b"identity"))
    if b"user-agent" not in names:
        passed.append((b"user-agent", f"Engram/{__version__}".encode()))
    if b"accept" not in names:
        passed.append((b"accept", b"*/*"))
    if endpoint.key:
        passed.append((b"authorization", f"Bearer {endpoint.key}".encode("ascii")))
    return passed


def _host(endpoint: Endpoint) -> bytes:
    return endpoint.origin.partition("://")[2].encode("ascii")


def _handed_back(raw: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Return the headers of an answer that the caller gets."""
    headers = list(raw)
    of_connection = {
        token.strip().lower()
        for name, value in headers
        if name.lower() == b"connection"
        for token in value.split(b",")
    }
    return [
        (name, value)
        for name, value in headers
        if name.lower() not in _NOT_HANDED_BACK | of_connection
        and not name.lower().startswith(b"access-control-")
    ]
