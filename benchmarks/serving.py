"""What the memory server adds: to the first byte, and to each piece of an answer.

    python -m benchmarks.serving [--requests N] [--long N] [--beside N] [MEMORIES ...]

Every turn is sent twice in one run: straight to a scripted endpoint in another process, and
through the server, with a history of 40 floors that goes on as a player's does, who reads for a
moment (``--pause``) between two turns; what is said is kept. Pieces carry the moment they were sent
(the clock of the system, which both processes share). The aims:
95 % of first bytes within 40 ms more at 10,000 memories, within 90 ms at 100,000; 1 ms a piece; and
memory that does not grow over 5,000 requests (``--long 5000``). With ``--beside N`` the turns are
sent again while a second chat of N floors is embedded over and over. A run in which not every
request was filled, or not every message kept, ends with exit code 1.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import resource
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import override

from benchmarks import require
from benchmarks.recall_speed import _sentence, _words
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.server.running import MemoryServer
from engram_desktop.services.memory import Memory
from tests.factories import model_at, set_all, write_chat

CTX = NullContext()
_HISTORY = 40  # floors of a request: what a model of 16k tokens is sent
_PIECES = 40  # of an answer
_GAP = 0.004  # seconds between two of them: a fast model
_LOOP = 5_000_000
_NAMES = ("旅人", "爱丽丝")
_CHAT = "钟楼"


def upstream(ready: Any, gap: float) -> None:
    """Answer every request with pieces that say when they were sent."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            try:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            except (asyncio.IncompleteReadError, ConnectionError):
                break
            length = int(head.partition("content-length:")[2].partition("\r\n")[0])
            await reader.readexactly(length)
            kind = "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked"
            writer.write(f"HTTP/1.1 200 OK\r\n{kind}\r\n\r\n".encode())
            for number in range(_PIECES):
                choice = {"index": 0, "delta": {"content": "月光"}}
                if number == _PIECES - 1:
                    choice["finish_reason"] = "stop"
                row = {"sent": time.monotonic_ns(), "choices": [choice]}
                data = b"data: " + json.dumps(row).encode() + b"\n\n"
                writer.write(b"%x\r\n%s\r\n" % (len(data), data))
                await writer.drain()
                await asyncio.sleep(gap)
            writer.write(b"0\r\n\r\n")
            await writer.drain()

    async def main() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


class Client:
    """One connection that is kept; returns when the first byte came, and how old each piece was."""

    def __init__(self, port: int, key: str = "") -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._key = key

    def ask(self, path: str, body: bytes) -> tuple[float, list[float]]:
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {self._key}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        began = time.perf_counter()
        self._socket.sendall(head.encode() + body)
        first, ages, data = 0.0, list[float](), b""
        while not data.endswith(b"0\r\n\r\n"):
            piece = self._socket.recv(65536)
            assert piece, data[-200:]
            now = time.monotonic_ns()
            if b"data: " in piece:
                first = first or (time.perf_counter() - began) * 1000
                for part in piece.split(b'"sent": ')[1:]:
                    ages.append((now - int(part.partition(b",")[0])) / 1e6)
            data = (data + piece)[-400:]
        return first, ages

    def close(self) -> None:
        self._socket.close()


def build(folder: Path, count: int) -> tuple[Memory, list[tuple[str, str]]]:
    """Make a library with one chat of ``count`` floors, read by the built-in reader."""
    dice = random.Random(count)
    words = _words(dice)
    rows = [(_NAMES[n % 2], f"{_sentence(dice, words)}。") for n in range(count)]
    memory = Memory.open(folder / "library", environ={})
    set_all(memory, {"keys.storage": "session", "serve.port": 0, "index.backend": "exact"})
    chat_id = memory.imports.import_file(CTX, write_chat(folder / f"{_CHAT}.jsonl", rows)).chat_id
    assert chat_id is not None
    memory.index.embed_pending(CTX, chat_id)
    line = Line.main(chat_id)
    memory.pipeline.summarise(CTX, line, extractor="extractive")
    memory.pipeline.consolidate(CTX, line)
    memory.pipeline.trim(CTX, line)
    return memory, rows


def show(name: str, times: Sequence[float]) -> float:
    middle, high = np.percentile(times, 50), np.percentile(times, 95)
    print(f"  {name:38} p50 {middle:7.2f}  p95 {high:7.2f} ms", flush=True)
    return float(high)


@contextmanager
def embedding(memory: Memory, folder: Path, count: int) -> Iterator[None]:
    """Embed a second chat over and over while the block runs."""
    dice = random.Random(-count)
    words = _words(dice)
    said = [(f"客{n % 2}", f"{_sentence(dice, words)}。") for n in range(count)]
    chat_id = memory.imports.import_file(CTX, write_chat(folder / "码头.jsonl", said)).chat_id
    assert chat_id is not None
    ended, embedded = threading.Event(), list[int]()

    class Until(NullContext):
        @override
        def check(self) -> None:
            if ended.is_set():
                raise Cancelled

    def embed() -> None:
        with suppress(Cancelled):
            while True:
                embedded.append(memory.index.rebuild(Until(), chat_id))

    thread = threading.Thread(target=embed)
    began = time.perf_counter()
    thread.start()
    try:
        print(f"\nwhile a chat of {count} floors is embedded", flush=True)
        yield
    finally:
        seconds = time.perf_counter() - began
        ended.set()
        thread.join()
        print(f"  embedded beside: {sum(embedded) / seconds:.0f} messages a second")


def measure(count: int, requests: int, long: int, beside: int, port: int, pause: float) -> None:
    print(f"\n{count} floors", flush=True)
    with tempfile.TemporaryDirectory() as name:
        began = time.perf_counter()
        memory, rows = build(Path(name), count)
        events = memory.chats.all()[0].events
        print(f"  {events} events, made in {time.perf_counter() - began:.0f} s", flush=True)
        set_all(memory, model_at(f"http://127.0.0.1:{port}/v1", "m"))
        server = MemoryServer(memory)
        address = server.start(0)
        straight = Client(port)
        through = Client(int(address.url.split(":")[2][:-3]), address.key)
        try:
            turns(memory, server, straight, through, rows, requests, pause)
            if beside:
                with embedding(memory, Path(name), beside):
                    turns(memory, server, straight, through, rows, requests, pause)
            if long:
                flat(through, rows, long)
        finally:
            straight.close()
            through.close()
            server.stop()
            server.join()
            memory.close()


def body_of(rows: Sequence[tuple[str, str]]) -> bytes:
    said = [{"role": "system", "content": "你是爱丽丝，钟楼的守夜人。" * 100}]
    said += [
        {"role": "user" if name == _NAMES[0] else "assistant", "content": text}
        for name, text in rows
    ]
    return json.dumps({"model": "m", "messages": said, "stream": True}).encode()


def _kept(memory: Memory, count: int) -> int:
    """Return how many floors the chat has: the newest are kept behind the reply that ended."""
    floors = -1
    for _look in range(100):
        floors = next(c.messages for c in memory.chats.all() if c.name == _CHAT)
        if floors == count:
            break
        threading.Event().wait(0.05)
    return floors


def turns(
    memory: Memory,
    server: MemoryServer,
    straight: Client,
    through: Client,
    rows: list[tuple[str, str]],
    requests: int,
    pause: float,
) -> None:
    dice = random.Random(3)
    words = _words(random.Random(len(rows)))
    firsts: dict[str, list[float]] = {"straight": [], "through": []}
    ages: dict[str, list[float]] = {"straight": [], "through": []}
    for number in range(requests + 10):
        rows.append((_NAMES[0], f"{_sentence(dice, words)}？第{number}夜。"))
        body = body_of(rows[-_HISTORY:])
        for way, client in (("straight", straight), ("through", through)):
            threading.Event().wait(pause / 2)
            first, old = client.ask("/v1/chat/completions", body)
            if number >= 10:
                firsts[way].append(first)
                ages[way] += old
        rows.append((_NAMES[1], "月光" * _PIECES))
    outcomes = [e.outcome for e in server.exchanges.newest(requests)]
    filled = outcomes.count("filled")
    print(f"  {filled} of {requests} filled; {set(outcomes)}")
    added = np.array(firsts["through"]) - np.array(firsts["straight"])
    show("first byte straight", firsts["straight"])
    show("first byte through", firsts["through"])
    show("ADDED to the first byte", list(added))
    low, high = show("piece straight", ages["straight"]), show("piece through", ages["through"])
    medians = np.median(ages["through"]) - np.median(ages["straight"])
    print(f"  ADDED a piece: p50 {medians:.2f}, p95 {high - low:.2f} ms")
    show("memory, as the server counts", [e.memory_ms for e in server.exchanges.newest(requests)])
    print(f"  a loop of {_LOOP:,} additions here: {_loop_ms():.0f} ms")
    floors = _kept(memory, len(rows))
    print(f"  floors now: {floors}")
    require(filled == requests, f"{requests - filled} of {requests} requests were not filled")
    require(floors == len(rows), f"of {len(rows)} floors {floors} were kept")


def _loop_ms() -> float:
    """How fast this computer is just now: one that is shared may be half as fast a minute later."""
    began = time.perf_counter()
    total = 0
    for number in range(_LOOP):
        total += number
    return (time.perf_counter() - began) * 1000


def flat(through: Client, rows: list[tuple[str, str]], requests: int) -> None:
    """Ask over and over; say what is held after each fifth part."""
    held = []
    for number in range(requests):
        rows.append((_NAMES[0], f"第{number}次敲钟。"))
        through.ask("/v1/chat/completions", body_of(rows[-12:]))
        rows.append((_NAMES[1], "月光" * _PIECES))
        if (number + 1) % (requests // 5) == 0:
            held.append(_held_mb())
            print(f"  after {number + 1} requests: {held[-1]:.0f} MB", flush=True)


def _held_mb() -> float:
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    row = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(row.split()[1]) / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("memories", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--long", type=int, default=0, help="requests of the run for memory")
    parser.add_argument("--beside", type=int, default=0, help="floors of a chat embedded meanwhile")
    parser.add_argument("--pause", type=float, default=3.0, help="seconds a player reads")
    parser.add_argument("--gap", type=float, default=_GAP)
    args = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=upstream, args=(theirs, args.gap), daemon=True
    )
    process.start()
    port = ours.recv()
    try:
        for count in args.memories:
            measure(count, args.requests, args.long, args.beside, port, args.pause)
    finally:
        process.terminate()
        process.join()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
