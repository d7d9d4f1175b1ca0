"""`engram serve`, killed in the middle of a stream: what was acknowledged is there, and no half."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import urllib.request
from typing import Any

import pytest

from engram_desktop.cli.main import main
from engram_desktop.domain.memory.line import Line
from engram_desktop.services.memory import Memory
from tests.upstream import DONE, RawClient, Upstream, delta

pytestmark = pytest.mark.e2e
CODE = "import sys; from engram_desktop.cli.main import main; sys.exit(main(sys.argv[1:]))"
OPENING = [
    "Good evening, is the tavern by the river still open tonight?",
    "Alice nods and puts a candle on the counter between them.",
    "I heard a bell as I came over the old stone bridge.",
]
SLOW = "Tell me slowly what you saw in there."
HALF = "She looks at the door and"


def script(asked):
    said = asked.json["messages"][-1]["content"]
    asked.begin()
    if said == SLOW:
        asked.chunk(delta(HALF))
        asked.wait_until_left()
        return
    asked.chunk(delta(f"She hears you say: {said}"))
    asked.chunk(DONE)
    asked.end()


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "资料库"
    for key, value in {
        "keys.storage": "file",
        "embed.local": "hash",
        "index.backend": "exact",
        "serve.allowance": "10000",
        "auto.enabled": "false",
    }.items():
        assert main(["settings", key, value, "--library", str(folder)]) == 0
    return folder


@pytest.fixture
def started(library):
    processes: list[Any] = []

    def start(up):
        environ = {k: v for k, v in os.environ.items() if not k.startswith("ENGRAM_")}
        environ |= {"ENGRAM_LLM_BASE_URL": up.url, "ENGRAM_LLM_MODEL": "m"}
        words = ["serve", "--library", str(library), "--port", "0", "--json"]
        process: Any = subprocess.Popen(
            [sys.executable, "-c", CODE, *words], stdout=subprocess.PIPE, text=True, env=environ
        )
        processes.append(process)
        return process, json.loads(process.stdout.readline())

    yield start
    for process in processes:
        process.kill()
        process.wait(20)
        process.stdout.close()


def body(said):
    roles = ["user", "assistant"]
    rows = [{"role": roles[n % 2], "content": text} for n, text in enumerate(said)]
    return json.dumps({"messages": rows, "stream": True}).encode()


def ask(address, said):
    """Send a request, and return the text of its streamed reply."""
    request = urllib.request.Request(  # noqa: S310 - ours
        f"{address['url']}/chat/completions",
        body(said),
        {"Authorization": f"Bearer {address['key']}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - ours
        rows = [line[6:] for line in answer.read().splitlines() if line.startswith(b"data: {")]
    return "".join(json.loads(row)["choices"][0]["delta"]["content"] for row in rows)


def texts(library):
    """What the only chat says; the library is opened as another program does."""
    memory = Memory.open(library, program=None, environ={})
    try:
        chats = memory.chats.all()
        lines = [Line.main(chat.chat_id) for chat in chats]
        assert len(lines) <= 1
        return [m.text for line in lines for m in memory.messages.slice(line, 0, 1000)]
    finally:
        memory.close()


def wait_for(library, said):
    """Wait until the library says so: a reply is kept after it was delivered."""
    for _ in range(400):
        if texts(library) == said:
            return
        threading.Event().wait(0.05)
    assert texts(library) == said


@pytest.mark.timeout(180)
def test_what_was_acknowledged_is_there_and_nothing_is_half(library, started):
    with Upstream(script) as up:
        process, address = started(up)
        said = [*OPENING, ask(address, OPENING)]
        said.append("Then somebody went in there tonight.")
        said.append(ask(address, said))
        wait_for(library, said)

        with RawClient(int(address["url"].split(":")[2].split("/")[0])) as client:
            client.post("/v1/chat/completions", body([*said, SLOW]), address["key"])
            assert HALF.encode() in client.until(HALF.encode())
            process.kill()
            process.wait(20)
        assert texts(library) == said
        assert main(["doctor", "--library", str(library)]) == 0

        # The front end kept the half it saw, and goes on.
        _process, address = started(up)
        said += [SLOW, HALF, "Go on, what then?"]
        said.append(ask(address, said))
        wait_for(library, said)
