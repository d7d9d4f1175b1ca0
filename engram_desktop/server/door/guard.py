"""Who may speak to the server: the outermost layer, before anything is read but the header.

In this order: the name the request was sent to (DNS rebinding), the page it comes from (a foreign
one may not even ask), the key. A preflight needs no key: it carries none. What is refused is
answered here in the shape of an OpenAI error, and nothing of it is logged but the reason.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.serving.callers import is_known_host, is_known_origin
from engram_desktop.domain.values import dataclass
from engram_desktop.server.answers import Refusal, refuse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_T = QT_TRANSLATE_NOOP
_METHODS = b"GET, POST, OPTIONS"
_OUR_HEADERS = (
    b"authorization, content-type, x-api-key, api-key, x-engram-chat, x-engram-speaker,"
    b" http-referer, x-title, x-request-id"
)
_PREFLIGHT_SECONDS = b"600"  # a browser need not ask again for so long
_EXPOSED = b"retry-after, x-request-id, x-engram-trouble"
_LONGEST_PATH = 2_000  # characters: a chat's name has some hundred
_MOST_ASKED = 2_000  # bytes of Access-Control-Request-Headers that are answered
_REFUSED_MS = 1_000  # between refusals that are shown: a flood of them hides no request

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
class Rules:
    """Who may come now. ``names`` are names of this computer, ``origins`` allowed pages."""

    key: str
    network: bool = False
    names: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()


class Guard:
    """ASGI middleware. ``rules`` is asked for each request, so that a new key counts at once."""

    def __init__(
        self,
        app: ASGIApp,
        rules: Callable[[], Rules],
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
        self, scope: Scope, rules: Rules, origin: bytes
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
        # Every key that was sent is compared, and each in the same time.
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
    """Return a header; of one that comes twice, all of it, which nothing allows."""
    return b", ".join(value for key, value in headers if key == name)


def _keys(headers: list[tuple[bytes, bytes]]) -> list[bytes]:
    """Return the keys a request shows, in any of the ways clients know."""
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
    """Let the page of ``origin`` read the answer."""
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
        # SDKs send headers of their own making (x-stainless-…): they go nowhere from here.
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
