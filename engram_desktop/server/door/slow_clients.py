"""The HTTP of the server, with an end to its patience: a client that never finishes a header.

Each open connection costs a socket; one that says nothing, or a letter a minute, is closed.
"""

from __future__ import annotations

import asyncio
from typing import Any

from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol

from engram_desktop.server.answers import error_body

HEADER_SECONDS = 10.0  # from the first byte of a request to the last of its header
MOST_HEADER = 64_000  # bytes of a request line and its headers; cookies of other ports come along


class PatientProtocol(H11Protocol):
    """As uvicorn's own, and a header must come within ``header_seconds``."""

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
            self._stop_waiting()  # a whole header came; the body has a time-out of its own
        elif self._header_timer is None:
            self._wait_for_header()

    @override
    def on_response_complete(self) -> None:
        self._stop_waiting()
        super().on_response_complete()

    @override
    def send_400_response(self, msg: str) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()  # an answer is under way: nothing else can be said
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
