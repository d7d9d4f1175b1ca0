"""What the play with the memory server needs: a library that knows a story, a server, a log."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.oracle.session import Session
from benchmarks.oracle.tavern import Tavern, free_port
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.oracle.report import Report

CTX = NullContext()
HIDDEN = "Mira hid a brass compass beneath the third step of the lighthouse."
OTHER = "Tobin owes the harbour master forty silver coins."
LATE_S = 30  # for a file or a server to be as it is to be


class Stage:
    """A folder with a library in it, and `engram serve` on it; ``report`` counts what holds."""

    def __init__(self, tavern: Tavern, folder: Path, shots: Path) -> None:
        self.tavern = tavern
        self.library = folder / "library"
        self.shots = shots
        self.report = Report("serving")
        self.port = free_port()
        self.url = self.key = ""
        self._server: subprocess.Popen[str] | None = None
        self._shot = 0

    def set_up(self) -> None:
        """Make a library that knows nothing, and reads nothing by a model."""
        with contextlib.closing(Memory.open(self.library, environ={})) as memory:
            for key, value in (
                ("embed.local", "hash"),
                ("index.backend", "exact"),
                ("keys.storage", "file"),
                ("auto.enabled", False),
                ("serve.allowance", 5_000),  # on a busy machine too
            ):
                memory.settings.set(key, value)

    def prepare(self, chat: Path, other: Path) -> None:
        """Make a library of two chats, each with something to remember, and a book of one."""
        self.set_up()
        with contextlib.closing(Memory.open(self.library, environ={})) as memory:
            for file, told in ((chat, HIDDEN), (other, OTHER)):
                chat_id = memory.imports.import_file(CTX, file).chat_id
                data = PlotExtraction(summary=told, keywords=("lighthouse", "compass"))
                memory.events.add(Line.main(chat_id or ""), data, SourceRange(1, 2))
            line = Line.main(memory.chats.find(chat.stem))
            book = self.tavern.user / "worlds" / "[Engram] Mira.json"
            memory.care.export(CTX, line, book, "worldbook")

    def serve(self) -> None:
        """Start `engram serve`, with the scripted model behind it."""
        script = "from engram_desktop.cli.entry import run; run()"
        words = ["--library", str(self.library), "serve", "--port", str(self.port), "--json"]
        model = {
            "ENGRAM_LLM_BASE_URL": f"{self.tavern.model_url}/v1",
            "ENGRAM_LLM_API_KEY": "made-up",
            "ENGRAM_LLM_MODEL": "scripted",
        }
        self._server = subprocess.Popen(
            [sys.executable, "-c", script, *words],
            env=os.environ | model,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._server.stdout is not None
        address = json.loads(self._server.stdout.readline())
        self.url, self.key = address["url"], address["key"]

    def stop(self) -> None:
        if self._server is not None:
            self._server.terminate()
            self._server.wait(LATE_S)
            self._server = None

    @contextlib.contextmanager
    def memory(self) -> Iterator[Memory]:
        """The library, to read: `engram serve` holds it."""
        memory = Memory.open(self.library, program=None, environ={})
        try:
            yield memory
        finally:
            memory.close()

    def texts(self, chat: str, branch: str = "main") -> list[str]:
        """What the library has of a chat, floor by floor; nothing where it is not there."""
        with self.memory() as memory, contextlib.suppress(KnownError):
            line = Line(memory.chats.find(chat), branch)
            if branch != "main":
                line = Line(line.chat_id, memory.branches.find(line.chat_id, branch))
            return [m.text for m in memory.messages.slice(line, 0, 10_000)]
        return []

    def asked(self) -> list[dict[str, Any]]:
        """Every request that reached the model since the log was cleared."""
        where = urlsplit(self.tavern.model_url)
        connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=30)
        with contextlib.closing(connection):
            connection.request("GET", "/log")
            requests: list[dict[str, Any]] = json.loads(connection.getresponse().read())
        return requests

    def prompt(self) -> str:
        """The newest prompt that reached the model, as one text."""
        requests = self.asked()
        if not requests:
            return ""
        newest = requests[-1]
        said = newest.get("messages") or [{"role": "", "content": newest.get("prompt", "")}]
        return "\n".join(f"{each['role']}: {each['content']}" for each in said)

    def hold(self, step: str, claims: dict[str, bool], page: Session | None = None) -> None:
        """Count what holds of a step, name what does not, and take a picture."""
        for claim, holds in claims.items():
            if holds:
                self.report.agree += 1
            else:
                self.report.differ.append(f"{step}: {claim}")
        print(f"  {step}: {sum(claims.values())} of {len(claims)}", flush=True)
        if page is not None:
            self._shot += 1
            page.shot(self.shots / f"{self._shot:02} {step}.png")
