"""A server that a test scripts byte by byte, and a client that sends and reads raw bytes.

What a proxy must not change can only be seen where nothing in between reads it.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass
class Asked:
    """One request as it arrived at the upstream; header names are lower case."""

    line: str
    headers: dict[str, str]
    body: bytes
    connection: socket.socket
    left: threading.Event = field(default_factory=threading.Event)  # the other side closed

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def path(self) -> str:
        return self.line.split(" ")[1]

    def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.connection.sendall(piece)

    def begin(self, status: str = "200 OK", **headers: str) -> None:
        """Send the head of an answer in chunks."""
        lines = _lines({"Content_Type": "text/event-stream"} | headers)
        head = "\r\n".join([f"HTTP/1.1 {status}", "Transfer-Encoding: chunked", *lines])
        self.send(f"{head}\r\n\r\n".encode())

    def chunk(self, data: bytes) -> None:
        self.send(b"%x\r\n%s\r\n" % (len(data), data))

    def end(self) -> None:
        self.send(b"0\r\n\r\n")

    def whole(self, body: bytes, status: str = "200 OK", **headers: str) -> None:
        """Send an answer of a known length."""
        fields = {"Content_Type": "application/json", "Content_Length": str(len(body))}
        lines = _lines(fields | headers)
        head = "\r\n".join([f"HTTP/1.1 {status}", *lines])
        self.send(f"{head}\r\n\r\n".encode() + body)

    def wait_until_left(self, seconds: float = 10.0) -> bool:
        """Wait for the other side to close the connection."""
        self.connection.settimeout(seconds)
        try:
            while self.connection.recv(65536):
                pass
        except TimeoutError:
            return False
        except OSError:
            pass
        self.left.set()
        return True


def delta(text: str, **fields: Any) -> bytes:
    """One piece of a streamed answer."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None, **fields}
    return b"data: " + json.dumps({"choices": [choice]}, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


class Upstream:
    """``with Upstream(script) as up: ... up.url``. ``script`` answers; then the connection ends."""

    def __init__(self, script: Callable[[Asked], object], port: int = 0) -> None:
        self._script = script
        self._port = port
        self.asked: list[Asked] = []
        self.arrived = threading.Semaphore(0)

    def __enter__(self) -> Self:
        self._listening = socket.create_server(("127.0.0.1", self._port), backlog=256)
        port = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/v1"
        self._connections: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        accepting = threading.Thread(target=self._accept, name="upstream")
        accepting.start()
        self._threads.append(accepting)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for connection in self._connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        for thread in self._threads:
            thread.join(10)

    def _accept(self) -> None:
        while True:
            try:
                connection, _address = self._listening.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connections.append(connection)
            thread = threading.Thread(target=self._serve, args=(connection,), name="upstream")
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), connection:
            asked = self.read(connection)
            if asked is not None:
                self._script(asked)

    def read(self, connection: socket.socket) -> Asked | None:
        """Read the next request of a connection; a script that asks for more keeps it open."""
        asked = _read(connection)
        if asked is not None:
            self.asked.append(asked)
            self.arrived.release()
        return asked


class Saying(Upstream):
    """Says ``body`` on every path, as an address of releases does."""

    def __init__(self, body: str, status: str = "200 OK", **headers: str) -> None:
        super().__init__(lambda asked: asked.whole(self.body.encode(), status, **headers))
        self.body = body


def _lines(fields: dict[str, str]) -> list[str]:
    return [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]


def _read(connection: socket.socket) -> Asked | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    line, *rows = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (r.partition(":") for r in rows)}
    length = int(headers.get("content-length", 0))
    while len(body) < length:
        body += connection.recv(65536)
    return Asked(line, headers, body, connection)


class RawClient:
    """One connection to the server under test: bytes in, bytes out."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def post(self, path: str, body: bytes, key: str, *more: str, host: str = "127.0.0.1") -> None:
        """Send a whole request."""
        self.head("POST", path, key, f"Content-Length: {len(body)}", *more, host=host)
        self.send(body)

    def head(self, method: str, path: str, key: str, *more: str, host: str = "127.0.0.1") -> None:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Content-Type: application/json"]
        lines += [f"Authorization: Bearer {key}"] if key else []
        self.send("\r\n".join([*lines, *more, "", ""]).encode("latin-1"))

    def until(self, words: bytes) -> bytes:
        """Read until ``words`` came, or the end."""
        data = b""
        while words not in data:
            piece = self.socket.recv(65536)
            if not piece:
                break
            data += piece
        return data

    def rest(self) -> bytes:
        """Read to the end of the connection."""
        return b"".join(self.pieces())

    def pieces(self) -> Iterator[bytes]:
        with contextlib.suppress(ConnectionResetError):
            while piece := self.socket.recv(65536):
                yield piece


def unchunked(data: bytes) -> tuple[str, bytes, bool]:
    """Split an answer in chunks: its head, its body, and whether its end came."""
    head, _, rest = data.partition(b"\r\n\r\n")
    body = b""
    while rest:
        size, mark, rest = rest.partition(b"\r\n")
        if not mark:
            return head.decode("latin-1"), body, False
        length = int(size, 16)
        if length == 0:
            return head.decode("latin-1"), body, True
        body += rest[:length]
        rest = rest[length + 2 :]
    return head.decode("latin-1"), body, False
