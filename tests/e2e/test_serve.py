"""`engram serve`, as a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import socket
import sys
import threading
import urllib.request
from typing import Any

import pytest

from engram_desktop.cli.main import main
from engram_desktop.domain.memory.line import Line
from engram_desktop.services.memory import Memory
from tests import scripted_model
from tests.fake_openai import FakeOpenAI
from tests.programs import COMMAND_LINE, FLAGS, INTERRUPT, start_python
from tests.upstream import DONE, RawClient, Upstream, delta

# `engram serve`: started, asked, and ended as a process of its own.


class Serving:
    """The command as a process, and what it says on stderr."""

    process: Any

    def __init__(self, library, url, *arguments):
        environ = {"ENGRAM_LLM_BASE_URL": url, "ENGRAM_LLM_MODEL": "m"} if url else {}
        words = ["serve", "--library", library, *arguments]
        self.process = start_python(COMMAND_LINE, *words, environ=environ, creationflags=FLAGS)
        self.said: queue.Queue[str] = queue.Queue()
        self.thread = threading.Thread(target=self._hear)
        self.thread.start()

    def _hear(self):
        for line in self.process.stderr:
            self.said.put(line)

    def first_line(self):
        return self.process.stdout.readline()

    def wait_for(self, words):
        while words not in (line := self.said.get(timeout=60)):
            pass
        return line

    def end(self, how=INTERRUPT):
        self.process.send_signal(how)
        code = self.process.wait(20)
        self.thread.join(20)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


@pytest.fixture
def library(tmp_path):
    return made_library(tmp_path / "资料库")


def made_library(folder, **more):
    for key, value in {
        "keys.storage": "file",
        "embed.local": "hash",
        "index.backend": "exact",
        "serve.allowance": "10000",
        **more,
    }.items():
        assert main(["settings", key, value, "--library", str(folder)]) == 0
    return folder


def ask(address, path, body):
    request = urllib.request.Request(  # noqa: S310 - ours
        address["url"].removesuffix("/v1") + path,
        json.dumps(body).encode(),
        {"Authorization": f"Bearer {address['key']}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - ours
        return json.loads(answer.read())


@pytest.mark.e2e
def test_it_says_where_it_is_serves_and_ends_with_ctrl_c(library):
    with FakeOpenAI(answer=lambda _body: "好。") as up:
        serving = Serving(library, up.url, "--port", "0", "--json")
        address = json.loads(serving.first_line())
        assert address.keys() == {"url", "key"}
        answer = ask(
            address, "/v1/chat/completions", {"messages": [{"role": "user", "content": "?"}]}
        )
        assert answer["choices"][0]["message"]["content"] == "好。"
        busy = Serving(library, "", "--port", "0")
        assert busy.process.wait(60) == 1
        assert "in use by" in busy.wait_for("in use by")
        assert busy.end() == 1
        assert serving.end() == (130 if sys.platform != "win32" else serving.process.returncode)
        again = Serving(library, up.url, "--port", "0", "--json")
        assert json.loads(again.first_line())["key"] == address["key"], "it is kept"
        again.end()


@pytest.mark.e2e
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_it_ends_in_good_order_when_the_system_asks_it_to(library):
    with FakeOpenAI(answer=lambda _body: "好。") as up:
        serving = Serving(library, up.url, "--port", "0", "--json")
        serving.first_line()
        assert serving.end(signal.SIGTERM) == 130
        assert serving.wait_for("what was finished is kept")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_it_ends_when_it_is_asked_to_while_something_else_computes(library):
    asked = threading.get_ident()
    reading, writing = os.pipe()

    def ask_to_end():
        with os.fdopen(reading) as said:
            said.readline()
        signal.pthread_kill(asked, signal.SIGTERM)
        sum(range(30_000_000))  # longer than it waits for anything, and nothing else runs

    asker = threading.Thread(target=ask_to_end)
    asker.start()
    with os.fdopen(writing, "w") as out, contextlib.redirect_stdout(out):
        assert main(["serve", "--json", "--port", "0", "--library", str(library)]) == 130
    asker.join()


def test_a_port_that_is_taken_is_told_with_a_next_step(library, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--library", str(library), "--port", str(port)]) == 1
    error = capsys.readouterr().err
    assert str(port) in error
    assert "serve.port" in error


def replies(body):
    """A character that answers the player, and a model that reads what was said."""
    is_told = str(body["messages"][-1]["content"]).startswith("第")
    return "“钟楼的门就在北边。”" if is_told else scripted_model.answer(body)


@pytest.mark.e2e
@pytest.mark.timeout(180)
def test_what_is_said_through_it_is_summarised(library):
    with FakeOpenAI(answer=replies) as up:
        serving = Serving(library, up.url, "--port", "0", "--json")
        address = json.loads(serving.first_line())
        said = [{"role": "system", "content": "你是爱丽丝。"}]
        for turn in range(20):
            said.append({"role": "user", "content": f"第{turn}天，我在月光酒馆等你，带着铜钥匙。"})
            path = "/chat/%E9%85%92%E9%A6%86/v1/chat/completions"
            said.append(ask(address, path, {"messages": said})["choices"][0]["message"])
        assert serving.wait_for("drafts to look through")
        serving.end()


# `engram serve`, killed in the middle of a stream: what was acknowledged is there, and no half.

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
def followed_library(tmp_path):
    return made_library(tmp_path / "资料库", **{"auto.enabled": "false"})


@pytest.fixture
def started(followed_library):
    processes: list[Any] = []

    def start(up):
        environ = {"ENGRAM_LLM_BASE_URL": up.url, "ENGRAM_LLM_MODEL": "m"}
        words = ["serve", "--library", followed_library, "--port", "0", "--json"]
        process: Any = start_python(COMMAND_LINE, *words, environ=environ, stderr=None)
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


def ask_server(address, said):
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


@pytest.mark.e2e
@pytest.mark.timeout(180)
def test_what_was_acknowledged_is_there_and_nothing_is_half(followed_library, started):
    with Upstream(script) as up:
        process, address = started(up)
        said = [*OPENING, ask_server(address, OPENING)]
        said.append("Then somebody went in there tonight.")
        said.append(ask_server(address, said))
        wait_for(followed_library, said)

        with RawClient(int(address["url"].split(":")[2].split("/")[0])) as client:
            client.post("/v1/chat/completions", body([*said, SLOW]), address["key"])
            assert HALF.encode() in client.until(HALF.encode())
            process.kill()
            process.wait(20)
        assert texts(followed_library) == said
        assert main(["doctor", "--library", str(followed_library)]) == 0

        # The front end kept the half it saw, and goes on.
        _process, address = started(up)
        said += [SLOW, HALF, "Go on, what then?"]
        said.append(ask_server(address, said))
        wait_for(followed_library, said)
