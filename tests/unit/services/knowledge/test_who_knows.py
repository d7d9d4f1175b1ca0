"""Who knows what: lived through, whispered, told later, corrected by hand."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.memory.event import LogPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import write_chat
from tests.fake_openai import FakeOpenAI

CTX = NullContext()
# floors: 0-3 all three; 4-6 Alice and Bob alone (the secret); 7-9 all; 10 whisper; 13-15 Bob tells.
STORY = [
    ("旅人", "早上好，大家都到齐了。"),
    ("爱丽丝", "早上好，旅人。今天的面包很香。"),
    ("鲍勃", "我去买牛奶。"),
    ("卡萝", "顺便带一瓶葡萄汁回来。"),
    ("爱丽丝", "鲍勃，我告诉你一件事：银钥匙藏在钟楼第三块砖后面。"),
    ("鲍勃", "银钥匙在钟楼的第三块砖后面？我不会说出去。"),
    ("爱丽丝", "谢谢你，鲍勃。"),
    ("旅人", "你们在聊什么呢？"),
    ("卡萝", "我刚从外面回来，外面下雨了。"),
    ("鲍勃", "没什么，在聊天气。"),
    ("爱丽丝", "今晚吃炖菜吧。（低声对鲍勃说：地窖的暗号是紫罗兰。）土豆我来削。"),
    ("卡萝", "好呀，我喜欢炖菜。"),
    ("旅人", "我也来帮忙。"),
    ("鲍勃", "卡萝，其实银钥匙藏在钟楼第三块砖后面，爱丽丝告诉我的。"),
    ("卡萝", "原来银钥匙在钟楼！我会保密的。"),
    ("鲍勃", "别让旅人知道。"),
    ("旅人", "晚饭好了，大家来吃。"),
    ("爱丽丝", "来了来了。"),
]
ALL = ["旅人", "爱丽丝", "鲍勃", "卡萝"]
ANSWER = {
    "events": [
        {
            "summary": "爱丽丝告诉鲍勃，银钥匙藏在钟楼第三块砖后面。",
            "keywords": ["银钥匙", "钟楼"],
            "entities": [
                {"name": n, "type": t}
                for n, t in (
                    ("爱丽丝", "char"),
                    ("鲍勃", "char"),
                    ("银钥匙", "item"),
                    ("钟楼", "loc"),
                )
            ],
            "relations": [{"subject": "银钥匙", "predicate": "藏在", "object": "钟楼"}],
            "from": 4,
            "to": 6,
            "witnesses": ["爱丽丝", "鲍勃"],
        },
        {
            "summary": "鲍勃把银钥匙藏在钟楼第三块砖后面的事告诉了卡萝。",
            "keywords": ["银钥匙", "钟楼"],
            "entities": [{"name": n, "type": "char"} for n in ("鲍勃", "卡萝")],
            "from": 13,
            "to": 15,
            "witnesses": ["鲍勃", "卡萝"],
        },
        {
            "summary": "大家说好今晚一起吃炖菜。",
            "keywords": ["炖菜"],
            "entities": [{"name": n, "type": "char"} for n in ALL],
            "from": 11,
            "to": 12,
            "witnesses": ALL,
        },
    ],
    "presence": [
        {"from": 0, "to": 3, "present": ALL},
        {"from": 4, "to": 6, "present": ["爱丽丝", "鲍勃"]},
        {"from": 7, "to": 12, "present": ALL},
        {"from": 10, "to": 10, "present": ["爱丽丝", "鲍勃"]},
        {"from": 13, "to": 15, "present": ["鲍勃", "卡萝"]},
        {"from": 16, "to": 17, "present": ALL},
    ],
}


@pytest.fixture
def server():
    with FakeOpenAI(answer=lambda _body: json.dumps(ANSWER, ensure_ascii=False)) as fake:
        yield fake


@pytest.fixture
def memory(open_memory, server):
    environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "usual"}
    return open_memory(environ=environ)


@pytest.fixture
def line(memory, tmp_path):
    chat = memory.imports.import_file(CTX, write_chat(tmp_path / "四个人.jsonl", STORY)).chat_id
    return Line(chat, "main")


@pytest.fixture
def told(memory, line):
    memory.pipeline.summarise(CTX, line, (0, len(STORY) - 1), "llm")
    memory.pipeline.consolidate(CTX, line)
    return line


def recalled(memory, line, actor, at=None, text="银钥匙藏在哪里"):
    query = RecallQuery(text, 20, actor=actor, at=at)
    return "\n".join(h.item.content for h in memory.recall.ask(CTX, line.chat_id, query).hits)


def test_only_who_was_there_recalls_it(memory, told):
    assert "第三块砖" in recalled(memory, told, None)
    assert "第三块砖" in recalled(memory, told, "爱丽丝")
    assert "第三块砖" in recalled(memory, told, "鲍勃", at=6)
    assert "砖" not in recalled(memory, told, "卡萝", at=12)
    assert "砖" in recalled(memory, told, "卡萝", at=15)
    assert "砖" not in recalled(memory, told, "旅人")
    assert "钟楼" not in recalled(memory, told, "旅人")


def test_a_whisper_is_heard_by_two_and_the_rest_by_all(memory, told):
    text = "今晚吃什么 暗号"
    assert "紫罗兰" in recalled(memory, told, "鲍勃", text=text)
    heard = recalled(memory, told, "卡萝", text=text)
    assert "紫罗兰" not in heard
    assert "土豆我来削" in heard


def test_an_injection_holds_no_more(memory, told):
    for actor, knows in (("爱丽丝", True), ("旅人", False)):
        query = RecallQuery("银钥匙在钟楼哪里？", 20, actor=actor)
        injection = memory.inject.compose(CTX, told.chat_id, query)
        assert ("砖" in injection.text) is knows, injection.text
        assert ("藏在 钟楼" in injection.text or "钟楼" in injection.text) is knows


def test_the_graph_as_somebody_knows_it(memory, told):
    def names(*actors):
        data = memory.graph.node_link(told, memory.knowledge.askers(CTX, told, actors))
        return {node["name"] for node in data["nodes"]}, len(data["links"])

    assert {"银钥匙", "钟楼"} <= names()[0]
    assert {"银钥匙", "钟楼"} <= names("爱丽丝")[0]
    assert names("爱丽丝")[1] == 1
    assert not names("旅人")[0] & {"银钥匙", "钟楼"}
    assert names("旅人")[1] == 0
    assert not names("爱丽丝", "旅人")[0] & {"银钥匙", "钟楼"}


def test_who_knows_it_since_when_and_how(memory, told):
    hits = memory.recall.ask(CTX, told.chat_id, RecallQuery("银钥匙", 20, kinds=("event",))).hits
    first = min((h.item for h in hits if "砖" in h.item.content), key=lambda i: i.start_index)
    knowers = {k.actor: k for k in memory.knowledge.who(CTX, told, ("event", first.ref))}
    assert knowers.keys() == {"爱丽丝", "鲍勃", "卡萝"}
    assert knowers["爱丽丝"].from_floor == 6
    assert (knowers["卡萝"].from_floor, knowers["卡萝"].how) == (13, "told")


def test_what_the_user_says_comes_first_and_can_be_undone(memory, told):
    hits = memory.recall.ask(CTX, told.chat_id, RecallQuery("银钥匙", 20, kinds=("event",))).hits
    ref = ("event", min((h.item for h in hits), key=lambda i: i.start_index).ref)
    memory.knowledge.say_known(told, [ref], "旅人", known=True, from_floor=16)
    assert "砖" not in recalled(memory, told, "旅人", at=15)
    assert "砖" in recalled(memory, told, "旅人", at=16)
    memory.history.undo(told.chat_id)
    assert "砖" not in recalled(memory, told, "旅人")
    memory.knowledge.say_known(told, [ref], "爱丽丝", known=False)
    assert "爱丽丝告诉鲍勃，银钥匙" not in recalled(memory, told, "爱丽丝")


def test_an_edited_message_is_judged_anew(memory, told):
    memory.messages.edit(told, 4, "鲍勃，金钥匙藏在水井里。")
    assert "水井" in recalled(memory, told, None, text="金钥匙 水井")
    assert "水井" not in recalled(memory, told, "旅人", text="金钥匙 水井")
    memory.history.undo(told.chat_id)
    assert "砖" in recalled(memory, told, "爱丽丝")
    assert "砖" not in recalled(memory, told, "旅人")


def test_a_model_that_is_asked_for_somebody_is_shown_what_that_one_heard(memory, told, server):
    """What it answers goes into the prompt of whoever asks: hints, and what a question means."""
    memory.settings.set("inject.triage", True)
    for actor, is_shown in (("旅人", False), ("鲍勃", True)):
        asked = len(server.bodies())
        query = RecallQuery("那个东西呢？", 10, actor=actor, at=15)
        memory.inject.compose(CTX, told.chat_id, query, expanded=True)
        requests = json.dumps(server.bodies()[asked:], ensure_ascii=False)
        assert len(server.bodies()) - asked == 2  # how much memory it needs, what it means
        assert ("钟楼" in requests) is is_shown, requests


@pytest.mark.parametrize("mark", ["*", "＊", " * "])
def test_no_name_makes_anything_public(memory, tmp_path, mark):
    """Whoever is called as the program marks everybody is still one alone."""
    rows = [
        (mark, "暗号是紫罗兰，只有我知道。"),
        ("爱丽丝", "早上好。"),
        ("旅人", "早。"),
        ("鲍勃", "早。"),
    ]
    chat = memory.imports.import_file(CTX, write_chat(tmp_path / "星.jsonl", rows)).chat_id
    line = Line(chat, "main")
    [message] = memory.messages.slice(line, 0, 0)
    memory.knowledge.say_present(line, [message.id], [mark])
    assert "紫罗兰" not in recalled(memory, line, "鲍勃", text="暗号是什么")
    log = LogPatch(mark, "暗号是紫罗兰。", source_range=SourceRange(0, 0))
    memory.logs.add(line, log)
    assert "紫罗兰" not in recalled(memory, line, "鲍勃", text="暗号是什么")
    assert memory.knowledge.heard(CTX, line, "鲍勃", 0, 0) == []
