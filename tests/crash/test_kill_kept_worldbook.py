"""Kill the program while it rewrites a kept worldbook: the file is whole, and still ours."""

from __future__ import annotations

import json
import random

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.crash.killing import kill, make_library, start

pytestmark = [pytest.mark.crash, pytest.mark.timeout(600)]
CTX = NullContext()
KILLS = 8


def test_a_kept_file_is_whole_and_ours_whenever_the_writer_dies(tmp_path):
    chance = random.Random(4)
    folder, file = tmp_path / "library", tmp_path / "[Engram] 试验.json"
    chat_id = make_library(folder, events=300, messages=300)
    memory = Memory.open(folder, environ={})
    memory.kept.keep(CTX, Line.main(chat_id), file)
    memory.close()
    for _kill in range(KILLS):
        victim = start("keep", folder)
        assert victim.stdout is not None
        told = [victim.stdout.readline() for _ in range(chance.randrange(1, 5))]
        kill(victim.pid)
        told += victim.stdout.readlines()
        victim.wait(30)
        victim.stdout.close()
        assert {line.strip() for line in told if line.endswith("\n")} <= {"kept well", ""}
        assert len(json.loads(file.read_text("utf-8"))["entries"]) >= 303
        memory = Memory.open(folder, environ={})
        (report,) = memory.kept.sync(CTX)
        memory.close()
        assert report.worldbook.fault == ""
    assert [path.name for path in tmp_path.glob("*.json")] == [file.name]
