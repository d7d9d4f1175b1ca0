"""What a question leaves to the conversation, with a model and without; and the reranker."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import BadAnswer
from engram_desktop.domain.recall.cues import points_back
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.recall.searching import read_expansion
from tests.factories import write_chat
from tests.fake_openai import FakeOpenAI

CTX = NullContext()
ROWS = [
    ("旅人", "铜匠今天关门了。"),
    ("爱丽丝", "莉莉丝在钟楼顶上养了三只乌鸦。"),
    ("旅人", "北门的集市卖蜂蜜酒。"),
    ("爱丽丝", "父亲的书房锁着。"),
    ("旅人", "码头的船天亮就走。"),
    ("爱丽丝", "你见过莉莉丝的乌鸦吗？"),
]


@pytest.fixture
def chat(memory, tmp_path):
    chat_id = memory.imports.import_file(CTX, write_chat(tmp_path / "故事.jsonl", ROWS)).chat_id
    memory.index.embed_pending(CTX, chat_id)
    return chat_id


def ask_model(memory, server):
    memory.settings.set("llm.base_url", server.url)
    memory.settings.set("llm.model", "fake-chat")


def answering(value):
    return FakeOpenAI(answer=lambda _body: json.dumps(value, ensure_ascii=False))


@pytest.mark.parametrize(
    "question",
    ["那件事后来怎么样了", "她呢？", "后来呢", "它在哪里", "What happened then?", "Where is it?"],
)
def test_some_questions_say_nothing_by_themselves(question):
    assert points_back(question)


@pytest.mark.parametrize(
    "question",
    [
        "他最喜欢哪种酒",
        "那把铜钥匙呢",
        "爱丽丝后来去哪了",
        "Did he find the penguin?",
        "铜钥匙",
        "",
    ],
)
def test_a_question_that_names_something_stands_alone(question):
    assert not points_back(question)


def test_without_a_model_the_recent_turns_say_what_is_meant(memory, chat):
    found = memory.recall.ask(CTX, chat, RecallQuery("她后来怎么样了？", top_k=2))
    assert 1 in [hit.item.start_index for hit in found.hits]
    assert any("乌鸦" in said for said in found.searched)
    assert found.degraded == ()
    past = memory.recall.ask(CTX, chat, RecallQuery("她后来怎么样了？", top_k=2, at=0))
    assert not any("乌鸦" in said for said in past.searched)


def test_a_question_that_stands_alone_is_asked_as_it_stands(memory, chat):
    found = memory.recall.ask(CTX, chat, RecallQuery("蜂蜜酒在哪里卖？"))
    assert found.searched == ()
    assert found.hits[0].item.start_index == 2


def test_a_model_says_what_to_look_for_and_its_cost_is_kept(memory, chat):
    said = {"query": ["钟楼顶上的乌鸦"], "output": "莉莉丝的乌鸦后来怎么样了？"}
    with answering(said) as server:
        ask_model(memory, server)
        query = RecallQuery("它们后来怎么样了？", top_k=2)
        found = memory.recall.ask(CTX, chat, query, expanded=True)
        asked = server.bodies()[0]["messages"][1]["content"]
        plain = memory.recall.ask(CTX, chat, query)
    assert found.hits[0].item.start_index == 1
    assert found.searched == ("钟楼顶上的乌鸦", said["output"])
    assert found.output == said["output"]
    assert "你见过莉莉丝的乌鸦吗" in asked
    assert "它们后来怎么样了" in asked
    assert plain.output == ""
    assert len(server.bodies()) == 1
    store = memory.session.chat(chat)
    assert store.database.rows("SELECT task, is_ok FROM llm_call") == [("expand", 1)]
    why = memory.recall.explanation(chat, memory.recall.past(chat)[1].id)
    assert (why.output, why.searched) == (found.output, found.searched)


def test_an_injection_asks_the_model_where_the_setting_says_so(memory, chat):
    with answering({"query": "乌鸦", "output": ""}) as server:
        ask_model(memory, server)
        memory.inject.compose(CTX, chat, RecallQuery("后来呢"))
        assert server.bodies() == []
        memory.settings.set("recall.expand", True, chat)
        memory.inject.compose(CTX, chat, RecallQuery("后来呢"))
        assert len(server.bodies()) == 1


@pytest.mark.parametrize("fault", [500, "garbage", "empty", 429])
def test_a_model_that_fails_leaves_the_recent_turns_and_says_so(memory, chat, fault):
    with FakeOpenAI(faults=[fault] * 9) as server:
        ask_model(memory, server)
        found = memory.recall.ask(CTX, chat, RecallQuery("她后来怎么样了？"), expanded=True)
    assert found.degraded == ("expand",)
    assert any("乌鸦" in said for said in found.searched)


def test_without_an_endpoint_the_wish_is_answered_with_what_is_missing(memory, chat):
    assert memory.recall.ask(CTX, chat, RecallQuery("乌鸦"), expanded=True).degraded == ("expand",)


@pytest.mark.parametrize(
    ("answer", "context", "output"),
    [
        ('{"query": "a b", "output": "c"}', ("a b", "c"), "c"),
        ('```json\n{"queries": ["a", 3, "a"], "output": "q"}\n```', ("a",), "q"),
        ('好的：["a", "b"]', ("a", "b"), ""),
        ('{"output": "q"}', (), "q"),
        ('<think>hm {"query": 1}</think>{"search": ["x"]}', ("x",), ""),
    ],
)
def test_answers_are_read_tolerantly(answer, context, output):
    found = read_expansion(answer, "q")
    assert (found.context, found.output) == (context, output)


@pytest.mark.parametrize("answer", ["", "no", "{}", '{"query": []}', "42"])
def test_an_answer_that_names_nothing_is_refused(answer):
    with pytest.raises(BadAnswer):
        read_expansion(answer, "q")


def test_a_configured_reranker_is_asked_about_the_short_list(memory, chat):
    with FakeOpenAI() as server:
        memory.settings.set("rerank.base_url", server.url)
        memory.settings.set("rerank.model", "fake-rerank")
        found = memory.recall.ask(CTX, chat, RecallQuery("父亲的书房锁着", top_k=3))
        (body,) = server.bodies("/v1/rerank")
        assert body["query"] == "父亲的书房锁着"
        assert sorted(body["documents"]) == sorted(f"{name}: {text}" for name, text in ROWS)
        assert found.hits[0].item.start_index == 3
        assert found.hits[0].why["rerank"] > 0
    down = memory.recall.ask(CTX, chat, RecallQuery("父亲的书房锁着", top_k=3))
    assert down.degraded == ("rerank",)
    assert down.hits[0].item.start_index == 3
