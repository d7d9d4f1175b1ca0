from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

import pytest

from engram_desktop.server.running import MemoryServer
from engram_desktop.services.memory import Memory
from tests.factories import counting_clock, model_at, set_all

KEY = "engram-test-key"


@pytest.fixture
def open_memory(tmp_path):
    opened = []

    def make(environ=None, **settings):
        memory = Memory.open(
            tmp_path / "资料库",
            clock=counting_clock(),
            environ={"ENGRAM_SERVE_API_KEY": KEY} if environ is None else environ,
        )
        opened.append(memory)
        values = {
            "embed.local": "hash",
            "index.backend": "exact",
            "keys.storage": "session",
            "serve.port": 0,
            "serve.allowance": 10_000,  # a busy computer fails no test of ours
        }
        set_all(memory, values | settings)
        return memory

    yield make
    for memory in opened:
        memory.close()


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Served:
    """A server that runs, and a plain client of it."""

    def __init__(self, memory: Memory, **options: Any) -> None:
        self.memory = memory
        self.server = MemoryServer(memory, **options)
        self.address = self.server.start()
        self.port = int(self.address.url.split(":")[2].split("/")[0])
        self.key = self.address.key

    def ask(self, path, body=None, *, key=None, method=None, **headers) -> Answer:
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        key = self.key if key is None else key
        if key:
            fields["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=data,
            method=method,
            headers={"Content-Type": "application/json", **fields},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - ours
                return Answer(answer.status, dict(answer.headers), answer.read())
        except urllib.error.HTTPError as answer:
            return Answer(answer.code, dict(answer.headers), answer.read())

    def chat(self, *texts: str, **fields: Any) -> Answer:
        roles = ["user", "assistant"]
        start = (len(texts) + 1) % 2
        messages = [
            {"role": roles[(n + start) % 2], "content": text} for n, text in enumerate(texts)
        ]
        return self.ask("/v1/chat/completions", {"messages": messages, **fields})

    @property
    def exchanges(self):
        return self.server.exchanges.newest()

    def ended(self, count: int = 1):
        """Wait until so many exchanges are over, and return them, the newest first."""
        done = threading.Event()
        for _ in range(2_000):
            rows = [e for e in self.exchanges if e.is_finished]
            if len(rows) >= count:
                return rows
            done.wait(0.005)
        raise AssertionError(self.exchanges)


@pytest.fixture
def serve(open_memory):
    """Start a server over a fresh library: ``serve("llm.base_url"=…)``; stopped at the end."""
    running = []

    def start(settings=None, *, memory=None, **options):
        made = Served(memory or open_memory(**(settings or {})), **options)
        running.append(made)
        return made

    yield start
    for made in running:
        made.server.stop()
        made.server.join()


@pytest.fixture
def serve_upstream(serve):
    """A server for an upstream that a test scripts."""

    def start(up, **options):
        return serve(model_at(up.url, "m"), **options)

    return start
