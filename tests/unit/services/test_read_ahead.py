"""What is read ahead changes no prompt, writes nothing, and is forgotten when something changes."""

from __future__ import annotations

import pytest

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.storage.answers import Answers
from tests.factories import import_chat, make_event, make_extraction, story_rows
from tests.programs import ROOT, run_python

CTX = NullContext()


def event_told(summary, does, start, end):
    data = make_extraction(
        summary,
        entities=(ExtractedEntity("爱丽丝", "char"), ExtractedEntity("铜钥匙", "item")),
        relations=(ExtractedRelation("爱丽丝", does, "铜钥匙"),),
    )
    return make_event(summary, start, end, raw_data=data)


@pytest.fixture
def read_ahead_chat(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(40))
    add(memory, chat_id, event_told("第2天爱丽丝在酒馆拾到铜钥匙。", "拾到", 2, 5))
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.index.embed_pending(CTX, chat_id)
    return chat_id


def add(memory, chat_id, event):
    store = memory.session.chat(chat_id)
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([event], store.clock())


def asked(actor="爱丽丝", text="第2天爱丽丝拿铜钥匙做了什么", at=39):
    return RecallQuery(text, actor=actor, at=at)


@pytest.mark.parametrize("actor", ["爱丽丝", "旅人", "陌生人", None])
def test_a_preloaded_prompt_is_the_same(memory, read_ahead_chat, actor):
    plain = memory.inject.compose(CTX, read_ahead_chat, asked(actor))
    memory.inject.preload(CTX, read_ahead_chat, asked(actor, "旅人 traveller 第一天"))
    assert memory.inject.compose(CTX, read_ahead_chat, asked(actor)).text == plain.text
    logged = memory.session.chat(read_ahead_chat).database
    queries = logged.rows("SELECT query FROM recall_log")
    assert set(queries) == {(asked().text,)}


def test_what_came_after_is_told_too(memory, read_ahead_chat):
    memory.inject.preload(CTX, read_ahead_chat, asked())
    add(memory, read_ahead_chat, event_told("第3天爱丽丝把铜钥匙交给旅人。", "交付", 8, 11))
    memory.pipeline.consolidate(CTX, Line.main(read_ahead_chat))
    assert (
        "交付" in memory.inject.compose(CTX, read_ahead_chat, asked(text="爱丽丝 铜钥匙 交付")).text
    )
    memory.session.chat(read_ahead_chat).undo()
    memory.session.chat(read_ahead_chat).undo()
    assert (
        "交付"
        not in memory.inject.compose(CTX, read_ahead_chat, asked(text="爱丽丝 铜钥匙 交付")).text
    )


def test_who_is_said_to_know_nothing_of_it_gets_nothing_of_what_was_read(memory, read_ahead_chat):
    store, line = memory.session.chat(read_ahead_chat), Line.main(read_ahead_chat)
    refs = [("event", event_id) for (event_id,) in store.database.rows("SELECT id FROM event")]
    for known in (True, False, True):
        memory.knowledge.say_known(line, refs, "陌生人", known=known)
        memory.inject.preload(CTX, read_ahead_chat, asked("陌生人"))
        text = memory.inject.compose(CTX, read_ahead_chat, asked("陌生人")).text
        assert ("拾到铜钥匙" in text) == known


def test_answers_hold_until_something_changes(memory, read_ahead_chat):
    store = memory.session.chat(read_ahead_chat)
    answers, asked_of = Answers(store.database), []
    assert store.database.rows("SELECT * FROM knowledge_due")  # nobody may know it yet
    assert (answers.of("due", lambda: 1), answers.cached("due")) == (1, None)
    memory.knowledge.derive(CTX, read_ahead_chat)

    def ask():
        asked_of.append(1)
        return len(asked_of)

    assert [answers.of("key", ask), answers.of("key", ask), answers.cached("key")] == [1, 1, 1]
    assert answers.cached("other") is None
    add(memory, read_ahead_chat, event_told("爱丽丝藏起铜钥匙。", "藏起", 12, 13))
    assert answers.cached("key") is None
    memory.knowledge.derive(CTX, read_ahead_chat)
    assert [answers.of("key", ask), answers.of("key", ask)] == [2, 2]
    with store.step(StepLabel(IMPORT, {"count": 1})):
        assert answers.of("key", ask) == 3
        assert answers.cached("key") is None


WARMED = """
import sys
from pathlib import Path
from engram_desktop.domain.claims.sentence import rules_of
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import LocalEmbedder
from engram_desktop.services.memory import Memory

memory = Memory.open(Path(sys.argv[1]), environ={})
memory.settings.set("keys.storage", "session")
memory.serving.warm(NullContext())
print(rules_of.cache_info().currsize, LocalEmbedder._encoder is not None)
memory.close()
"""


@pytest.mark.e2e
def test_what_the_first_chat_needs_is_read_before_there_is_one(tmp_path):
    run = run_python(WARMED, tmp_path / "library", check=True, cwd=ROOT)
    assert run.stdout.split() == ["2", "True"]
