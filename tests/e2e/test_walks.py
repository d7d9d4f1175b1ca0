"""Walks through the window under Xvfb with a window manager, by real mouse and key events."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import import_chat, write_chat
from tests.inbox_story import DUE, STORY

CTX = NullContext()
ROOT = Path(__file__).parents[2]
MANAGERS = ("openbox", "metacity", "twm")  # small ones, any of which does
PATIENCE_S = 100
SCREEN = "-screen 0 1440x900x24"
manager = next((name for name in MANAGERS if shutil.which(name)), None)
LACKS = "no xvfb-run on this computer" if shutil.which("xvfb-run") is None else ""
LACKS = LACKS or ("" if manager else f"no window manager here: one of {', '.join(MANAGERS)}")
pytestmark = pytest.mark.skipif(bool(LACKS), reason=LACKS or "-")


def walk(name, folder):
    """Run a walk on a screen of its own; return what it saw."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("QT_", "ENGRAM_"))}
    paths = [str(ROOT), *filter(None, [environment.get("PYTHONPATH")])]
    environment |= {
        "QT_QPA_PLATFORM": "xcb",
        "PYTHONPATH": os.pathsep.join(paths),
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_STATE_HOME": str(folder / "state"),
        "LANG": "C.UTF-8",
    }
    program = f'"{sys.executable}" -m tests.window_walks {name} "{folder}"'
    screen = shutil.which("xvfb-run") or ""
    shell = f"{manager} >/dev/null 2>&1 & manager=$!; {program}; code=$?; kill $manager; exit $code"
    with subprocess.Popen(
        [screen, "-a", "-s", SCREEN, "sh", "-c", shell],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment,
        cwd=folder,
        start_new_session=True,
    ) as running:
        try:
            told, errors = running.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGTERM)
            told, errors = running.communicate()
    picture = folder / "failed.png"
    assert running.returncode == 0, f"{errors}\n{picture if picture.exists() else ''}"
    return json.loads(told.splitlines()[-1])


def plain_library(folder):
    """Open a library that needs neither a keyring nor a child process."""
    memory = Memory.open(folder / "library", environ={})
    memory.settings.set("index.backend", "exact")
    memory.settings.set("embed.local", "hash")
    memory.session.library.set_setting("keys.storage", "session")
    return memory


@pytest.mark.timeout(200)
def test_a_new_user_gets_from_the_first_start_to_a_finished_inbox(tmp_path):
    due = (STORY.messages[-1][0], DUE)  # a promise of the story waits for it
    write_chat(tmp_path / "story.jsonl", [*STORY.messages, due])
    seen = walk("first_start", tmp_path)
    assert seen["events"] > 0
    assert seen["waited"] > 0
    assert seen["pressed"] >= seen["waited"]
    assert seen["left"] == 0
    memory = Memory.open(tmp_path / "library", environ={})
    line = Line.main(memory.chats.find("story"))
    listed, _every = memory.inbox.waiting(CTX, line)
    assert listed.waiting == ()
    memory.close()


@pytest.mark.timeout(200)
def test_a_second_chat_remembers_a_finished_one(tmp_path):
    memory = plain_library(tmp_path)
    memory.settings.set("auto.enabled", value=False)
    rows = [*STORY.messages, (STORY.player, "大副把备用钥匙交给了轮机长老魏。")]
    first = Line.main(import_chat(memory, tmp_path / "story.jsonl", rows))
    memory.pipeline.summarise(CTX, first, (0, len(rows) - 1), "extractive")
    memory.pipeline.consolidate(CTX, first)
    import_chat(memory, tmp_path / "second.jsonl", [(STORY.player, "一年以后，船又起航了。")])
    memory.close()
    seen = walk("next_chat", tmp_path)
    assert seen["chat"] == "second"
    volumes = [text for title, text in seen["hits"] if title == "卷一"]
    assert any("轮机长" in text for text in volumes), seen["hits"]
