"""The companion's own modules against the server, in node: paired, told, asked, and left alone."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.services.memory import Memory
from engram_desktop.shipped import resource
from tests.companion_server import serving
from tests.factories import counting_clock

PAGE = Path(__file__).parents[2] / "companion_page.mjs"
STORY = "爱丽丝说，铜钥匙能打开北塔的门。{{setvar::x::1}}"


def modules(folder):
    """The companion's sources, named as node wants modules named."""
    for path in resource("companion").glob("*.js"):
        source = path.read_text("utf-8").replace(".js';", ".mjs';")
        (folder / path.with_suffix(".mjs").name).write_text(source, "utf-8")
    return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """What the page answers, and the library afterwards."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here to run JavaScript")
    folder = tmp_path_factory.mktemp("page")
    memory = Memory.open(folder / "library", clock=counting_clock(), environ={})
    for key, value in (
        ("embed.local", "hash"),
        ("index.backend", "exact"),
        ("keys.storage", "session"),
        ("serve.allowance", 10_000),
    ):
        memory.settings.set(key, value)
    (folder / "modules").mkdir()
    try:
        with serving(memory) as caller:

            def remember(line):
                if len(caller.seen.grown) == 1:
                    memory.events.add(line, PlotExtraction(summary=STORY), SourceRange(1, 2))

            caller.seen.then = remember
            run = subprocess.run(
                [node, PAGE, modules(folder / "modules"), caller.url, caller.key],
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=120,
                check=False,
            )
            assert run.returncode == 0, run.stderr
            yield json.loads(run.stdout), memory
    finally:
        memory.close()


def test_it_pairs_and_says_what_is_missing(played):
    answers, _memory = played
    assert answers["unpaired"] == "NotPaired"
    assert answers["wrongKey"] == "Refused"
    assert answers["paired"] == "engram"


def test_a_chat_is_told_whole_and_then_what_changes(played):
    answers, memory = played
    assert answers["whole"] == [True, True]
    assert answers["change"] == [True, [{"name": "told", "what": "rows", "rows": 38}]]
    line = Line.main(memory.chats.find("月光"))
    messages = memory.messages.slice(line, 0, 100)
    assert len(messages) == 41
    assert [m.seq for m in messages if m.is_hidden] == [3]


def test_a_generation_gets_memory_where_the_window_says(played):
    answers, _memory = played
    assert answers["recall"]["outcome"] == "filled"
    prompt = answers["recall"]["prompt"]
    assert "北塔的门" in prompt["value"]
    assert "{{" not in prompt["value"]
    assert (prompt["position"], prompt["role"], prompt["scan"]) == (0, 0, False)


def test_a_macro_takes_the_place_of_the_extension_prompt(played):
    answers, _memory = played
    assert "北塔的门" in answers["macro"]["value"]
    assert answers["macro"]["prompt"] == ""


def test_a_quiet_generation_gets_nothing(played):
    answers, _memory = played
    assert answers["quiet"] == ""


def test_a_chat_that_is_opened_again_and_is_the_same_is_not_told_again(played):
    answers, memory = played
    assert answers["other"] is True
    assert answers["again"] == [True, ["offer"]]
    assert len(memory.chats.all()) == 2


def test_a_page_knows_which_floors_of_its_chat_were_kept_apart(played):
    answers, memory = played
    is_taken, conflict = answers["apart"]
    assert is_taken
    assert (conflict["gone"], conflict["branch_holds"]) == ([[12, 40]], "copy")
    chat_id = memory.chats.find("月光")
    assert memory.messages.count(Line(chat_id, conflict["branch"])) == 12


def test_what_a_page_still_holds_of_another_chat_is_not_told(played):
    answers, _memory = played
    assert answers["loading"] == []


def test_a_change_is_the_smallest_stretch_and_prints_differ(played):
    answers, _memory = played
    assert answers["differences"] is True
    assert answers["prints"] == 200_000


def test_a_server_that_is_not_there_is_asked_once_and_leaves_no_memory(played):
    answers, _memory = played
    assert (answers["away"]["state"], answers["away"]["prompt"]) == ("away", "")
    assert answers["refused"] == "Away"
