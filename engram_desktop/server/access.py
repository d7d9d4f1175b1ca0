"""Access to the server: keys, hosts and origins, limits, and time-outs for slow clients."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.serving.identity import is_known_host, is_known_origin
from engram_desktop.domain.values import dataclass
from engram_desktop.server.answers import Refusal, error_body, refuse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


# The outermost layer, which reads only the header of a request. It checks, in this order: the host
# the request was sent to (DNS rebinding), the origin of the page, the key. A preflight carries no
# key and needs none. Refusals are answered in the shape of an OpenAI error, and only their reason
# is logged.


_T = QT_TRANSLATE_NOOP
_METHODS = b"GET, POST, OPTIONS"
_OUR_HEADERS = (
    b"authorization, content-type, x-api-key, api-key, x-engram-chat, x-engram-speaker,"
    b" http-referer, x-title, x-request-id"
)
_PREFLIGHT_SECONDS = b"600"  # how long a browser may cache a preflight
_EXPOSED = b"retry-after, x-request-id, x-engram-trouble"
_LONGEST_PATH = 2_000  # characters: a chat's name has some hundred
_MOST_ASKED = 2_000  # bytes of Access-Control-Request-Headers that are answered
_REFUSED_MS = 1_000  # between refusals that are shown, so that a flood of them hides no request

_HOST = _T("reports", "it was sent to a name that is not this server's")
_ORIGIN = _T("reports", "a page of “{origin}” may not use the server: see serve.origins")
_NO_KEY = _T("reports", "it has no key")
_WRONG_KEY = _T("reports", "its key is not the server's")
_MESSAGES = {
    _HOST: "The Host of the request is not this server's.",
    _ORIGIN: "This page may not use the server. Add its address to the setting serve.origins.",
    _NO_KEY: "The server's API key is missing: send it as a bearer token.",
    _WRONG_KEY: "The API key is not the server's.",
}


@dataclass(frozen=True, slots=True)
class AccessRules:
    """The current rules: the names of this computer and the allowed origins of pages."""

    key: str
    network: bool = False
    names: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()


class Guard:
    """ASGI middleware. ``rules`` is called for each request, so that a new key counts at once."""

    def __init__(
        self,
        app: ASGIApp,
        rules: Callable[[], AccessRules],
        on_refused: Callable[[Scope, int, Phrase], object] = lambda _scope, _status, _why: None,
    ) -> None:
        self._app = app
        self._rules = rules
        self._on_refused = on_refused
        self._last_refused = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        rules = self._rules()
        headers = scope["headers"]
        origin = _one(headers, b"origin")
        refusal = self._refusal(scope, rules, origin)
        if refusal is not None:
            await refuse(_open_to(send, b"" if refusal.code == "origin" else origin), refusal)
            return
        if scope["method"] == "OPTIONS" and origin:
            await _answer_preflight(headers, origin, send)
            return
        await self._app(scope, receive, _open_to(send, origin))

    def _refusal(  # noqa: PLR0911 - each says no for a reason of its own
        self, scope: Scope, rules: AccessRules, origin: bytes
    ) -> Refusal | None:
        headers = scope["headers"]
        host = _one(headers, b"host").decode("latin-1")
        if not is_known_host(host, rules.names, network=rules.network):
            return self._refused(scope, 403, "host", Phrase(_HOST))
        page = origin.decode("latin-1")
        if origin and not is_known_origin(page, rules.origins, host, network=rules.network):
            return self._refused(scope, 403, "origin", Phrase(_ORIGIN, origin=_shown(page)))
        if len(scope["path"]) > _LONGEST_PATH:
            return Refusal(414, "too_long", "The address is too long.")
        if scope["method"] == "OPTIONS" and origin:
            return None
        keys = _keys(headers)
        if not keys:
            return self._refused(scope, 401, "invalid_api_key", Phrase(_NO_KEY))
        # Every key of the request is compared, each in constant time.
        fits = [hmac.compare_digest(key, rules.key.encode("utf-8")) for key in keys]
        if not rules.key or not any(fits):
            return self._refused(scope, 401, "invalid_api_key", Phrase(_WRONG_KEY))
        return None

    def _refused(self, scope: Scope, status: int, code: str, why: Phrase) -> Refusal:
        now = time.monotonic() * 1000
        if now - self._last_refused >= _REFUSED_MS or not self._last_refused:
            self._last_refused = now
            self._on_refused(scope, status, why)
        return Refusal(status, code, _MESSAGES[why.template])


def _one(headers: list[tuple[bytes, bytes]], name: bytes) -> bytes:
    """Return a header; the values of a repeated one are joined, which matches no allowed value."""
    return b", ".join(value for key, value in headers if key == name)


def _keys(headers: list[tuple[bytes, bytes]]) -> list[bytes]:
    """Return the keys of a request, from any of the headers that clients use."""
    keys: list[bytes] = []
    for name, value in headers:
        if name == b"authorization":
            scheme, _, token = value.partition(b" ")
            if scheme.lower() == b"bearer":
                keys.append(token.strip())
        elif name in {b"x-api-key", b"api-key"}:
            keys.append(value.strip())
    return [key for key in keys if key]


def _shown(origin: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in origin[:200])


def _open_to(send: Send, origin: bytes) -> Send:
    """Add the headers that let the page of ``origin`` read the response."""
    if not origin:
        return send

    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [
                *message.get("headers", []),
                (b"access-control-allow-origin", origin),
                (b"access-control-expose-headers", _EXPOSED),
                (b"vary", b"Origin"),
            ]
            message = {**message, "headers": headers}
        await send(message)

    return send_on


async def _answer_preflight(headers: list[tuple[bytes, bytes]], origin: bytes, send: Send) -> None:
    asked = _one(headers, b"access-control-request-headers").lower()
    is_plain = (
        asked and len(asked) <= _MOST_ASKED and all(chr(c).isalnum() or c in b"-_, " for c in asked)
    )
    answer = [
        (b"access-control-allow-origin", origin),
        (b"access-control-allow-methods", _METHODS),
        # SDKs send headers of their own (x-stainless-…), which are not passed on.
        (b"access-control-allow-headers", asked if is_plain else _OUR_HEADERS),
        (b"access-control-max-age", _PREFLIGHT_SECONDS),
        (
            b"vary",
            b"Origin, Access-Control-Request-Headers, Access-Control-Request-Private-Network",
        ),
        (b"content-length", b"0"),
    ]
    if _one(headers, b"access-control-request-private-network") == b"true":
        answer.append((b"access-control-allow-private-network", b"true"))
    await send({"type": "http.response.start", "status": 204, "headers": answer})
    await send({"type": "http.response.body", "body": b""})


# Limits on what is accepted at once: requests, bytes of bodies, seconds to receive them.


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """Limits for clients. Tests set their own."""

    requests: int = 128  # concurrent; a hundred streams of one household are many
    body: int = 48_000_000  # bytes of one body: some pictures as text; a story has some MB
    bodies: int = 192_000_000  # bytes of all bodies that are held
    pause: float = 15.0  # seconds without a byte of an expected body
    whole: float = 120.0  # seconds for all of a body: 48 MB over a slow wireless network
    rate: int = 2_000  # minimum average rate of a body in bytes a second
    grace: float = 10.0  # seconds before the rate counts: some clients have to think first


class ClientGone(Exception):
    """The client closed its connection before its request was whole, or before its answer."""


class Gate:
    """Counts concurrent requests and the bytes they hold. On the server's thread only."""

    def __init__(self, limits: ClientLimits) -> None:
        self.limits = limits
        self._requests = 0
        self._bytes = 0

    @contextmanager
    def request(self) -> Iterator[GateShare]:
        """Admit a request. It counts from `GateShare.begin` on: a slow body takes no place."""
        held = GateShare(self)
        try:
            yield held
        finally:
            held.release()

    def begin(self) -> None:
        """Count one more request. Raises Refusal."""
        if self._requests >= self.limits.requests:
            raise Refusal(
                503, "too_many_requests", "Too many requests are under way.", retry_after=2
            )
        self._requests += 1

    def end(self) -> None:
        self._requests -= 1

    def take(self, count: int) -> None:
        """Reserve this many more bytes. Raises Refusal."""
        if self._bytes + count > self.limits.bodies:
            raise Refusal(503, "too_much_at_once", "Too much is held at once.", retry_after=2)
        self._bytes += count

    def give_back(self, count: int) -> None:
        self._bytes -= count


class GateShare:
    """The share of the gate that one request holds."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._bytes = 0
        self._has_begun = False

    def begin(self) -> None:
        """Take a place among the concurrent requests. Raises Refusal."""
        self._gate.begin()
        self._has_begun = True

    def take(self, count: int) -> None:
        self._gate.take(count)
        self._bytes += count

    def release(self) -> None:
        self._gate.give_back(self._bytes)
        self._bytes = 0
        if self._has_begun:
            self._gate.end()
            self._has_begun = False

    async def body(self, scope: Scope, receive: Receive) -> bytes:
        """Read a body within the limits, then call `begin`. Raises Refusal, ClientGone."""
        body = await self._body(scope, receive)
        self.begin()
        return body

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        limits = self._gate.limits
        began = time.monotonic()
        length = _announced(scope)
        if length is not None and length > limits.body:
            raise _too_large(limits.body)
        pieces: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(limits.whole):
                while True:
                    due = limits.grace + size / limits.rate - (time.monotonic() - began)
                    async with asyncio.timeout(min(limits.pause, due)):
                        message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ClientGone
                    piece = message.get("body", b"")
                    size += len(piece)
                    if size > limits.body:
                        raise _too_large(limits.body)
                    self.take(len(piece))
                    pieces.append(piece)
                    if not message.get("more_body", False):
                        return b"".join(pieces)
        except TimeoutError:
            raise Refusal(
                408, "too_slow", "The body of the request did not come in time."
            ) from None


def _announced(scope: Scope) -> int | None:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value[:20])
    return None


def _too_large(limit: int) -> Refusal:
    return Refusal(413, "too_large", f"A request may have {limit // 1_000_000} MB at most.")


HEADER_SECONDS = 10.0  # from the first byte of a request to the last of its header
MOST_HEADER = 64_000  # bytes of a request line and its headers, with the cookies of other ports


class PatientProtocol(H11Protocol):
    """As uvicorn's protocol; also closes a connection with no whole header in ``header_seconds``.

    Each open connection costs a socket; one that sends nothing, or a byte a minute, is closed.
    """

    header_seconds = HEADER_SECONDS

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._header_timer: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_header()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()  # a whole header came; the body has its own time-out
        elif self._header_timer is None:
            self._wait_for_header()

    @override
    def on_response_complete(self) -> None:
        self._stop_waiting()
        super().on_response_complete()

    @override
    def send_400_response(self, msg: str) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()  # an answer was begun, so no error can be sent
            return
        body = error_body(400, "bad_request", msg)
        head = (
            "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self.transport.write(head.encode("ascii") + body)
        self.transport.close()

    def _wait_for_header(self) -> None:
        self._stop_waiting()
        self._header_timer = self.loop.call_later(self.header_seconds, self._on_too_late)

    def _stop_waiting(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _on_too_late(self) -> None:
        self._header_timer = None
        if not self.transport.is_closing():
            self.transport.abort()
