"""Looking back: what was missed, and what characters keep to themselves."""

from __future__ import annotations

import json

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import DailyCapReached, MemoryOff, NotConfigured
from engram_desktop.domain.labels import REFLECT, StepLabel
from engram_desktop.domain.memory.event import EventQuery, LogPatch, LogQuery, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.reflection import best_match, parse_reflection
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import Cancelled, NullContext
from tests.contexts import TokenContext
from tests.factories import make_event, story_rows, write_chat
from tests.fake_openai import FakeOpenAI

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
def server(model):
    with FakeOpenAI(answer=model) as fake:
        yield fake


@pytest.fixture
def memory(open_memory, server):
    environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "usual"}
    return open_memory(environ=environ, **{"summary.interval": 10})


@pytest.fixture
def chat(memory, tmp_path):
    return memory.imports.import_file(
        CTX, write_chat(tmp_path / "故事.jsonl", story_rows(40))
    ).chat_id


def logs(memory, chat):
    keys = memory.logs.find(chat, LogQuery())
    return list(memory.logs.fetch(chat, keys).values())


def events(memory, chat):
    keys = memory.events.find(chat, EventQuery())
    return [memory.events.fetch(chat, keys)[key] for key in keys]


def test_blocks_since_the_last_time_become_events_and_logs(memory, chat, model, server):
    model.answers = [said([MISSED], [LOG]), said(), said()]
    plan = memory.pipeline.plan_reflection(Line.main(chat))
    assert plan.blocks == ((0, 9), (10, 19), (20, 29))  # the newest ten are left alone
    assert plan.prompt_tokens > 100
    report = memory.pipeline.reflect(CTX, Line.main(chat))
    assert (report.events_added, report.logs_added, report.floors) == (1, 1, 30)
    assert (report.llm_calls, report.failed) == (3, ())
    (event,) = events(memory, chat)
    assert (event.summary, event.extractor, event.status) == (MISSED, "llm", "buffer")
    assert (event.source_range.start_index, event.source_range.end_index) == (0, 9)
    (log,) = logs(memory, chat)
    assert (log.owner, log.emotion_tags) == ("爱丽丝", ("安心", "期待"))
    assert (log.scope, log.extractor, log.confidence) == ("private", "llm", "model")
    assert log.linked_event_id == event.id
    assert memory.pipeline.reflect(CTX, Line.main(chat)).floors == 0
    assert len(server.bodies()) == 3  # nothing is asked twice
    assert "怀表" in memory.inject.compose(CTX, chat, RecallQuery("怀表", actor="爱丽丝")).text


def test_each_block_is_one_step_that_can_be_taken_back(memory, chat, model):
    model.answers = [said([MISSED], [LOG]), said(["旅人把地图画在桌布上，交给了老板娘。"])]
    memory.pipeline.reflect(CTX, Line.main(chat), (0, 19))
    assert "Look back on floors 10–19" in str(memory.history.steps(chat)[0].label)
    memory.history.undo(chat)
    assert [e.summary for e in events(memory, chat)] == [MISSED]
    assert memory.pipeline.plan_reflection(Line.main(chat)).blocks[0][0] == 10
    memory.history.undo(chat)
    assert (events(memory, chat), logs(memory, chat)) == ([], [])
    assert memory.pipeline.plan_reflection(Line.main(chat)).blocks[0][0] == 0
    memory.history.redo(chat)
    assert logs(memory, chat)[0].content == LOG["content"]
    assert memory.pipeline.plan_reflection(Line.main(chat)).blocks[0][0] == 10


def test_what_is_known_is_asked_not_to_be_told_and_left_out_all_the_same(memory, chat, model):
    other = {**LOG, "content": "他竟然还记得那块怀表，也许我可以再信他一次！"}
    model.answers = [said([MISSED], [LOG])]
    memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    again = "爱丽丝答应了旅人：第四十天，在钟楼下把怀表还给他"
    model.answers = [said([again, MISSED, "卡尔烧掉了旅人写给姐姐的那封信。"], [LOG, other])]
    report = memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert (report.events_added, report.logs_added, report.known) == (1, 0, 4)
    asked = model.body["messages"][1]["content"]
    assert f"- {MISSED}" in asked
    assert f"- 爱丽丝: {LOG['content']}" in asked


def test_nobody_but_a_character_of_the_story_gets_a_log(memory, chat, model):
    rows = [{**LOG, "owner": name} for name in ("旅人", "路人", " 爱丽丝 ")]
    model.answers = [said([], rows)]
    report = memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert (report.logs_added, report.known) == (1, 2)
    assert "可以记日志的角色：爱丽丝\n" in model.body["messages"][1]["content"]


@pytest.mark.parametrize("answer", ["当然可以！", "{}", '{"events": 3}', "[1]", '{"logs": [{}]}'])
def test_an_unreadable_answer_keeps_the_cursor_and_is_shown(memory, chat, model, answer):
    model.answers = [said([MISSED]), answer]
    report = memory.pipeline.reflect(CTX, Line.main(chat))
    assert (report.floors, report.events_added) == (10, 1)
    (failed,) = report.failed
    assert (failed.start_index, failed.end_index, failed.raw) == (10, 19, answer)
    assert memory.pipeline.plan_reflection(Line.main(chat)).blocks == ((10, 19), (20, 29))


def test_floors_that_are_not_summarised_yet_are_left_for_later(memory, chat):
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 19), "extractive")
    assert memory.pipeline.plan_reflection(Line.main(chat)).blocks == ((0, 9), (10, 19))


def test_a_range_behind_a_gap_does_not_move_the_cursor(memory, chat):
    memory.pipeline.reflect(CTX, Line.main(chat), (20, 29))
    assert memory.pipeline.plan_reflection(Line.main(chat)).blocks[0] == (0, 9)


def test_a_branch_goes_on_where_its_parent_was(memory, chat):
    memory.pipeline.reflect(CTX, Line.main(chat), (0, 29))
    branch, _changes = memory.branches.fork(Line.main(chat), at=24, name="另一条")
    assert memory.pipeline.plan_reflection(Line(chat, branch)).blocks == ()
    assert memory.pipeline.plan_reflection(Line(chat, branch), (0, 24)).blocks[-1][1] == 24


def test_cancelling_keeps_what_was_finished(memory, chat, model):
    ctx = TokenContext()
    model.answers = [said([MISSED])]
    model.before = lambda asked: ctx.token.cancel() if "第 10 至" in asked else None
    with pytest.raises(Cancelled):
        memory.pipeline.reflect(ctx, Line.main(chat))
    assert len(events(memory, chat)) == 1
    assert memory.pipeline.plan_reflection(Line.main(chat)).blocks[0] == (10, 19)


def test_an_answer_that_was_paid_for_is_not_asked_for_again(memory, chat, model, server):
    class Killed(NullContext):
        """Dies when the answer is written down, before it is stored."""

        writes = 0

        @override
        def write(self, unit):
            self.writes += 1
            if self.writes == 2:
                raise Cancelled
            return unit()

    memory.knowledge.actors(CTX, Line.main(chat))  # who was there is worked out already
    model.answers = [said([MISSED], [LOG])]
    with pytest.raises(Cancelled):
        memory.pipeline.reflect(Killed(), Line.main(chat), (0, 9))
    assert (events(memory, chat), len(server.bodies())) == ([], 1)
    report = memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert (report.events_added, report.logs_added, report.llm_calls) == (1, 1, 0)
    assert len(server.bodies()) == 1
    memory.history.undo(chat)
    assert (
        memory.pipeline.reflect(CTX, Line.main(chat), (0, 9)).llm_calls == 1
    )  # taken back: asked anew


def test_messages_that_change_meanwhile_are_asked_about_again(memory, chat, model):
    model.answers = [said([MISSED])]
    model.before = lambda _asked: memory.messages.edit(Line.main(chat), 3, text="他改了主意。")
    report = memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert report.failed[0].reason == "the messages changed meanwhile"
    assert report.events_added == 0
    assert memory.pipeline.plan_reflection(Line.main(chat)).blocks[0] == (0, 9)


def test_what_forbids_it_is_said(memory, chat, open_memory, tmp_path):
    memory.settings.set("llm.daily_tokens", 10)
    with pytest.raises(DailyCapReached):
        memory.pipeline.reflect(CTX, Line.main(chat))
    memory.settings.set("memory.mode", "off")
    with pytest.raises(MemoryOff):
        memory.pipeline.reflect(CTX, Line.main(chat))
    other = open_memory(tmp_path / "空")
    found = other.imports.import_file(CTX, write_chat(tmp_path / "a.jsonl", story_rows(30))).chat_id
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
    assert (len(found.faults), found.is_usable) == (1, True)
    assert parse_reflection({"events": [], "logs": []}).is_usable
    assert not parse_reflection({"events": "none"}).is_usable


BURNT = "我昨夜把凯尔的信烧掉了，谁也不能知道这件事。"


@pytest.fixture
def two_minds(memory, tmp_path):
    """A chat of two characters, each of whom keeps something to herself or himself."""
    rows = [("爱丽丝", "旅人", "凯尔")[n % 3] for n in range(30)]
    told = [(name, f"第{n}句话，关于钟楼。") for n, name in enumerate(rows)]
    chat = memory.imports.import_file(CTX, write_chat(tmp_path / "两人.jsonl", told)).chat_id
    span = SourceRange(0, 2)
    memory.logs.add(Line.main(chat), LogPatch("爱丽丝", BURNT, source_range=span))
    memory.logs.add(Line.main(chat), LogPatch("凯尔", "我怀疑钟楼下面有人。", source_range=span))
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


def test_the_logs_of_two_characters_are_never_in_one_request(memory, two_minds, server):
    plan = memory.pipeline.plan_reflection(Line.main(two_minds), (0, 9))
    assert (len(plan.blocks), plan.requests) == (1, 2)
    report = memory.pipeline.reflect(CTX, Line.main(two_minds), (0, 9))
    assert report.llm_calls == plan.requests
    assert plan.prompt_tokens > 2 * 1_200
    asked = by_mind(server)
    assert set(asked) == {"爱丽丝", "凯尔"}
    assert BURNT in asked["爱丽丝"]
    assert BURNT not in asked["凯尔"]
    assert "我怀疑钟楼下面有人" in asked["凯尔"]
    assert "我怀疑钟楼下面有人" not in asked["爱丽丝"]


def test_what_one_may_not_know_is_not_in_the_request_about_another(memory, two_minds, server):
    store = memory.session.chat(two_minds)
    secret = make_event("爱丽丝在地窖里藏了一封信。", 0, 2, scope="private", owner="爱丽丝")
    with store.step(StepLabel(REFLECT, {"first": 0, "last": 2})):
        store.events.add([secret], 1)
    memory.pipeline.reflect(CTX, Line.main(two_minds), (0, 9))
    asked = by_mind(server)
    assert "地窖" in asked["爱丽丝"]
    assert "地窖" not in asked["凯尔"]


def test_what_a_private_log_says_becomes_no_event_and_no_log_of_another(memory, two_minds, model):
    repeated = "爱丽丝昨夜把凯尔的信烧掉了，谁也不能知道这件事。"
    stolen = {"owner": "爱丽丝", "content": "他其实在害怕钟楼的影子，我看得出来。"}
    own = {"owner": "爱丽丝", "content": "今晚我要自己下去看一看。"}
    hidden = {"summary": "两人在钟楼下见面。", "details": BURNT}
    first = json.dumps({"events": [{"summary": repeated}, hidden], "logs": [stolen]})
    model.answers = [first, said([MISSED], [own])]
    before = len(logs(memory, two_minds))
    asked = []
    model.before = lambda text: asked.append("日志的角色：凯尔\n" in text)
    report = memory.pipeline.reflect(CTX, Line.main(two_minds), (0, 9))
    assert asked == [True, False]  # the one who is not asked about first
    assert [e.summary for e in events(memory, two_minds)] == [MISSED]
    assert [log.content for log in logs(memory, two_minds)][before:] == [own["content"]]
    assert (report.events_added, report.logs_added, report.known) == (1, 1, 3)


def test_answers_about_the_minds_before_are_kept_where_one_fails(memory, two_minds, model, server):
    model.answers = [said([MISSED]), "当然可以！"]
    assert memory.pipeline.reflect(CTX, Line.main(two_minds), (0, 9)).failed
    assert events(memory, two_minds) == []
    report = memory.pipeline.reflect(CTX, Line.main(two_minds), (0, 9))
    assert (report.events_added, report.llm_calls) == (1, 1)
    assert len(server.bodies()) == 3


def test_half_an_answer_is_not_stored(memory, chat, model):
    model.answers = [said([MISSED], [LOG])[:-60]]
    report = memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert "stops in its middle" in str(report.failed[0].reason)
    assert memory.pipeline.plan_reflection(Line.main(chat)).blocks[0] == (0, 9)


def test_what_one_answer_tells_twice_becomes_one_event(memory, chat, model):
    again = "爱丽丝答应了旅人：第四十天，在钟楼下把怀表还给他"
    model.answers = [said([MISSED, again])]
    report = memory.pipeline.reflect(CTX, Line.main(chat), (0, 9))
    assert (report.events_added, report.known) == (1, 1)
    assert [event.summary for event in events(memory, chat)] == [MISSED]


def test_a_mood_shift_changes_the_state_for_its_reason(memory, chat, model):
    line = Line.main(chat)
    memory.state.set(line, ("爱丽丝", "信任"), 40)
    model.answers = [said([], [{**LOG, "mood_shift": {"信任": "+5", "警惕": -2}}])]
    memory.pipeline.reflect(CTX, line, (0, 9))
    assert memory.state.tree(CTX, line, 8) == {}
    history = memory.state.history(CTX, line)
    assert history.tree == {"爱丽丝": {"信任": 40, "警惕": -2}}
    told = [entry for entry in history.entries if entry.teller == "reflection"]
    assert {entry.floor for entry in told} == {9}
    assert all(change.reason == LOG["content"] for entry in told for change in entry.changes)
    memory.history.undo(chat)
    assert "警惕" not in memory.state.history(CTX, line).tree["爱丽丝"]
