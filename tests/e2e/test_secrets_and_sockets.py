"""A whole session in processes of its own: the key is left nowhere, and nobody else is called."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from engram_desktop.cli.main import main
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI, Status
from tests.programs import run_python

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
KEY = "canary-7f3a9b2c5d"  # of no known provider's form: nothing masks it by its look
# Python runs this at the start of every process, the index worker included.
WATCH = """
import os, sys

def watch(event, arguments):
    if event == "socket.connect":
        address = arguments[1]
        if isinstance(address, tuple) and str(address[0]) not in ("127.0.0.1", "::1"):
            note(f"connect {address}")
    elif event == "socket.getaddrinfo":
        if str(arguments[0]) not in ("127.0.0.1", "::1", "localhost", "None"):
            note(f"look up {arguments[0]}")
    elif event == "socket.sendto":
        note(f"send to {arguments[1]}")

def note(text):
    with open(os.environ["WATCH_FILE"], "a", encoding="utf-8") as file:
        file.write(text + "\\n")
    raise PermissionError(text)

sys.addaudithook(watch)
with open(os.environ["WATCH_FILE"], "a", encoding="utf-8") as file:
    file.write("process\\n")
"""


class World:
    """Runs a program in a process of its own, which must end well and never print the key."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.library = folder / "library"
        self._environment = environment

    def __call__(self, *arguments: object, program: str = "engram_desktop.cli.entry") -> str:
        entry = f"import sys; from {program} import run; sys.exit(run())"
        done = run_python(
            entry, *arguments, cwd=self.folder, env={**self._environment, **_endpoints()}
        )
        assert done.returncode == 0, done.stderr
        assert KEY not in done.stdout + done.stderr
        return done.stdout

    def watched(self) -> list[str]:
        return (self.folder / "watched.txt").read_text("utf-8").splitlines()


@pytest.fixture
def world(tmp_path, monkeypatch):
    """Run a program with everything it may write below one folder, its connections watched."""
    home, hooks = tmp_path / "home", tmp_path / "hooks"
    for folder in (home, hooks):
        folder.mkdir()
    (hooks / "sitecustomize.py").write_text(WATCH, "utf-8")
    for name in _endpoints():
        monkeypatch.delenv(name)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(hooks), str(ROOT))),
        "WATCH_FILE": str(tmp_path / "watched.txt"),
        "HOME": str(home),
        "LOCALAPPDATA": str(home),
        "APPDATA": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONUTF8": "1",
    }

    return World(tmp_path, environment)


def _endpoints():
    """What the test itself set meanwhile."""
    return {name: value for name, value in os.environ.items() if name.startswith("ENGRAM_")}


def answer(body):
    told = "\n".join(str(message["content"]) for message in body["messages"])
    name = "爱丽丝" if "爱丽丝" in told else "旅人"
    event = {"summary": f"{name}说起铜钥匙。", "entities": [{"name": name, "type": "char"}]}
    return json.dumps({"events": [event]}, ensure_ascii=False)


@pytest.fixture
def engram(world, capsys, monkeypatch):
    """The command line in this process, which is quicker; ``code`` is how it has to end."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")

    def run(*arguments, code=0):
        ended = main([*map(str, arguments), "--library", str(world.library), "--json"])
        printed = capsys.readouterr()
        assert ended == code, printed.err
        assert KEY not in printed.out + printed.err
        return json.loads(printed.out) if printed.out else None

    return run


def test_the_key_is_left_in_no_file(world, engram, monkeypatch):
    """Even where a server repeats it in its refusal."""
    file = write_chat(world.folder / "故事.jsonl", story_rows(40))
    chat = engram("import", file)[0]["chat_id"]
    engram("settings", "index.backend", "exact")
    with FakeOpenAI(answer=answer) as server:
        for name, model in (("LLM", "fake-chat"), ("EMBED", "fake-embed")):
            monkeypatch.setenv(f"ENGRAM_{name}_BASE_URL", server.url)
            monkeypatch.setenv(f"ENGRAM_{name}_MODEL", model)
            monkeypatch.setenv(f"ENGRAM_{name}_API_KEY", KEY)
        server.needs_key = "another"
        engram("summarise", chat, "--all", code=1)
        server.needs_key = KEY
        server.faults += [Status(400, f"bad request for key {KEY}")] * 3
        engram("summarise", chat, "--range", "0-9", code=1)
        assert engram("summarise", chat, "--all")["llm_calls"] > 0
        assert engram("consolidate", chat)["embedded"] > 0
        assert engram("recall", chat, "--query", "铜钥匙")["items"]
        saved = engram("backup")["file"]
        for form in ("json", "markdown"):
            engram("export", chat, "--format", form, "-o", world.folder / f"out.{form}")
        world(
            *("--library", world.library, "--screenshot", world.folder / "window.png"),
            program="engram_desktop.app.entry",
        )
        assert any(KEY in seen.headers.get("authorization", "") for seen in server.seen)
        assert all(KEY not in json.dumps(seen.body) for seen in server.seen)
    engram("restore", saved)  # unpacked: a ZIP would hide it

    files = [path for path in world.folder.rglob("*") if path.is_file()]
    assert {".db", ".json", ".markdown", ".engram", ".png"} <= {path.suffix for path in files}
    if sys.platform == "linux":
        assert "engram.log" in {path.name for path in files}
    holding = [path.name for path in files if KEY.encode() in path.read_bytes()]
    assert holding == []


def test_without_an_endpoint_nobody_is_called(world):
    made = json.loads(world("demo", world.library, "--json"))
    library = ("--library", world.library, "--json")
    chat = made["chat_id"]
    world("settings", "index.backend", "chroma", *library)
    world("inject", chat, "--query", "铜钥匙", *library)
    world("doctor", *library)
    world(
        *("--library", world.library, "--screenshot", world.folder / "window.png"),
        program="engram_desktop.app.entry",
    )
    watched = world.watched()
    assert watched.count("process") > 4, "the index worker was watched too"
    assert [line for line in watched if line != "process"] == []
