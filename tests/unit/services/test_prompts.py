"""Prompts: the story so far, the user's own, their fields."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import replace

import pytest

from engram_desktop.domain.errors import BadAnswer, BadEndpoint, InputError, NotFound
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.extraction import json_schema, parse_extraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline import reflection
from engram_desktop.domain.pipeline.outline import cost_of, grouped
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    TASKS,
    ModelOverride,
    PromptTask,
)
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.services.prompts.macro_scope import summary_events
from tests.factories import import_chat, make_event, model_at, script_json, story_rows
from tests.fake_openai import FakeOpenAI
from tests.fixtures import fake_llm
from tests.stored import stored_events

# The story so far: every floor told, within the limit, after any number of floors.

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


llm = fake_llm(answer)


def long_chat(memory, tmp_path, floors=FLOORS):
    return import_chat(memory, tmp_path / "长篇.jsonl", story_rows(floors))


def told(memory, chat, **options):
    store, settings = memory.session.chat(chat), memory.settings.read(chat)
    return summary_events(
        store, "main", settings.visible_tokens, settings.visible_newest, **options
    )


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
        stored_events(memory, chat, level=0).values(),
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
    memory = open_memory(**{**model_at(llm.url, "fake"), "review.enabled": False})
    chat = long_chat(memory, tmp_path, 600)
    memory.automation.run(CTX, Line.main(chat), consent=True)
    asked = [b for b in llm.bodies() if "<events>" in b["messages"][-1]["content"]]
    outlines = stored_events(memory, chat, level=1)
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
    memory = open_memory(**model_at(llm.url, "fake"))
    chat = long_chat(memory, tmp_path, 200)
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 199), "extractive")
    llm.answer = lambda body: "I would rather not."
    plan = memory.pipeline.plan_consolidation(Line.main(chat))
    assert (plan.outlines > 0, plan.llm_calls > 0, plan.model) == (True, True, "fake")
    report = memory.pipeline.consolidate(CTX, Line.main(chat))
    assert report.outlines == plan.outlines
    assert "without the model" in report.failed[0]
    assert floors_of(told(memory, chat)) >= set(range(195))
    memory.history.undo(chat)
    assert memory.events.counts(Line.main(chat)).outlines == 0


def test_a_library_consolidated_before_is_told_by_one_action(open_memory, llm, tmp_path):
    memory = open_memory(**model_at(llm.url, "fake"))
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
    return stored_events(memory, chat, level=0).values()


def test_outlines_may_be_had_without_a_request(open_memory, llm, tmp_path):
    memory = open_memory(**{**model_at(llm.url, "fake"), "outline.extractor": "extractive"})
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


def outlined_chat(memory, tmp_path):
    """A chat of 60 floors and six events, which one outline tells of."""
    chat = long_chat(memory, tmp_path, 60)
    store = memory.session.chat(chat)
    with store.database.writing():
        store.events.add([make_event(f"第{n}件事。", n * 10, n * 10 + 9) for n in range(6)], 1)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    return chat


def test_a_changed_message_leaves_what_still_stands(memory, tmp_path):
    chat = outlined_chat(memory, tmp_path)
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
    chat = outlined_chat(memory, tmp_path)
    store = memory.session.chat(chat)
    assert [e.summary for e in told(memory, chat, until=29)] == [f"第{n}件事。" for n in range(3)]
    fork, _changes = memory.branches.fork(Line.main(chat), at=29)
    seen = summary_events(store, fork, 4096, 0)
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
    chat = outlined_chat(memory, tmp_path)
    memory.settings.set("visible.newest", 0, chat)
    second = memory.events.find(chat, EventQuery(level=0))[1]
    memory.events.delete(CTX, chat, [second])
    assert [e.summary for e in told(memory, chat)] == [f"第{n}件事。" for n in (0, 2, 3, 4, 5)]
    memory.history.undo(chat)
    assert [e.level for e in told(memory, chat)] == [1]


# Prompts of the user's: used, compared, taken back, and shown exactly as they are sent.


def prompt_answer(_body):
    return json.dumps({"events": [{"summary": "爱丽丝把钥匙交给旅人。"}]}, ensure_ascii=False)


server = fake_llm(prompt_answer)


@pytest.fixture
def prompt_memory(open_memory, server):
    environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "usual"}
    return open_memory(environ={**environ, "ENGRAM_LLM_API_KEY": "sk-secret-secret"})


@pytest.fixture
def chat(prompt_memory, tmp_path):
    return import_chat(prompt_memory, tmp_path / "故事.jsonl", story_rows(30))


def test_every_built_in_prompt_is_whole(prompt_memory):
    rows = prompt_memory.prompts.all()
    assert len(rows) == len(TASKS) * len(LANGUAGES)
    assert not any(row.is_own or row.unknown for row in rows)
    assert all(row.template.system and row.template.user for row in rows)


def run(memory, chat, task):
    """Let a task send its next request."""
    match task:
        case "summary":
            memory.pipeline.summarise(CTX, Line.main(chat), None, "llm")
        case "trim":
            memory.pipeline.trim(CTX, Line.main(chat), 20, "llm")
        case "entity":
            memory.pipeline.update_profiles(CTX, Line.main(chat))
        case "reflect":
            memory.pipeline.reflect(CTX, Line.main(chat))
        case "expand":
            memory.recall.ask(CTX, chat, RecallQuery(story_rows(60)[59][1]), expanded=True)
        case "triage":
            with contextlib.suppress(BadAnswer):
                memory.inject.triage(CTX, Line.main(chat), story_rows(60)[59][1])


@pytest.mark.parametrize("is_own", [False, True])
@pytest.mark.parametrize("task", TASKS)
def test_the_preview_is_the_request_that_is_sent(open_memory, server, tmp_path, task, is_own):
    environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "usual"}
    settings = {"native.ejs": is_own, "llm.parallel": 1, "summary.interval": 5}
    memory = open_memory(environ=environ, **settings)
    chat = import_chat(memory, tmp_path / "故事.jsonl", story_rows(60))
    if task != "summary":
        memory.pipeline.summarise(CTX, Line.main(chat), (0, 49), "extractive")
    if task == "entity":
        memory.pipeline.consolidate(CTX, Line.main(chat))
    if is_own:
        more = "<%- user %>{{random::a::b}}{{worldbookContext}}{{engramSummaries}}{{chatHistory}}"
        template = memory.prompts.find(task, "zh").template
        memory.prompts.save(replace(template, user=template.user + more, output="text"))
    before = len(server.bodies())
    previewed = memory.pipeline.preview_prompt(Line.main(chat), task)
    assert len(server.bodies()) == before
    run(memory, chat, task)
    sent = server.bodies()[before]
    assert [(m["role"], m["content"]) for m in sent["messages"]] == list(previewed.messages)
    assert (previewed.model, previewed.url) == (sent["model"], server.url)
    assert ("response_format" in sent) is not is_own
    assert previewed.tokens > 100


def test_a_prompt_of_the_users_is_used_and_makes_another_request(prompt_memory, chat, server):
    before = prompt_memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 4))
    own = replace(
        prompt_memory.prompts.find("summary", "zh").template,
        user="{{user}}问：{{chatHistory}}{{nobody}}{{random::a::b}}",
        output="text",
    )
    tried = prompt_memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 4), template=own)
    assert tried.unknown == ("nobody",)
    assert prompt_memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 4)) == before
    prompt_memory.prompts.save(own)
    after = prompt_memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 4))
    assert after == tried
    assert after == prompt_memory.pipeline.preview_prompt(
        Line.main(chat), "summary", (0, 4)
    )  # chance is the same each time
    assert prompt_memory.prompts.find("summary", "zh").is_own
    assert "-请整理下面" in prompt_memory.prompts.difference("summary", "zh")
    prompt_memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), "llm")
    assert "response_format" not in server.seen[-1].body
    prompt_memory.prompts.reset("summary", "zh")
    assert prompt_memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 4)) == before
    assert prompt_memory.prompts.difference("summary", "zh") == ""


def test_saving_what_is_built_in_keeps_nothing(prompt_memory):
    prompt_memory.prompts.save(prompt_memory.prompts.find("trim", "en").template)
    assert not prompt_memory.prompts.find("trim", "en").is_own


def test_another_model_is_asked_for_one_task_and_gets_no_foreign_key(prompt_memory, chat, server):
    prompt_memory.prompts.set_model("summary", ModelOverride(model="small"))
    prompt_memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), "llm")
    assert server.seen[-1].body["model"] == "small"
    assert "sk-secret-secret" in str(server.seen[-1].headers)
    with FakeOpenAI(answer=prompt_answer) as other:
        prompt_memory.prompts.set_model("summary", ModelOverride(other.url, "local"))
        prompt_memory.pipeline.summarise(CTX, Line.main(chat), (5, 9), "llm")
        assert other.seen[-1].body["model"] == "local"
        assert "sk-secret-secret" not in str(other.seen[-1].headers)
    prompt_memory.prompts.set_model("summary", ModelOverride())
    assert prompt_memory.pipeline.preview_prompt(Line.main(chat), "summary").model == "usual"


def test_every_task_can_be_previewed(prompt_memory, chat):
    with pytest.raises(InputError, match="summarise them first"):
        prompt_memory.pipeline.preview_prompt(Line.main(chat), "trim")
    prompt_memory.pipeline.summarise(CTX, Line.main(chat), (0, 29), "extractive")
    for task in TASKS:
        found = prompt_memory.pipeline.preview_prompt(Line.main(chat), task, (0, 29))
        assert [role for role, _text in found.messages] == ["system", "user"]
        assert "{{" not in found.messages[1][1]
        assert found.unknown == ()


def test_what_cannot_be_a_prompt_is_refused(prompt_memory):
    template = prompt_memory.prompts.find("summary", "zh").template
    for bad in (replace(template, user=" "), replace(template, system="x" * 200_001)):
        with pytest.raises(InputError):
            prompt_memory.prompts.save(bad)
    with pytest.raises(NotFound):
        prompt_memory.prompts.find("summary", "fr")
    with pytest.raises(NotFound):
        prompt_memory.prompts.reset("nothing", "zh")
    with pytest.raises(BadEndpoint):
        prompt_memory.prompts.set_model("summary", ModelOverride("not a url", ""))


def test_worldbooks_are_held_against_the_block_only_if_the_prompt_asks(
    prompt_memory, chat, tmp_path
):
    entries = {
        "0": {"uid": 0, "key": ["钥匙"], "content": "铜钥匙能开钟楼。"},
        "1": {"uid": 1, "key": ["没有这个词"], "content": "不相干。"},
    }
    path = tmp_path / "设定.json"
    path.write_text(json.dumps({"entries": entries}, ensure_ascii=False), "utf-8")
    prompt_memory.imports.import_file(CTX, path)
    prompt_memory.worldbooks.set_global(prompt_memory.worldbooks.all()[0].id, is_global=True)
    assert "开钟楼" not in str(
        prompt_memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 9))
    )
    template = prompt_memory.prompts.find("summary", "zh").template
    own = replace(template, user="设定：{{worldbookContext}}。" + template.user)
    told = prompt_memory.pipeline.preview_prompt(
        Line.main(chat), "summary", (0, 9), template=own
    ).messages[1][1]
    assert told.startswith("设定：铜钥匙能开钟楼。。")
    assert "不相干" not in told
    prompt_memory.prompts.save(own)
    prompt_memory.pipeline.summarise(
        CTX, Line.main(chat), (0, 9), "llm"
    )  # asked for while requests are under way


def test_scripts_run_before_a_model_is_asked(prompt_memory, chat, server, tmp_path):
    path = tmp_path / "regex.json"
    path.write_text(script_json("/铜/g", "银"), "utf-8")
    prompt_memory.imports.import_file(CTX, path)
    prompt_memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), "llm")
    sent = server.seen[-1].body["messages"][1]["content"]
    assert "银" in sent
    assert "铜" not in sent


# A model that is given no schema can still know the names of every field it is to fill.

SCHEMA_LANGUAGES = ("zh", "en")
NOT_ASKED = {"trim": {"structured_kv", "kind"}, "reflect": {"structured_kv", "kind"}}
INSIDE_KV = {"time_anchor", "role", "event", "logic", "causality"}


def system(task: PromptTask, language: str) -> str:
    return resource(f"prompts/{language}/{task}.system.md").read_text("utf-8")


def names(schema) -> set[str]:
    """Names of every field of a schema, however deep."""
    found = set(schema.get("properties", {}))
    for inner in [*schema.get("properties", {}).values(), schema.get("items")]:
        if isinstance(inner, dict):
            found |= names(inner)
    return found


def example(language: str):
    text = system("summary", language)
    return json.loads(text[text.rindex('{"events": [{') :])


@pytest.mark.parametrize("language", SCHEMA_LANGUAGES)
@pytest.mark.parametrize(
    ("task", "schema"),
    [("summary", json_schema()), ("trim", json_schema()), ("reflect", reflection.schema())],
)
def test_every_field_is_named_as_it_is_written(task, schema, language):
    wanted = names(schema) - NOT_ASKED.get(task, set())
    if task in NOT_ASKED:
        wanted -= INSIDE_KV
    text = system(task, language)
    assert {name for name in wanted if f'"{name}"' not in text} == set()


@pytest.mark.parametrize("language", SCHEMA_LANGUAGES)
@pytest.mark.parametrize(
    ("task", "wanted"),
    [
        ("entity", {"profiles", "name", "set"}),
        ("expand", {"query", "output"}),
        ("triage", {"intent", "level", "reasoning", "directives"}),
    ],
)
def test_the_shape_of_a_smaller_answer_is_shown(task, wanted, language):
    text = system(task, language)
    assert {name for name in wanted if f'"{name}"' not in text} == set()


@pytest.mark.parametrize("language", SCHEMA_LANGUAGES)
def test_the_example_is_an_answer_without_a_fault(language):
    parsed = parse_extraction(example(language))
    assert parsed.faults == ()
    [event] = parsed.events
    assert {event.relations[0].subject, event.relations[0].object} <= {
        e.name for e in event.entities
    }


@pytest.mark.parametrize(("language", "mark"), [("zh", "例"), ("en", "Example")])
def test_whatever_a_model_copies_of_the_example_can_be_told(language, mark):
    [event] = parse_extraction(example(language)).events
    named = [*(e.name for e in event.entities), event.location, event.relations[0].object]
    assert all(mark in name for name in named)
    assert mark in event.summary
