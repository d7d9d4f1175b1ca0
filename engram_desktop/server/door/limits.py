"""How much is taken at once: requests, bytes of their bodies, seconds for them to come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engram_desktop.domain.values import dataclass
from engram_desktop.server.answers import Refusal

if TYPE_CHECKING:
    from starlette.types import Receive, Scope


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of what clients may take. Tests set their own."""

    requests: int = 128  # under way at once; a hundred streams of one household are many
    body: int = 48_000_000  # bytes of one body: some pictures as text; a story has some MB
    bodies: int = 192_000_000  # bytes of all bodies that are held
    pause: float = 15.0  # seconds without a byte of a body that should come
    whole: float = 120.0  # seconds for all of a body: 48 MB over a slow wireless network
    rate: int = 2_000  # bytes a second that a body must come at, in the mean
    grace: float = 10.0  # seconds in which it need not: a client that has to think first


class ClientGone(Exception):
    """The client closed its connection before its request was whole, or before its answer."""


class Gate:
    """Counts requests under way and the bytes they hold. On the server's thread only."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._requests = 0
        self._bytes = 0

    @property
    def under_way(self) -> int:
        return self._requests

    @property
    def bytes_held(self) -> int:
        return self._bytes

    @contextmanager
    def request(self) -> Iterator[Held]:
        """Let a request in. It counts from `Held.begin` on: one whose body drips takes no place."""
        held = Held(self)
        try:
            yield held
        finally:
            held.release()

    def begin(self) -> None:
        """Count a request more. Raises Refusal."""
        if self._requests >= self.limits.requests:
            raise Refusal(
                503, "too_many_requests", "Too many requests are under way.", retry_after=2
            )
        self._requests += 1

    def end(self) -> None:
        self._requests -= 1

    def take(self, count: int) -> None:
        """Hold so many bytes more. Raises Refusal."""
        if self._bytes + count > self.limits.bodies:
            raise Refusal(503, "too_much_at_once", "Too much is held at once.", retry_after=2)
        self._bytes += count

    def give_back(self, count: int) -> None:
        self._bytes -= count


class Held:
    """What one request holds of the gate."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._bytes = 0
        self._has_begun = False

    def begin(self) -> None:
        """Take a place among the requests under way. Raises Refusal."""
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
        """Read a body within the limits, then `begin`. Raises Refusal, ClientGone."""
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
