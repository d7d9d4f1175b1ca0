"""Answers of the server itself: errors in the shape that OpenAI-compatible clients read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import override

from engram_desktop.domain.errors import KnownError

if TYPE_CHECKING:
    from starlette.types import Send

Headers = Iterable[tuple[bytes, bytes]]
BUG = "Engram failed here; its log says how."
_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


class Refusal(Exception):
    """An error answer of the server that ends a request: ``status`` and a ``code`` for programs."""

    def __init__(
        self, status: int, code: str, message: str, *, retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.retry_after = retry_after

    @property
    def body(self) -> bytes:
        return error_body(self.status, self.code, self.message)

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        headers = [(b"content-type", b"application/json; charset=utf-8")]
        if self.status == 401:
            headers.append((b"www-authenticate", b'Bearer realm="Engram"'))
        if self.retry_after is not None:
            headers.append((b"retry-after", str(self.retry_after).encode()))
        return headers


def error_body(status: int, code: str, message: str) -> bytes:
    """Return an error body in OpenAI's form."""
    kind = _TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
    error = {"message": message, "type": kind, "code": code}
    return json.dumps({"error": error}).encode("ascii")


async def refuse(send: Send, refusal: Refusal, *, close: bool = False) -> None:
    """Send a refusal; ``close`` also ends the connection, if the rest of a body is not read."""
    body = refusal.body
    headers = [*refusal.headers, (b"content-length", str(len(body)).encode())]
    if close:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class JsonAnswer(Response):
    """Serialises a JSON body; half an emoji stays an escape."""

    media_type = "application/json"

    @override
    def render(self, content: Any) -> bytes:
        return json.dumps(content).encode("ascii")


_ROUTING = {
    404: "There is nothing at this address. Models answer at /v1/chat/completions and"
    " /v1/completions: choose a type that is OpenAI-compatible (in SillyTavern Custom, Generic or"
    " KoboldCpp; not llama.cpp or Ollama).",
    405: "This address takes another method.",
}


async def on_http_error(_request: Request, error: Exception) -> Response:
    """Answer errors of the router: no such path, no such method."""
    if not isinstance(error, HTTPException):
        raise error
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "refused")
    message = _ROUTING.get(error.status_code, str(error.detail))
    body = error_body(error.status_code, code, message)
    headers = dict(error.headers or {})
    return Response(body, error.status_code, headers, "application/json")


async def on_bug(_request: Request, error: Exception) -> Response:
    """Answer an internal error like any other; it is logged after this."""
    del error
    body = error_body(500, "internal_error", BUG)
    return Response(body, 500, None, "application/json")


async def on_known_error(_request: Request, error: Exception) -> Response:
    """Answer a known error with what to do about it."""
    if not isinstance(error, KnownError):
        raise error
    return Response(error_body(400, "refused", str(error)), 400, None, "application/json")
