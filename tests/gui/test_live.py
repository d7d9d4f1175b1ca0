"""A long job is seen at work: the list and the coverage follow it while it writes."""

import json
import threading

import pytest

from engram_desktop.jobs.context import NullContext
from engram_desktop.qtjobs import live_changes
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import settle


@pytest.fixture
def held():
    """A model that answers twelve blocks and then waits to be let go."""
    let_go, asked = threading.Event(), []

    def answer(body):
        asked.append(body)
        if len(asked) > 12:
            let_go.wait(60)
        return json.dumps({"events": [{"summary": f"第{len(asked)}件事，爱丽丝去了月光酒馆。"}]})

    with FakeOpenAI(answer=answer) as server:
        yield server, let_go
        let_go.set()


def test_what_a_summary_made_so_far_is_seen_while_it_runs(
    qtbot, open_desktop, empty_memory, held, tmp_path
):
    server, let_go = held
    memory = empty_memory
    values = {"llm.base_url": server.url, "llm.model": "fake", "summary.interval": 5}
    values |= {"auto.enabled": False, "review.enabled": False, "llm.parallel": 2}
    for key, value in values.items():
        memory.settings.set(key, value)
    memory.imports.import_file(NullContext(), write_chat(tmp_path / "长.jsonl", story_rows(120)))
    desktop = open_desktop(memory)
    window = desktop.window
    job = window.models.pipeline.summarise(None, "llm")
    finished = []
    job.finished.connect(lambda: finished.append(True))
    qtbot.waitUntil(lambda: window.models.events.counts.total >= 8, timeout=20_000)
    qtbot.waitUntil(lambda: window.event_page.view.model().rowCount() >= 8, timeout=20_000)
    assert any(state == "buffer" for _a, _b, state in window.event_page.coverage._runs)
    assert not finished, "it was seen while the job was at work"
    let_go.set()
    settle(qtbot, desktop)
    assert finished


def test_a_job_is_looked_at_about_once_a_second():
    assert live_changes.EVERY_MS <= 1000
