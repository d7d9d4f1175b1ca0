"""The story so far: every floor told, within the limit, after any number of floors."""

from __future__ import annotations

import json
import re

import pytest

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.outline import cost_of, grouped
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.prompts.macro_scope import told_so_far
from tests.factories import make_event, story_rows, write_chat
from tests.fake_openai import FakeOpenAI

CTX = NullContext()
FLOORS = 1_000
UNRELATED = RecallQuery("。")


def answer(body) -> str:
    """Answer as a model would: an event of a block, an outline of events."""
    said = body["messages"][-1]["content"]
    if "<events>" in said:
        first = re.findall(r"^- \[(\d+)", said, re.MULTILINE)[0]
        told = {"summary": f"自第{first}楼起的大纲。", "keywords": ["大纲"]}
    else:
        floor = re.search(r"^\[(\d+)\]", said, re.MULTILINE)
        told = {"summary": f"第{floor[1] if floor else 0}楼起的事：爱丽丝保管铜钥匙。" * 2}
    return json.dumps({"events": [told]}, ensure_ascii=False)


@pytest.fixture
def llm():
    with FakeOpenAI(answer=answer) as server:
        yield server


def long_chat(memory, tmp_path, floors=FLOORS):
    file = write_chat(tmp_path / "长篇.jsonl", story_rows(floors))
    return memory.imports.import_file(CTX, file).chat_id


def told(memory, chat, **options):
    store, settings = memory.session.chat(chat), memory.settings.read(chat)
    return told_so_far(store, "main", settings.visible_tokens, settings.visible_newest, **options)


def floors_of(events):
    return {
        n for e in events for n in range(e.source_range.start_index, e.source_range.end_index + 1)
    }


def told_floors(text):
    """Floors that the lines of an injection name."""
    spans = re.findall(r"第(\d+)(?:–(\d+))?楼", text)
    return {n for a, b in spans for n in range(int(a), int(b or a) + 1)}


def leaves(memory, chat, event):
    """Level-0 events below an event."""
    parts = memory.session.chat(chat).outlines.children(event.id)
    return [event] if event.level == 0 else [x for p in parts for x in leaves(memory, chat, p)]


def test_after_a_thousand_floors_by_themselves_everything_is_told_without_a_key(memory, tmp_path):
    chat = long_chat(memory, tmp_path)
    report = memory.automation.run(CTX, Line.main(chat), consent=True)
    assert report.outlines > 0
    limit = memory.settings.read(chat).visible_tokens
    events = told(memory, chat)
    settled = FLOORS - memory.settings.read(chat).summary_newest
    assert floors_of(events) >= set(range(settled - 24))
    assert cost_of(events) <= limit
    newest = sorted(
        memory.events.fetch(chat, memory.events.find(chat, EventQuery(level=0))).values(),
        key=lambda e: e.source_range,
    )[-memory.settings.read(chat).visible_newest :]
    assert {e.id for e in newest} <= {e.id for e in events}
    made = memory.inject.compose(CTX, chat, UNRELATED)
    assert told_floors(made.sections["summaries"]) >= floors_of(events)
    assert estimate_tokens(made.sections["summaries"]) <= limit
    # every part is reachable down to what it was made of
    below = [leaf for event in events for leaf in leaves(memory, chat, event)]
    assert (
        len(below)
        == len({e.id for e in below})
        == memory.events.counts(Line.main(chat)).archived + len([e for e in events if e.level == 0])
    )


def test_a_model_is_asked_once_for_each_outline(open_memory, llm, tmp_path):
    memory = open_memory(**{"llm.base_url": llm.url, "llm.model": "fake", "review.enabled": False})
    chat = long_chat(memory, tmp_path, 600)
    memory.automation.run(CTX, Line.main(chat), consent=True)
    asked = [b for b in llm.bodies() if "<events>" in b["messages"][-1]["content"]]
    outlines = memory.events.fetch(chat, memory.events.find(chat, EventQuery(level=1)))
    assert len(asked) == len(outlines) > 0
    assert {e.extractor for e in outlines.values()} == {"llm"}
    listed = [line for b in asked for line in b["messages"][-1]["content"].splitlines()]
    lines = [line for line in listed if line.startswith("- [")]
    assert len(lines) == len(set(lines))  # no event is merged twice
    before = len(llm.bodies())
    memory.automation.run(CTX, Line.main(chat), consent=True)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    memory.pipeline.trim(CTX, Line.main(chat), with_untold=True)
    asked_again = [
        line
        for b in llm.bodies()[before:]
        for line in b["messages"][-1]["content"].splitlines()
        if line in lines
    ]
    assert asked_again == []


def test_a_model_that_fails_leaves_no_hole(open_memory, llm, tmp_path):
    memory = open_memory(**{"llm.base_url": llm.url, "llm.model": "fake"})
    chat = long_chat(memory, tmp_path, 200)
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 199), "extractive")
    llm.answer = lambda body: "I would rather not."
    plan = memory.pipeline.plan_consolidation(Line.main(chat))
    assert (plan.outlines, plan.llm_calls > 0, plan.model) == (
        len(grouped(memory.session.chat(chat).events.buffer())),
        True,
        "fake",
    )
    report = memory.pipeline.consolidate(CTX, Line.main(chat))
    assert report.outlines == plan.outlines
    assert "without the model" in report.failed[0]
    assert floors_of(told(memory, chat)) >= set(range(195))
    memory.history.undo(chat)
    assert memory.events.counts(Line.main(chat)).outlines == 0


def test_a_library_consolidated_before_is_told_by_one_action(open_memory, llm, tmp_path):
    memory = open_memory(**{"llm.base_url": llm.url, "llm.model": "fake"})
    chat = long_chat(memory, tmp_path, 400)
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 399), "extractive")
    before = memory.events.find(chat, EventQuery())
    memory.events.set_archived(CTX, chat, list(before), archived=True)
    assert told(memory, chat) == []
    assert memory.events.always_visible(Line.main(chat)).untold == len(before)
    plan = memory.pipeline.plan_trim(Line.main(chat))
    assert plan.untold == len(before)
    assert plan.llm_calls == plan.outlines == len(grouped(list(before_events(memory, chat))))
    assert llm.bodies() == []  # saying what it costs asks nothing
    report = memory.pipeline.trim(CTX, Line.main(chat), with_untold=True)
    assert (report.llm_calls, report.outlines) == (plan.llm_calls, plan.outlines)
    assert floors_of(told(memory, chat)) >= set(range(395))
    assert memory.events.always_visible(Line.main(chat)).untold == 0
    assert memory.pipeline.plan_trim(Line.main(chat)).llm_calls == 0
    memory.history.undo(chat)
    assert memory.events.always_visible(Line.main(chat)).untold == len(before)


def before_events(memory, chat):
    return memory.events.fetch(chat, memory.events.find(chat, EventQuery(level=0))).values()


def test_outlines_may_be_had_without_a_request(open_memory, llm, tmp_path):
    memory = open_memory(
        **{"llm.base_url": llm.url, "llm.model": "fake", "outline.extractor": "extractive"}
    )
    chat = long_chat(memory, tmp_path, 200)
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 199), "extractive")
    assert memory.pipeline.plan_consolidation(Line.main(chat)).llm_calls == 0
    assert memory.pipeline.consolidate(CTX, Line.main(chat)).outlines > 0
    assert llm.bodies() == []


def test_what_not_everybody_may_know_or_is_muted_is_in_no_outline(memory, tmp_path):
    chat = long_chat(memory, tmp_path, 60)
    store = memory.session.chat(chat)
    secret = make_event("爱丽丝藏起了第二把钥匙。", 0, 9, scope="private", owner="爱丽丝")
    plain = [make_event(f"第{n}件事。", n * 10, n * 10 + 9) for n in range(4)]
    with store.database.writing():
        store.events.add([secret, *plain], 1)
    memory.recall.set_muted(chat, [plain[1].id], muted=True)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    (outline,) = store.events.visible()
    assert "第二把钥匙" not in outline.summary
    assert "第1件事" not in outline.summary
    assert [e.summary for e in store.outlines.children(outline.id)] == [
        "第0件事。", "第2件事。", "第3件事。",
    ]  # fmt: skip
    memory.recall.set_muted(chat, [plain[2].id], muted=True)
    assert "第2件事" not in "".join(e.summary for e in told(memory, chat) if e.level == 0)


def test_a_changed_message_leaves_what_still_stands(memory, tmp_path):
    chat = long_chat(memory, tmp_path, 60)
    store = memory.session.chat(chat)
    with store.database.writing():
        store.events.add([make_event(f"第{n}件事。", n * 10, n * 10 + 9) for n in range(6)], 1)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    memory.settings.set("visible.newest", 0, chat)
    assert [e.level for e in told(memory, chat)] == [1]
    memory.messages.edit(Line.main(chat), 25, "完全不同的一句。")
    assert [e.summary for e in told(memory, chat)] == [f"第{n}件事。" for n in (0, 1, 3, 4, 5)]
    text = memory.inject.compose(CTX, chat, RecallQuery("第2件事")).sections["summaries"]
    assert "第2件事" not in text
    plan = memory.automation.plan(Line.main(chat))
    assert plan.mend
    memory.automation.run(CTX, Line.main(chat), consent=True)
    assert not memory.automation.plan(Line.main(chat)).mend
    assert not any(e.is_stale for e in told(memory, chat))


def test_up_to_a_floor_an_outline_is_told_by_its_parts(memory, tmp_path):
    chat = long_chat(memory, tmp_path, 60)
    store = memory.session.chat(chat)
    with store.database.writing():
        store.events.add([make_event(f"第{n}件事。", n * 10, n * 10 + 9) for n in range(6)], 1)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    assert [e.summary for e in told(memory, chat, until=29)] == [f"第{n}件事。" for n in range(3)]
    fork, _changes = memory.branches.fork(Line.main(chat), at=29)
    seen = told_so_far(store, fork, 4096, 0)
    assert [e.summary for e in seen] == [f"第{n}件事。" for n in range(3)]
    assert memory.events.always_visible(Line(chat, fork)).tokens == cost_of(
        store.events.visible(fork)
    )


def test_over_the_limit_the_text_is_shorter_and_nothing_is_stored(memory, tmp_path):
    chat = long_chat(memory, tmp_path, 800)
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 799), "extractive")
    limit = 1_200
    memory.settings.set("visible.tokens", limit, chat)
    assert cost_of(memory.session.chat(chat).events.visible()) > limit
    events = told(memory, chat)
    assert cost_of(events) <= limit
    assert floors_of(events) >= set(range(795))
    assert events == told(memory, chat)
    assert memory.events.counts(Line.main(chat)).outlines == 0


def test_a_deleted_outline_leaves_its_parts_untold_not_lost(memory, tmp_path):
    chat = long_chat(memory, tmp_path, 100)
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 99), "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat))
    outlines = list(memory.events.find(chat, EventQuery(level=1)))
    untold = memory.events.counts(Line.main(chat)).archived
    memory.events.delete(CTX, chat, outlines)
    assert memory.events.always_visible(Line.main(chat)).untold == untold
    memory.pipeline.trim(CTX, Line.main(chat), with_untold=True)
    assert floors_of(told(memory, chat)) >= set(range(95))


def test_a_deleted_event_is_told_by_no_outline(memory, tmp_path):
    chat = long_chat(memory, tmp_path, 60)
    store = memory.session.chat(chat)
    with store.database.writing():
        store.events.add([make_event(f"第{n}件事。", n * 10, n * 10 + 9) for n in range(6)], 1)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    memory.settings.set("visible.newest", 0, chat)
    second = memory.events.find(chat, EventQuery(level=0))[1]
    memory.events.delete(CTX, chat, [second])
    assert [e.summary for e in told(memory, chat)] == [f"第{n}件事。" for n in (0, 2, 3, 4, 5)]
    memory.history.undo(chat)
    assert [e.level for e in told(memory, chat)] == [1]
