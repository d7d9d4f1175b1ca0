"""Prompts of the user's: used, compared, taken back, and shown exactly as they are sent."""

import contextlib
import json
from dataclasses import replace

import pytest

from engram_desktop.domain.errors import BadAnswer, BadEndpoint, InputError, NotFound
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.prompt_template import LANGUAGES, TASKS, ModelOverride
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import script_json, story_rows, write_chat
from tests.fake_openai import FakeOpenAI

CTX = NullContext()


def answer(_body):
    return json.dumps({"events": [{"summary": "爱丽丝把钥匙交给旅人。"}]}, ensure_ascii=False)


@pytest.fixture
def server():
    with FakeOpenAI(answer=answer) as fake:
        yield fake


@pytest.fixture
def memory(open_memory, server):
    environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "usual"}
    return open_memory(environ={**environ, "ENGRAM_LLM_API_KEY": "sk-secret-secret"})


@pytest.fixture
def chat(memory, tmp_path):
    path = write_chat(tmp_path / "故事.jsonl", story_rows(30))
    return memory.imports.import_file(CTX, path).chat_id


def test_every_built_in_prompt_is_whole(memory):
    rows = memory.prompts.all()
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
    rows = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    chat = memory.imports.import_file(CTX, rows).chat_id
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


def test_a_prompt_of_the_users_is_used_and_makes_another_request(memory, chat, server):
    before = memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 4))
    own = replace(
        memory.prompts.find("summary", "zh").template,
        user="{{user}}问：{{chatHistory}}{{nobody}}{{random::a::b}}",
        output="text",
    )
    tried = memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 4), template=own)
    assert tried.unknown == ("nobody",)
    assert memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 4)) == before
    memory.prompts.save(own)
    after = memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 4))
    assert after == tried
    assert after == memory.pipeline.preview_prompt(
        Line.main(chat), "summary", (0, 4)
    )  # chance is the same each time
    assert memory.prompts.find("summary", "zh").is_own
    assert "-请整理下面" in memory.prompts.difference("summary", "zh")
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), "llm")
    assert "response_format" not in server.seen[-1].body
    memory.prompts.reset("summary", "zh")
    assert memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 4)) == before
    assert memory.prompts.difference("summary", "zh") == ""


def test_saving_what_is_built_in_keeps_nothing(memory):
    memory.prompts.save(memory.prompts.find("trim", "en").template)
    assert not memory.prompts.find("trim", "en").is_own


def test_another_model_is_asked_for_one_task_and_gets_no_foreign_key(memory, chat, server):
    memory.prompts.set_model("summary", ModelOverride(model="small"))
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), "llm")
    assert server.seen[-1].body["model"] == "small"
    assert "sk-secret-secret" in str(server.seen[-1].headers)
    with FakeOpenAI(answer=answer) as other:
        memory.prompts.set_model("summary", ModelOverride(other.url, "local"))
        memory.pipeline.summarise(CTX, Line.main(chat), (5, 9), "llm")
        assert other.seen[-1].body["model"] == "local"
        assert "sk-secret-secret" not in str(other.seen[-1].headers)
    memory.prompts.set_model("summary", ModelOverride())
    assert memory.pipeline.preview_prompt(Line.main(chat), "summary").model == "usual"


def test_every_task_can_be_previewed(memory, chat):
    with pytest.raises(InputError, match="summarise them first"):
        memory.pipeline.preview_prompt(Line.main(chat), "trim")
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 29), "extractive")
    for task in TASKS:
        found = memory.pipeline.preview_prompt(Line.main(chat), task, (0, 29))
        assert [role for role, _text in found.messages] == ["system", "user"]
        assert "{{" not in found.messages[1][1]
        assert found.unknown == ()


def test_what_cannot_be_a_prompt_is_refused(memory):
    template = memory.prompts.find("summary", "zh").template
    for bad in (replace(template, user=" "), replace(template, system="x" * 200_001)):
        with pytest.raises(InputError):
            memory.prompts.save(bad)
    with pytest.raises(NotFound):
        memory.prompts.find("summary", "fr")
    with pytest.raises(NotFound):
        memory.prompts.reset("nothing", "zh")
    with pytest.raises(BadEndpoint):
        memory.prompts.set_model("summary", ModelOverride("not a url", ""))


def test_worldbooks_are_held_against_the_block_only_if_the_prompt_asks(memory, chat, tmp_path):
    entries = {
        "0": {"uid": 0, "key": ["钥匙"], "content": "铜钥匙能开钟楼。"},
        "1": {"uid": 1, "key": ["没有这个词"], "content": "不相干。"},
    }
    path = tmp_path / "设定.json"
    path.write_text(json.dumps({"entries": entries}, ensure_ascii=False), "utf-8")
    memory.imports.import_file(CTX, path)
    memory.worldbooks.set_global(memory.worldbooks.all()[0].id, is_global=True)
    assert "开钟楼" not in str(memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 9)))
    template = memory.prompts.find("summary", "zh").template
    own = replace(template, user="设定：{{worldbookContext}}。" + template.user)
    told = memory.pipeline.preview_prompt(
        Line.main(chat), "summary", (0, 9), template=own
    ).messages[1][1]
    assert told.startswith("设定：铜钥匙能开钟楼。。")
    assert "不相干" not in told
    memory.prompts.save(own)
    memory.pipeline.summarise(
        CTX, Line.main(chat), (0, 9), "llm"
    )  # asked for while requests are under way


def test_scripts_run_before_a_model_is_asked(memory, chat, server, tmp_path):
    path = tmp_path / "regex.json"
    path.write_text(script_json("/铜/g", "银"), "utf-8")
    memory.imports.import_file(CTX, path)
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), "llm")
    sent = server.seen[-1].body["messages"][1]["content"]
    assert "银" in sent
    assert "铜" not in sent
