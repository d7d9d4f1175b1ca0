"""Kill the program between a model's answer and its commit: the answer is not paid for again."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.crash.killing import kill, start
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI

pytestmark = [pytest.mark.crash, pytest.mark.timeout(120)]
CTX = NullContext()
ANSWER = json.dumps({"events": [{"summary": "爱丽丝把铜钥匙交给旅人。"}]}, ensure_ascii=False)


def test_an_answer_survives_the_program(tmp_path):
    folder = tmp_path / "资料库"
    with FakeOpenAI(answer=lambda body: ANSWER) as llm:
        memory = Memory.open(folder, environ={})
        values = {
            "llm.base_url": llm.url,
            "llm.model": "fake-chat",
            "llm.parallel": 1,
            "embed.local": "hash",
            "index.backend": "exact",
            "keys.storage": "session",
        }
        for key, value in values.items():
            memory.settings.set(key, value)
        chat_id = memory.imports.import_file(
            CTX, write_chat(tmp_path / "故事.jsonl", story_rows(35))
        ).chat_id
        assert chat_id is not None
        memory.close()

        victim = start("summarise", folder)
        assert victim.stdout is not None
        assert victim.stdout.readline() == "kept\n"
        kill(victim.pid)
        victim.wait()
        victim.stdout.close()
        assert len(llm.bodies()) == 1

        memory = Memory.open(folder, environ={})
        assert memory.events.counts(Line.main(chat_id)).total == 0
        spent = memory.usage.today()
        assert (spent.calls, spent.tokens > 0) == (1, True)
        report = memory.pipeline.summarise(CTX, Line.main(chat_id))
        assert (report.events_added, report.llm_calls) == (1, 0)
        assert len(llm.bodies()) == 1
        assert len(memory.events.find(chat_id, EventQuery())) == 1
        assert memory.usage.today() == spent
        memory.close()
