"""Who knows what."""

from __future__ import annotations

import inspect
import json
import re
import threading
from functools import cached_property

import apsw
import pytest
from typing_extensions import override

from engram_desktop.domain.knowledge.knowing import GridChange
from engram_desktop.domain.memory.event import EventQuery, LogPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services import memory as memory_module
from engram_desktop.services.knowledge.derive import derive
from engram_desktop.services.memory import Memory
from tests.factories import import_chat, model_at, write_chat
from tests.fake_openai import FakeOpenAI
from tests.fixtures import fake_llm

# Who knows what: lived through, whispered, told later, corrected by hand.

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


server = fake_llm(lambda _body: json.dumps(ANSWER, ensure_ascii=False))


@pytest.fixture
def asking_memory(open_memory, server):
    environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "usual"}
    return open_memory(environ=environ)


@pytest.fixture
def line(asking_memory, tmp_path):
    chat = import_chat(asking_memory, tmp_path / "四个人.jsonl", STORY)
    return Line(chat, "main")


@pytest.fixture
def told(asking_memory, line):
    asking_memory.pipeline.summarise(CTX, line, (0, len(STORY) - 1), "llm")
    asking_memory.pipeline.consolidate(CTX, line)
    return line


def recalled(memory, line, actor, at=None, text="银钥匙藏在哪里"):
    query = RecallQuery(text, 20, actor=actor, at=at)
    return "\n".join(h.item.content for h in memory.recall.ask(CTX, line.chat_id, query).hits)


def test_only_who_was_there_recalls_it(asking_memory, told):
    assert "第三块砖" in recalled(asking_memory, told, None)
    assert "第三块砖" in recalled(asking_memory, told, "爱丽丝")
    assert "第三块砖" in recalled(asking_memory, told, "鲍勃", at=6)
    assert "砖" not in recalled(asking_memory, told, "卡萝", at=12)
    assert "砖" in recalled(asking_memory, told, "卡萝", at=15)
    assert "砖" not in recalled(asking_memory, told, "旅人")
    assert "钟楼" not in recalled(asking_memory, told, "旅人")


def test_what_a_summary_tells_of_another_scene_is_for_those_who_heard_it(open_memory, tmp_path):
    aside = {"summary": "晚饭时谁也没有提起银钥匙。", "from": 16, "to": 17, "witnesses": ALL}
    supper = {"summary": "大家坐下来吃晚饭。", "from": 16, "to": 17, "witnesses": ALL}
    keys = {
        "summary": "鲍勃去买牛奶。",
        "from": 2,
        "to": 3,
        "witnesses": ALL,
        "keywords": ["银钥匙"],
    }
    events = [*ANSWER["events"], aside, supper, keys]
    answer = json.dumps({**ANSWER, "events": events}, ensure_ascii=False)
    with FakeOpenAI(answer=lambda _body: answer) as server:
        memory = open_memory(**model_at(server.url, "m"))
        line = Line.main(import_chat(memory, tmp_path / "四个人.jsonl", STORY))
        memory.pipeline.summarise(CTX, line, (0, len(STORY) - 1), "llm")
    assert "没有提起银钥匙" in recalled(memory, line, None)
    assert "没有提起银钥匙" in recalled(memory, line, "爱丽丝")
    assert "没有提起银钥匙" in recalled(memory, line, "卡萝")  # who was told on floor 13
    heard = recalled(memory, line, "旅人", text="晚饭 牛奶 银钥匙")
    assert "大家坐下来吃晚饭" in heard
    assert "鲍勃去买牛奶" in heard
    assert "银钥匙" not in heard
    query = RecallQuery("晚饭时说了什么？", 20, actor="旅人")
    assert "银钥匙" not in memory.inject.compose(CTX, line.chat_id, query).text


def test_a_whisper_is_heard_by_two_and_the_rest_by_all(asking_memory, told):
    text = "今晚吃什么 暗号"
    assert "紫罗兰" in recalled(asking_memory, told, "鲍勃", text=text)
    heard = recalled(asking_memory, told, "卡萝", text=text)
    assert "紫罗兰" not in heard
    assert "土豆我来削" in heard


def test_an_injection_holds_no_more(asking_memory, told):
    for actor, knows in (("爱丽丝", True), ("旅人", False)):
        query = RecallQuery("银钥匙在钟楼哪里？", 20, actor=actor)
        injection = asking_memory.inject.compose(CTX, told.chat_id, query)
        assert ("砖" in injection.text) is knows, injection.text
        assert ("藏在 钟楼" in injection.text or "钟楼" in injection.text) is knows


def test_the_graph_as_somebody_knows_it(asking_memory, told):
    def names(*actors):
        data = asking_memory.graph.node_link(
            told, asking_memory.knowledge.askers(CTX, told, actors)
        )
        return {node["name"] for node in data["nodes"]}, len(data["links"])

    assert {"银钥匙", "钟楼"} <= names()[0]
    assert {"银钥匙", "钟楼"} <= names("爱丽丝")[0]
    assert names("爱丽丝")[1] == 1
    assert not names("旅人")[0] & {"银钥匙", "钟楼"}
    assert names("旅人")[1] == 0
    assert not names("爱丽丝", "旅人")[0] & {"银钥匙", "钟楼"}


def test_who_hears_a_whisper_knows_it_though_not_the_one_before(asking_memory, tmp_path):
    rows = [
        ("Captain", '*Tobias looks up.* "It lifts," *says Tobias. The Captain frowns.*'),
        ("Wren", '*I whisper, so that only she can hear:* "You still have them?"'),
        ("Captain", '*Tobias leans close and whispers in your ear:* "Behind the barometer."'),
    ]
    file = write_chat(tmp_path / "whisper.jsonl", rows, "Wren")
    whisper = Line.main(asking_memory.imports.import_file(CTX, file).chat_id or "")
    (message,) = asking_memory.messages.slice(whisper, 2, 2)
    who = asking_memory.knowledge.who(CTX, whisper, ("turn", message.id))
    assert {knower.actor for knower in who} == {"Tobias", "Wren"}


def test_a_whisper_that_begins_within_a_gesture_is_told_as_speech(asking_memory, tmp_path):
    rows = [
        ("白露", "*白露点起灯。*“师父还没有回来。”"),
        ("沈砚", "*沈砚坐下。*“我再等等。”"),
        ("阿衡", "*阿衡的脸红了。他忽然凑到沈砚耳边，压低声音：*“铜铃埋在柳树下面，别告诉白露。”"),
        ("沈砚", "*沈砚点点头。*“好。”"),
    ]
    file = write_chat(tmp_path / "耳语.jsonl", rows, "沈砚")
    line = Line.main(asking_memory.imports.import_file(CTX, file).chat_id or "")
    asking_memory.pipeline.summarise(CTX, line, (0, 3), "extractive")
    events = asking_memory.events
    told = events.fetch(line.chat_id, events.find(line.chat_id, EventQuery())).values()
    [whisper] = [event.summary for event in told if "铜铃" in event.summary]
    assert whisper.endswith("说：“铜铃埋在柳树下面，别告诉白露。”")


def test_who_knows_it_since_when_and_how(asking_memory, told):
    hits = asking_memory.recall.ask(
        CTX, told.chat_id, RecallQuery("银钥匙", 20, kinds=("event",))
    ).hits
    first = min((h.item for h in hits if "砖" in h.item.content), key=lambda i: i.start_index)
    knowers = {k.actor: k for k in asking_memory.knowledge.who(CTX, told, ("event", first.ref))}
    assert knowers.keys() == {"爱丽丝", "鲍勃", "卡萝"}
    assert knowers["爱丽丝"].from_floor == 6
    assert (knowers["卡萝"].from_floor, knowers["卡萝"].how) == (13, "told")


def test_what_the_user_says_comes_first_and_can_be_undone(asking_memory, told):
    hits = asking_memory.recall.ask(
        CTX, told.chat_id, RecallQuery("银钥匙", 20, kinds=("event",))
    ).hits
    ref = ("event", min((h.item for h in hits), key=lambda i: i.start_index).ref)
    asking_memory.knowledge.say_known(told, [ref], "旅人", known=True, from_floor=16)
    assert "砖" not in recalled(asking_memory, told, "旅人", at=15)
    assert "砖" in recalled(asking_memory, told, "旅人", at=16)
    asking_memory.history.undo(told.chat_id)
    assert "砖" not in recalled(asking_memory, told, "旅人")
    asking_memory.knowledge.say_known(told, [ref], "爱丽丝", known=False)
    assert "爱丽丝告诉鲍勃，银钥匙" not in recalled(asking_memory, told, "爱丽丝")


# The grid of events and persons.


@pytest.fixture
def grid(asking_memory, told):
    """Return the grid as words: {(summary's beginning, name): (state, said by the user)}."""
    service = asking_memory.knowledge
    keys = list(asking_memory.events.find(told.chat_id, EventQuery(level=0)))

    def read(at=None):
        people = service.grid_people(CTX, told)
        events = asking_memory.events.fetch(told.chat_id, keys)
        rows = service.grid_rows(CTX, told, keys, people, at)
        later = service.grid_learned_later(CTX, told, keys, people, at)
        cells = {}
        for key, row in rows.items():
            for n, cell in enumerate(row):
                is_open = cell.state == "unaware" and not cell.is_said
                shown = later.get(key, {}).get(n, cell) if is_open else cell
                cells[events[key].summary[:8], people[n].name] = shown
        return cells

    return read


THE_KEY = "爱丽丝告诉鲍勃，"


def secret_id(memory, line):
    keys = memory.events.find(line.chat_id, EventQuery(level=0))
    events = memory.events.fetch(line.chat_id, keys).values()
    return next(e.id for e in events if e.summary.startswith(THE_KEY))


def test_the_grid_says_who_was_there_who_was_told_and_who_knows_nothing(grid, asking_memory, told):
    cells = grid()
    of_secret = {name: cell.state for (summary, name), cell in cells.items() if summary == THE_KEY}
    assert of_secret == {"爱丽丝": "present", "鲍勃": "present", "卡萝": "knows", "旅人": "unaware"}
    assert (cells[THE_KEY, "卡萝"].how, cells[THE_KEY, "卡萝"].from_floor) == ("told", 13)
    who = asking_memory.knowledge.who(CTX, told, ("event", secret_id(asking_memory, told)))
    knowing = {name for name, state in of_secret.items() if state != "unaware"}
    assert knowing == {k.actor for k in who}
    assert grid(at=12)[THE_KEY, "卡萝"].state == "unaware"


def test_cells_of_the_grid_are_one_step_and_hold_for_recall(grid, asking_memory, told):
    service, event = asking_memory.knowledge, secret_id(asking_memory, told)
    before = grid()
    service.say_grid(
        told,
        [
            GridChange(event, "旅人", "present", 6),
            GridChange(event, "爱丽丝", "kept"),
            GridChange(event, "卡萝", "unaware"),
            GridChange(event, "没说过话的管家", "knows", 6),
        ],
    )
    cells = grid()
    said = {name: cell for (summary, name), cell in cells.items() if summary == THE_KEY}
    states = {name: cell.state for name, cell in said.items()}
    assert states["旅人"] == "present"
    assert (states["爱丽丝"], states["卡萝"]) == ("kept", "unaware")
    assert states["没说过话的管家"] == "knows", "one who never speaks has a column once it is said"
    assert said["旅人"].is_said
    assert not said["鲍勃"].is_said
    assert "砖" in recalled(asking_memory, told, "旅人")
    assert "爱丽丝告诉鲍勃，银钥匙" not in recalled(asking_memory, told, "爱丽丝")
    secret = next(s for s in service.secrets(CTX, told) if s.ref == event)
    assert secret.kept_from == ("爱丽丝",)
    asking_memory.history.undo(told.chat_id)
    assert grid() == before, "one step for all cells"


def test_a_cell_can_be_left_to_be_worked_out_again(grid, asking_memory, told):
    service, event = asking_memory.knowledge, secret_id(asking_memory, told)
    before = grid()
    service.say_grid(told, [GridChange(event, name, "kept") for name in ALL])
    service.say_grid(told, [GridChange(event, name, None) for name in ALL])
    assert grid() == before


def test_who_must_not_know_it_and_does_is_marked(grid, asking_memory, told):
    asking_memory.knowledge.keep_from(told, [("event", secret_id(asking_memory, told))], ["鲍勃"])
    cell = grid()[THE_KEY, "鲍勃"]
    assert (cell.state, cell.is_leak) == ("present", True)


def test_an_edited_message_is_judged_anew(asking_memory, told):
    asking_memory.messages.edit(told, 4, "鲍勃，金钥匙藏在水井里。")
    assert "水井" in recalled(asking_memory, told, None, text="金钥匙 水井")
    assert "水井" not in recalled(asking_memory, told, "旅人", text="金钥匙 水井")
    asking_memory.history.undo(told.chat_id)
    assert "砖" in recalled(asking_memory, told, "爱丽丝")
    assert "砖" not in recalled(asking_memory, told, "旅人")


def test_a_model_that_is_asked_for_somebody_is_shown_what_that_one_heard(
    asking_memory, told, server
):
    """What it answers goes into the prompt of whoever asks: hints, and what a question means."""
    asking_memory.settings.set("inject.triage", True)
    for actor, is_shown in (("旅人", False), ("鲍勃", True)):
        asked = len(server.bodies())
        query = RecallQuery("那个东西呢？", 10, actor=actor, at=15)
        asking_memory.inject.compose(CTX, told.chat_id, query, expanded=True)
        requests = json.dumps(server.bodies()[asked:], ensure_ascii=False)
        assert len(server.bodies()) - asked == 2  # how much memory it needs, what it means
        assert ("钟楼" in requests) is is_shown, requests


@pytest.mark.parametrize("mark", ["*", "＊", " * "])
def test_no_name_makes_anything_public(asking_memory, tmp_path, mark):
    """Whoever is called as the program marks everybody is still one alone."""
    rows = [
        (mark, "暗号是紫罗兰，只有我知道。"),
        ("爱丽丝", "早上好。"),
        ("旅人", "早。"),
        ("鲍勃", "早。"),
    ]
    chat = import_chat(asking_memory, tmp_path / "星.jsonl", rows)
    line = Line(chat, "main")
    [message] = asking_memory.messages.slice(line, 0, 0)
    asking_memory.knowledge.say_present(line, [message.id], [mark])
    assert "紫罗兰" not in recalled(asking_memory, line, "鲍勃", text="暗号是什么")
    log = LogPatch(mark, "暗号是紫罗兰。", source_range=SourceRange(0, 0))
    asking_memory.logs.add(line, log)
    assert "紫罗兰" not in recalled(asking_memory, line, "鲍勃", text="暗号是什么")
    assert asking_memory.knowledge.heard(CTX, line, "鲍勃", 0, 0) == []


# What changes while it is worked out who knows what: it is worked out again, and nobody has it.

SECRETS = [("爱丽丝", "早上好。"), ("旅人", "早。"), ("爱丽丝", "面包在桌上。"), ("旅人", "谢谢。")]


class Meddling(NullContext):
    """Lets something happen between reading and writing, once."""

    def __init__(self, act):
        self._act = act

    @override
    def write(self, unit):
        if self._act is not None:
            act, self._act = self._act, None
            act()
        return unit()


def test_a_message_that_is_edited_meanwhile_is_nobodys_until_it_is_judged(memory, tmp_path):
    chat = import_chat(memory, tmp_path / "早.jsonl", SECRETS)
    line = Line.main(chat)
    thought = "（心想：钥匙在座钟里。）"
    memory.findings.read(CTX, line)  # who speaks is read before who is there
    meddling = Meddling(lambda: memory.messages.edit(line, 2, f"面包在桌上。{thought}"))
    memory.knowledge.derive(meddling, chat)
    store = memory.session.chat(chat)
    assert store.knowledge.due("turn") == [store.messages.slice("main", 2, 2)[0].id]
    heard = memory.knowledge.heard(CTX, line, "旅人", 0, 3)
    assert [m.text for m in heard] == ["早上好。", "早。", "面包在桌上。", "谢谢。"]
    assert store.knowledge.due("turn") == []


def test_what_the_user_says_meanwhile_is_heard(memory, tmp_path):
    chat = import_chat(memory, tmp_path / "早.jsonl", SECRETS)
    line = Line.main(chat)
    [message] = memory.messages.slice(line, 2, 2)
    meddling = Meddling(lambda: memory.knowledge.say_present(line, [message.id], ["爱丽丝"]))
    memory.knowledge.derive(meddling, chat)
    heard = memory.knowledge.heard(CTX, line, "旅人", 0, 3)
    assert [m.seq for m in heard] == [0, 1, 3]


def test_two_who_ask_at_once_wait_for_each_other(memory, tmp_path):
    chat = import_chat(memory, tmp_path / "早.jsonl", SECRETS)
    store = memory.session.chat(chat)
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(derive(CTX, store))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(answers) == 4
    assert not store.knowledge.has_due()
    assert not store.deriving.locked()


# A library of an older version: a chat of one character is known to that one and the player.

PAIR_STORY = [
    ("爱丽丝", "欢迎来到月光酒馆。"),
    ("旅人", "铜钥匙在哪里？"),
    ("爱丽丝", "在座钟的暗格里。（心想：他会不会是来找父亲的？）"),
    ("旅人", "我记住了。"),
]


def test_what_was_told_to_two_is_known_to_two(open_memory, tmp_path):
    memory = open_memory()
    chat = import_chat(memory, tmp_path / "酒馆.jsonl", PAIR_STORY)
    line = Line.main(chat)
    memory.pipeline.summarise(CTX, line, (0, 3), "extractive")
    memory.close()
    _make_old(memory.folder / "chats" / chat / "memory.db")
    again = open_memory(memory.folder)

    def recalled(actor):
        query = RecallQuery("铜钥匙在哪里", 10, actor=actor)
        return "\n".join(h.item.content for h in again.recall.ask(CTX, chat, query).hits)

    assert "暗格" in recalled("爱丽丝")
    assert "暗格" in recalled("旅人")
    assert "父亲" in recalled("爱丽丝")
    assert "父亲" not in recalled("旅人")
    assert recalled("凯尔") == ""
    assert recalled("旁白") == ""
    again.history.undo(chat)  # of before: the events go, and nothing stands in the way
    assert "暗格" in recalled("旅人")


def _make_old(path):
    """Take a chat back to the version before anybody was asked who knows what."""
    database = apsw.Connection(str(path))
    for name in ("engram_tokens", "engram_cost"):  # what triggers call is of no matter here
        database.create_scalar_function(name, lambda *_values: 0, 1)
    tables = [
        name
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN"
            " ('audience', 'audience_member', 'presence_answer', 'presence_fix', 'knowledge_fix',"
            " 'kept_from', 'message_audience', 'item_audience', 'knowledge_due', 'turn_note',"
            " 'state_rule', 'state_change', 'event_apart', 'message_claims', 'claim_people',"
            " 'finding_answer', 'inbox_answer', 'group_member', 'noted_thread', 'private_note',"
            " 'claim_answer')"
        )
    ]
    triggers = list(
        database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND ("
            + " OR ".join(f"sql LIKE '%{table}%'" for table in tables)
            + " OR name LIKE 'knowledge_%' OR name LIKE '%_guard_changed')"
        )
    )
    for name, _sql in triggers:
        database.execute(f"DROP TRIGGER {name}")
    for table in tables:
        database.execute(f"DROP TABLE {table}")
    for table in ("event", "private_log"):
        database.execute(f"DROP INDEX {table}_guarded")
        database.execute(
            f"CREATE INDEX {table}_conditional ON {table}(id) WHERE scope = 'conditional'"
        )
    database.execute("DELETE FROM memory_item WHERE kind = 'heard'")
    database.execute("UPDATE event SET scope = 'global'")
    database.execute("UPDATE memory_item SET scope = 'global'")
    database.execute("PRAGMA user_version = 6")
    database.close()


# Every road by which memory leaves a chat is known, and says for whom it is.
#
# The roads are taken from the services: a method that hands on something remembered and is not in
# the table fails, until somebody has decided who may go that way.

# What a method hands on, where it hands on something that is remembered.
REMEMBERED = re.compile(
    r"EventNode|Message|RecallResult|SearchResult|Injection|GraphView|EntityNode|\bRelation\b|PrivateLog"
    r"|StateHistory|MemoryItem|Explanation|PastRecall|Knower|Secret|PresentFloor|MemoryWorldbook"
    r"|Suggestion|DraftComparison|SentenceSource|\bVolume\b"
    r"|Turn\b|TurnNote|dict\[str, Any\]|Mapping\[str, str\]|\bstr$"
)
# By the parameter that names who asks: what these give has been through the rule of access.
GUARDED = {
    "graph.entity_events": "actors",
    "graph.find_entities": "actors",
    "graph.graphml": "actors",
    "graph.node_link": "actors",
    "graph.path": "actors",
    "graph.picture": "actors",
    "graph.relations_of": "actors",
    "events.find": "query",
    "logs.find": "query",
    "knowledge.heard": "actor",
    "knowledge.state": "names",
    "state.perceived": "floors",
    "recall.ask": "query",
    "inject.compose": "query",
    "care.export": "actors",
    "_searcher.search": "query",
    "search.find": "actors",
}
# Replies are written as the character who speaks; what reaches the prompt is what it knows.
AS_THE_SPEAKER = {"play.go_on", "play.reply", "play.reroll", "play.send", "serving.fill"}
# For the human curator alone, who sees everything: pages and verbs that curate, not prompts.
FOR_THE_CURATOR = {
    "drafts.ask_other",
    "drafts.compare",
    "drafts.sources",
    "events.deleted",
    "events.at_floors",
    "events.fetch",
    "events.find_one",
    "events.render_card",
    "findings.speaker_of",
    "graph.find_entity",
    "graph.find_relation",
    "graph.hidden_entities",
    "graph.named",
    "graph.suggestions",
    "kept.memory_worldbook",
    "knowledge.grid_people",
    "knowledge.grid_rows",
    "knowledge.grid_learned_later",
    "knowledge.present",
    "knowledge.secrets",
    "knowledge.who",
    "logs.fetch",
    "logs.find_one",
    "messages.heads",
    "messages.slice",
    "play.notes",
    "graph.named_in",
    "prompts.as_text",
    "recall.explanation",
    "recall.muted",
    "recall.past",
    "state.history",
    "state.initial",
    "volumes.read",
}
# Nothing of what is remembered: names, settings, what the user or a card wrote outside of the chat.
NO_MEMORY = {
    "_open_volumes.key",
    "branches.find",
    "care.stats",
    "characters.tag_names",
    "chats.find",
    "chats.name",
    "endpoints.test",
    "graph.entity_names",
    "kept.title",
    "prompts.difference",
    "settings.chosen",
    "worldbooks.context",
    "worldbooks.outlets",
}


def service_methods():
    """Yield (attribute.method, function) of all that an open library offers."""
    modules = [memory_module, *filter(inspect.ismodule, vars(memory_module).values())]
    for attribute, made in vars(Memory).items():
        if not isinstance(made, cached_property):
            continue
        name = made.func.__annotations__["return"]
        [service] = {getattr(m, name) for m in modules if hasattr(m, name)}
        for method, function in inspect.getmembers(service, inspect.isfunction):
            if not method.startswith("_"):
                yield f"{attribute}.{method}", function


METHODS = dict(service_methods())
TABLE = [set(GUARDED), AS_THE_SPEAKER, FOR_THE_CURATOR, NO_MEMORY]


def test_every_road_is_in_the_table_once():
    roads = {
        name
        for name, function in METHODS.items()
        if REMEMBERED.search(str(function.__annotations__.get("return", "")))
    }
    known = set.union(*TABLE)
    assert roads - known == set(), "who may go these ways? see GUARDED"
    assert known - METHODS.keys() == set(), "these are no more"
    assert sum(map(len, TABLE)) == len(known)


@pytest.mark.parametrize(("road", "asker"), sorted(GUARDED.items()))
def test_a_guarded_road_is_told_who_asks(road, asker):
    assert asker in inspect.signature(METHODS[road]).parameters
