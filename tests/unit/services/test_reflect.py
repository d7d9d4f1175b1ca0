"""Looking back, and profiles."""

from __future__ import annotations

import json

import pytest
from typing_extensions import override

from engram_desktop.domain.changes import REFLECT, StepLabel
from engram_desktop.domain.errors import DailyCapReached, MemoryOff, NotConfigured
from engram_desktop.domain.memory.event import (
    EventQuery,
    LogPatch,
    LogQuery,
    SourceRange,
)
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.reflection import best_match, parse_reflection
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import Cancelled, NullContext
from tests.contexts import TokenContext
from tests.factories import (
    import_chat,
    make_event,
    model_at,
    story_rows,
    write_chat,
)
from tests.fixtures import fake_llm
from tests.scripted_model import FACTS, STORY, shown
from tests.scripted_model import answer as story_answer

# Looking back: what was missed, and what characters keep to themselves.

CTX = NullContext()
MISSED = "爱丽丝答应旅人第四十天在钟楼下把怀表还给他。"
LOG = {
    "owner": "爱丽丝",
    "content": "他竟然记得那块怀表。也许我可以再信他一次。",
    "emotion_tags": ["安心", "期待"],
    "about": MISSED,
}


def said(events=(), logs=()):
    rows = [{"summary": summary} for summary in events]
    return json.dumps({"events": rows, "logs": list(logs)}, ensure_ascii=False)


class Model:
    """Answers by the number of the request."""

    def __init__(self):
        self.answers = []
        self.before = lambda _asked: None

    def __call__(self, body):
        self.body = body
        self.before(body["messages"][1]["content"])
        return self.answers.pop(0) if self.answers else said()


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def reflecting_memory(open_memory, server):
    environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "usual"}
    return open_memory(environ=environ, **{"summary.interval": 10})


@pytest.fixture
def chat(reflecting_memory, tmp_path):
    return import_chat(reflecting_memory, tmp_path / "故事.jsonl", story_rows(40))


def logs(memory, chat):
    keys = memory.logs.find(chat, LogQuery())
    return list(memory.logs.fetch(chat, keys).values())


def events(memory, chat):
    keys = memory.events.find(chat, EventQuery())
    return [memory.events.fetch(chat, keys)[key] for key in keys]


def test_blocks_since_the_last_time_become_events_and_logs(reflecting_memory, chat, model, server):
    model.answers = [said([MISSED], [LOG]), said(), said()]
    plan = reflecting_memory.pipeline.plan_reflection(Line.main(chat))
    assert plan.blocks == ((0, 9), (10, 19), (20, 29))  # the newest ten are left alone
    assert plan.prompt_tokens > 100
    report = reflecting_memory.pipeline.reflect(CTX, Line.main(chat))
    assert (report.events_added, report.logs_added, report.floors) == (1, 1, 30)
    assert (report.llm_calls, report.failed) == (3, ())
    (event,) = events(reflecting_memory, chat)
    assert (event.summary, event.extractor, event.status) == (MISSED, "llm", "buffer")
    assert (event.source_range.start_index, event.source_range.end_index) == (0, 9)
    (log,) = logs(reflecting_memory, chat)
    assert (log.owner, log.emotion_tags) == ("爱丽丝", ("安心", "期待"))
    assert (log.scope, log.extractor, log.confidence) == ("private", "llm", "model")
    assert log.linked_event_id == event.id
    assert reflecting_memory.pipeline.reflect(CTX, Line.main(chat)).floors == 0
    assert len(server.bodies()) == 3  # nothing is asked twice
    assert (
        "怀表"
        in reflecting_memory.inject.compose(CTX, chat, RecallQuery("怀表", actor="爱丽丝")).text
    )


def test_each_block_is_one_step_that_can_be_taken_back(reflecting_memory, chat, model):
    model.answers = [said([MISSED], [LOG]), said(["旅人把地图画在桌布上，交给了老板娘。"])]
    reflecting_memory.pipeline.reflect(CTX, Line.main(chat), (0, 19))
    assert "Look back on floors 10–19" in str(reflecting_memory.history.steps(chat)[0].label)
    reflecting_memory.history.undo(chat)
    assert [e.summary for e in events(reflecting_memory, chat)] == [MISSED]
    assert reflecting_memory.pipeline.plan_reflection(Line.main(chat)).blocks[0][0] == 10
    reflecting_memory.history.undo(chat)
    assert (events(reflecting_memory, chat), logs(reflecting_memory, chat)) == ([], [])
    assert reflecting_memory.pipeline.plan_reflection(Line.main(chat)).blocks[0][0] == 0
    reflecting_memory.history.redo(chat)
    assert logs(reflecting_memory, chat)[0].content == LOG["content"]
    assert reflecting_memory.pipeline.plan_reflection(Line.main(chat)).blocks[0][0] == 10


def test_what_is_known_is_asked_not_to_be_told_and_left_out_all_the_same(
    reflecting_memory, chat, model
):
    other = {**LOG, "content": "他竟然还记得那块怀表，也许我可以再信他一次！"}
    model.answers = [said([MISSED], [LOG])]
    reflecting_memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    again = "爱丽丝答应了旅人：第四十天，在钟楼下把怀表还给他"
    model.answers = [said([again, MISSED, "卡尔烧掉了旅人写给姐姐的那封信。"], [LOG, other])]
    report = reflecting_memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert (report.events_added, report.logs_added, report.known) == (1, 0, 4)
    asked = model.body["messages"][1]["content"]
    assert f"- {MISSED}" in asked
    assert f"- 爱丽丝: {LOG['content']}" in asked


def test_nobody_but_a_character_of_the_story_gets_a_log(reflecting_memory, chat, model):
    rows = [{**LOG, "owner": name} for name in ("旅人", "路人", " 爱丽丝 ")]
    model.answers = [said([], rows)]
    report = reflecting_memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert (report.logs_added, report.known) == (1, 2)
    assert "可以记日志的角色：爱丽丝\n" in model.body["messages"][1]["content"]


@pytest.mark.parametrize("answer", ["当然可以！", "{}", '{"events": 3}', "[1]", '{"logs": [{}]}'])
def test_an_unreadable_answer_keeps_the_cursor_and_is_shown(reflecting_memory, chat, model, answer):
    model.answers = [said([MISSED]), answer]
    report = reflecting_memory.pipeline.reflect(CTX, Line.main(chat))
    assert (report.floors, report.events_added) == (10, 1)
    (failed,) = report.failed
    assert (failed.start_index, failed.end_index, failed.raw) == (10, 19, answer)
    assert reflecting_memory.pipeline.plan_reflection(Line.main(chat)).blocks == (
        (10, 19),
        (20, 29),
    )


def test_floors_that_are_not_summarised_yet_are_left_for_later(reflecting_memory, chat):
    reflecting_memory.pipeline.summarise(CTX, Line.main(chat), (0, 19), "extractive")
    assert reflecting_memory.pipeline.plan_reflection(Line.main(chat)).blocks == ((0, 9), (10, 19))


def test_a_range_behind_a_gap_does_not_move_the_cursor(reflecting_memory, chat):
    reflecting_memory.pipeline.reflect(CTX, Line.main(chat), (20, 29))
    assert reflecting_memory.pipeline.plan_reflection(Line.main(chat)).blocks[0] == (0, 9)


def test_a_branch_goes_on_where_its_parent_was(reflecting_memory, chat):
    reflecting_memory.pipeline.reflect(CTX, Line.main(chat), (0, 29))
    branch, _changes = reflecting_memory.branches.fork(Line.main(chat), at=24, name="另一条")
    assert reflecting_memory.pipeline.plan_reflection(Line(chat, branch)).blocks == ()
    assert (
        reflecting_memory.pipeline.plan_reflection(Line(chat, branch), (0, 24)).blocks[-1][1] == 24
    )


def test_cancelling_keeps_what_was_finished(reflecting_memory, chat, model):
    ctx = TokenContext()
    model.answers = [said([MISSED])]
    model.before = lambda asked: ctx.token.cancel() if "第 10 至" in asked else None
    with pytest.raises(Cancelled):
        reflecting_memory.pipeline.reflect(ctx, Line.main(chat))
    assert len(events(reflecting_memory, chat)) == 1
    assert reflecting_memory.pipeline.plan_reflection(Line.main(chat)).blocks[0] == (10, 19)


def test_an_answer_that_was_paid_for_is_not_asked_for_again(reflecting_memory, chat, model, server):
    class Killed(NullContext):
        """Dies when the answer is written down, before it is stored."""

        writes = 0

        @override
        def write(self, unit):
            self.writes += 1
            if self.writes == 2:
                raise Cancelled
            return unit()

    reflecting_memory.knowledge.actors(CTX, Line.main(chat))  # who was there is worked out already
    model.answers = [said([MISSED], [LOG])]
    with pytest.raises(Cancelled):
        reflecting_memory.pipeline.reflect(Killed(), Line.main(chat), (0, 9))
    assert (events(reflecting_memory, chat), len(server.bodies())) == ([], 1)
    report = reflecting_memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert (report.events_added, report.logs_added, report.llm_calls) == (1, 1, 0)
    assert len(server.bodies()) == 1
    reflecting_memory.history.undo(chat)
    assert (
        reflecting_memory.pipeline.reflect(CTX, Line.main(chat), (0, 9)).llm_calls == 1
    )  # taken back: asked anew


def test_messages_that_change_meanwhile_are_asked_about_again(reflecting_memory, chat, model):
    model.answers = [said([MISSED])]
    model.before = lambda _asked: reflecting_memory.messages.edit(
        Line.main(chat), 3, text="他改了主意。"
    )
    report = reflecting_memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert report.failed[0].reason == "the messages changed meanwhile"
    assert report.events_added == 0
    assert reflecting_memory.pipeline.plan_reflection(Line.main(chat)).blocks[0] == (0, 9)


def test_what_forbids_it_is_said(reflecting_memory, chat, open_memory, tmp_path):
    reflecting_memory.settings.set("llm.daily_tokens", 10)
    with pytest.raises(DailyCapReached):
        reflecting_memory.pipeline.reflect(CTX, Line.main(chat))
    reflecting_memory.settings.set("memory.mode", "off")
    with pytest.raises(MemoryOff):
        reflecting_memory.pipeline.reflect(CTX, Line.main(chat))
    other = open_memory(tmp_path / "空")
    found = import_chat(other, tmp_path / "a.jsonl", story_rows(30))
    assert not other.pipeline.plan_reflection(Line.main(found)).has_model
    with pytest.raises(NotConfigured):
        other.pipeline.reflect(CTX, Line.main(found))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (MISSED, MISSED, True),
        (MISSED, "爱丽丝答应了旅人，第四十天会在钟楼下将怀表还给他。", True),
        (MISSED, "爱丽丝答应旅人第四十天在钟楼下等他，一起去看海。", False),
        ("爱丽丝笑了。", "卡尔笑了。", False),
        ("Alice gave Bob the brass key.", "alice GAVE bob the brass key", True),
        ("Alice gave Bob the brass key.", "Alice took the brass key from Carl.", False),
        ("", MISSED, False),
    ],
)
def test_what_tells_of_the_same(one, other, same):
    assert (best_match(one, [other]) is not None) is same


def test_tolerant_reading():
    found = parse_reflection({"logs": [{"owner": "甲", "content": "嗯", "emotions": "怒"}, 3]})
    assert found.logs[0].emotion_tags == ("怒",)
    many = parse_reflection(
        {"logs": [{"owner": "甲", "content": "嗯", "emotions": [*"喜怒哀惧爱恶欲惊疑"]}]}
    )
    assert many.logs[0].emotion_tags == tuple("喜怒哀惧爱恶欲惊"), "eight of them"
    assert (len(found.faults), found.is_usable) == (1, True)
    assert parse_reflection({"events": [], "logs": []}).is_usable
    assert not parse_reflection({"events": "none"}).is_usable


BURNT = "我昨夜把凯尔的信烧掉了，谁也不能知道这件事。"


@pytest.fixture
def two_minds(reflecting_memory, tmp_path):
    """A chat of two characters, each of whom keeps something to herself or himself."""
    rows = [("爱丽丝", "旅人", "凯尔")[n % 3] for n in range(30)]
    told = [(name, f"第{n}句话，关于钟楼。") for n, name in enumerate(rows)]
    chat = import_chat(reflecting_memory, tmp_path / "两人.jsonl", told)
    span = SourceRange(0, 2)
    reflecting_memory.logs.add(Line.main(chat), LogPatch("爱丽丝", BURNT, source_range=span))
    reflecting_memory.logs.add(
        Line.main(chat), LogPatch("凯尔", "我怀疑钟楼下面有人。", source_range=span)
    )
    return chat


def by_mind(server):
    """Request texts by the one who was asked about."""
    texts = [body["messages"][1]["content"] for body in server.bodies()]
    return {
        mind: text
        for text in texts
        for mind in ("爱丽丝", "凯尔")
        if f"日志的角色：{mind}\n" in text
    }


def test_the_logs_of_two_characters_are_never_in_one_request(reflecting_memory, two_minds, server):
    plan = reflecting_memory.pipeline.plan_reflection(Line.main(two_minds), (0, 9))
    assert (len(plan.blocks), plan.requests) == (1, 2)
    report = reflecting_memory.pipeline.reflect(CTX, Line.main(two_minds), (0, 9))
    assert report.llm_calls == plan.requests
    assert plan.prompt_tokens > 2 * 1_200
    asked = by_mind(server)
    assert set(asked) == {"爱丽丝", "凯尔"}
    assert BURNT in asked["爱丽丝"]
    assert BURNT not in asked["凯尔"]
    assert "我怀疑钟楼下面有人" in asked["凯尔"]
    assert "我怀疑钟楼下面有人" not in asked["爱丽丝"]


def test_what_one_may_not_know_is_not_in_the_request_about_another(
    reflecting_memory, two_minds, server
):
    store = reflecting_memory.session.chat(two_minds)
    secret = make_event("爱丽丝在地窖里藏了一封信。", 0, 2, scope="private", owner="爱丽丝")
    with store.step(StepLabel(REFLECT, {"first": 0, "last": 2})):
        store.events.add([secret], 1)
    reflecting_memory.pipeline.reflect(CTX, Line.main(two_minds), (0, 9))
    asked = by_mind(server)
    assert "地窖" in asked["爱丽丝"]
    assert "地窖" not in asked["凯尔"]


def test_what_a_private_log_says_becomes_no_event_and_no_log_of_another(
    reflecting_memory, two_minds, model
):
    repeated = "爱丽丝昨夜把凯尔的信烧掉了，谁也不能知道这件事。"
    stolen = {"owner": "爱丽丝", "content": "他其实在害怕钟楼的影子，我看得出来。"}
    own = {"owner": "爱丽丝", "content": "今晚我要自己下去看一看。"}
    hidden = {"summary": "两人在钟楼下见面。", "details": BURNT}
    first = json.dumps({"events": [{"summary": repeated}, hidden], "logs": [stolen]})
    model.answers = [first, said([MISSED], [own])]
    before = len(logs(reflecting_memory, two_minds))
    asked = []
    model.before = lambda text: asked.append("日志的角色：凯尔\n" in text)
    report = reflecting_memory.pipeline.reflect(CTX, Line.main(two_minds), (0, 9))
    assert asked == [True, False]  # the one who is not asked about first
    assert [e.summary for e in events(reflecting_memory, two_minds)] == [MISSED]
    assert [log.content for log in logs(reflecting_memory, two_minds)][before:] == [own["content"]]
    assert (report.events_added, report.logs_added, report.known) == (1, 1, 3)


def test_answers_about_the_minds_before_are_kept_where_one_fails(
    reflecting_memory, two_minds, model, server
):
    model.answers = [said([MISSED]), "当然可以！"]
    assert reflecting_memory.pipeline.reflect(CTX, Line.main(two_minds), (0, 9)).failed
    assert events(reflecting_memory, two_minds) == []
    report = reflecting_memory.pipeline.reflect(CTX, Line.main(two_minds), (0, 9))
    assert (report.events_added, report.llm_calls) == (1, 1)
    assert len(server.bodies()) == 3


def test_half_an_answer_is_not_stored(reflecting_memory, chat, model):
    model.answers = [said([MISSED], [LOG])[:-60]]
    report = reflecting_memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert "stops in its middle" in str(report.failed[0].reason)
    assert reflecting_memory.pipeline.plan_reflection(Line.main(chat)).blocks[0] == (0, 9)


def test_what_one_answer_tells_twice_becomes_one_event(reflecting_memory, chat, model):
    again = "爱丽丝答应了旅人：第四十天，在钟楼下把怀表还给他"
    model.answers = [said([MISSED, again])]
    report = reflecting_memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert (report.events_added, report.known) == (1, 1)
    assert [event.summary for event in events(reflecting_memory, chat)] == [MISSED]


def test_a_mood_shift_changes_the_state_for_its_reason(reflecting_memory, chat, model):
    line = Line.main(chat)
    reflecting_memory.state.set(line, ("爱丽丝", "信任"), 40)
    model.answers = [said([], [{**LOG, "mood_shift": {"信任": "+5", "警惕": -2}}])]
    reflecting_memory.pipeline.reflect(CTX, line, (0, 9))
    assert reflecting_memory.state.tree(CTX, line, 8) == {}
    history = reflecting_memory.state.history(CTX, line)
    assert history.tree == {"爱丽丝": {"信任": 40, "警惕": -2}}
    told = [entry for entry in history.entries if entry.teller == "reflection"]
    assert {entry.floor for entry in told} == {9}
    assert all(change.reason == LOG["content"] for entry in told for change in entry.changes)
    reflecting_memory.history.undo(chat)
    assert "警惕" not in reflecting_memory.state.history(CTX, line).tree["爱丽丝"]


# Profiles kept by a model: a real server answers, what it says is written as one step.


def answer(body):
    """Say one thing of everybody whose profile is sent."""
    text = body["messages"][-1]["content"]
    asked = [json.loads(line) for line in text.splitlines() if line.startswith('{"name"')]
    rows = [
        {"name": e["name"], "set": {"见过": f"{len(e['profile'])}次", "旧事": None}} for e in asked
    ]
    return json.dumps({"profiles": rows}, ensure_ascii=False)


profile_server = fake_llm(answer)


@pytest.fixture
def profiled(open_memory, profile_server, tmp_path):
    """A consolidated chat of 60 floors, and its library."""
    memory = open_memory(**model_at(profile_server.url))
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(60))
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 59), "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    return memory, chat_id


def test_what_is_new_is_asked_once_and_undone_in_one_step(profiled, profile_server):
    memory, chat_id = profiled
    alice = memory.graph.find_entity(chat_id, "爱丽丝")
    memory.graph.update_entity(chat_id, alice.id, profile={"身份": "老板", "旧事": "无"})
    report = memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    assert (report.failed, report.llm_calls > 0, report.updated > 1) == ((), True, True)
    again = memory.graph.find_entity(chat_id, "爱丽丝")
    assert again.profile == {"身份": "老板", "见过": "2次"}
    assert "见过: 2次" in again.description
    assert (
        memory.pipeline.update_profiles(CTX, Line.main(chat_id)).llm_calls == 0
    )  # nothing new was told
    memory.history.undo(chat_id)
    assert memory.graph.find_entity(chat_id, "爱丽丝").profile == {"身份": "老板", "旧事": "无"}
    assert (
        memory.pipeline.update_profiles(CTX, Line.main(chat_id)).llm_calls > 0
    )  # the cursor went back too
    assert "月光酒馆" in profile_server.seen[-1].body["messages"][-1]["content"]


def test_locked_entities_are_left_alone(profiled):
    memory, chat_id = profiled
    alice = memory.graph.find_entity(chat_id, "爱丽丝")
    memory.graph.update_entity(chat_id, alice.id, profile={"身份": "老板"}, locked=True)
    report = memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    assert alice.id not in report.changes.entities
    assert memory.graph.find_entity(chat_id, "爱丽丝").profile == {"身份": "老板"}


def test_an_answer_that_cannot_be_used_moves_nothing(profiled, profile_server):
    memory, chat_id = profiled
    profile_server.faults = ["garbage"]
    report = memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    assert (report.updated, report.events, report.changes.undo_label) == (0, 0, None)
    assert report.failed
    assert memory.pipeline.update_profiles(CTX, Line.main(chat_id)).updated > 0


def test_what_waits_in_the_buffer_is_left_for_later(profiled, tmp_path):
    memory, chat_id = profiled
    memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    more = write_chat(tmp_path / "more.jsonl", story_rows(90))
    memory.imports.import_file(CTX, more, into=chat_id)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (60, 89), "extractive")
    assert memory.pipeline.update_profiles(CTX, Line.main(chat_id)).events == 0
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    assert memory.pipeline.update_profiles(CTX, Line.main(chat_id)).events > 0


def test_without_a_model_it_says_so(open_memory, tmp_path):
    memory = open_memory()
    chat_id = import_chat(memory, tmp_path / "a.jsonl", story_rows(5))
    with pytest.raises(NotConfigured):
        memory.pipeline.update_profiles(CTX, Line.main(chat_id))


def test_the_messages_themselves_are_read_where_that_is_wanted(profiled, profile_server):
    memory, chat_id = profiled
    memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    said = profile_server.seen[-1].body["messages"][-1]["content"]
    assert "<chat_history>\n—\n</chat_history>" in said
    memory.history.undo(chat_id)
    memory.settings.set("entities.dialogue", True, chat_id)
    before = len(profile_server.seen)
    memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    asked = [seen.body["messages"][-1]["content"] for seen in profile_server.seen[before:]]
    lines = [line for text in asked for line in text.splitlines() if line.startswith("[")]
    assert {f"[{n}]" for n in range(59)} <= {line.split()[0] for line in lines}
    assert len(lines) == len(set(lines))  # each message once


# From the bundled story through a scripted model: every planted fact is kept and recalled.


llm = fake_llm(story_answer)


@pytest.fixture(params=[15, 20, 25])
def story_memory(open_memory, llm, request):
    return open_memory(**{**model_at(llm.url, "fake"), "summary.interval": request.param})


def test_every_fact_becomes_an_event_that_is_recalled_and_nothing_is_asked_twice(story_memory, llm):
    chat = story_memory.imports.import_file(CTX, STORY / "月光酒馆.jsonl").chat_id
    report = story_memory.pipeline.summarise(CTX, Line.main(chat), (0, 10_000), "llm")
    floors, calls = story_memory.messages.count(Line.main(chat)), len(llm.bodies())
    assert report.failed == ()
    assert report.llm_calls == calls
    assert 14 <= floors / calls <= 27
    keys = story_memory.events.find(chat, EventQuery())
    events = list(story_memory.events.fetch(chat, keys).values())
    for fact in FACTS:
        telling = [e for e in events if e.keywords[0] == fact["id"]]
        assert {word for e in telling for word in e.keywords[1:]} == set(fact["keywords"])
        spans = [e.source_range for e in telling]
        for floor in fact["floors"]:
            assert any(s.start_index <= floor <= s.end_index for s in spans), fact["id"]
    lines = [line for body in llm.bodies() for line in shown(body).split("\n\n")]
    assert len(lines) == len(set(lines))  # no message is shown twice
    assert story_memory.pipeline.summarise(CTX, Line.main(chat), (0, 10_000), "llm").llm_calls == 0
    assert len(llm.bodies()) == calls


def test_the_facts_are_recalled_once_archived_and_trimmed(open_memory, llm):
    memory = open_memory(**{**model_at(llm.url, "fake"), "embed.local": "use"})
    chat = memory.imports.import_file(CTX, STORY / "月光酒馆.jsonl").chat_id
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 10_000), "llm")
    memory.pipeline.trim(CTX, Line.main(chat), 300, "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat))
    memory.index.embed_pending(CTX, chat)
    found = 0
    for fact in FACTS:
        hits = memory.recall.ask(CTX, chat, RecallQuery(fact["question"], 5, kinds=("event",))).hits
        refs = [h.item.ref for h in hits]
        keys = memory.events.find(chat, EventQuery(level=0))
        events = memory.events.fetch(chat, keys).values()
        found += any(e.id in refs for e in events if e.keywords[0] == fact["id"])
    assert found >= 0.9 * len(FACTS)
