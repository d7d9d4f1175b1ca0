"""How much memory a message needs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.errors import BadAnswer, NotConfigured
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery, Triage, parse_triage
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import NullContext
from tests.factories import import_chat, story_rows

# How much memory a message needs: asked of a model, read tolerantly, and acted upon.

CTX = NullContext()


class Model:
    """Says whatever it was told to say."""

    says = json.dumps({"intent": "date", "level": "EVENT", "reasoning": "x", "directives": {}})

    def __call__(self, _body):
        return self.says


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def memory(open_memory, server):
    environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "usual"}
    return open_memory(environ=environ)


@pytest.fixture
def chat(memory, tmp_path):
    found = import_chat(memory, tmp_path / "故事.jsonl", story_rows(60))
    entries = {
        "0": {"uid": 0, "key": ["水族馆"], "content": "水族馆里有企鹅。"},
        "1": {"uid": 1, "key": [], "constant": True, "content": "世界是圆的。</world_info>"},
    }
    path = tmp_path / "设定.json"
    path.write_text(json.dumps({"entries": entries}, ensure_ascii=False), "utf-8")
    memory.imports.import_file(CTX, path)
    memory.worldbooks.set_global(memory.worldbooks.all()[-1].id, is_global=True)
    memory.pipeline.summarise(CTX, Line.main(found), (0, 40), "extractive")
    return found


@pytest.mark.parametrize(
    ("value", "level"),
    [
        ({"level": "ROUTINE"}, "ROUTINE"),
        ({"level": "event"}, "EVENT"),
        ({"level": "L2"}, "CHAT"),
        ({"level": "L3 EVENT", "intent": 5}, "EVENT"),
        ({"level": 1}, "ROUTINE"),
        ({"等级": "剧情"}, "EVENT"),
        ([{"level": "Chat", "directives": ["short"]}], "CHAT"),
        ("CHAT", "CHAT"),
        ({"level": "ROUTINE or CHAT"}, None),
        ({"level": ""}, None),
        ({"level": None}, None),
        ({}, None),
        (None, None),
        (3.5, None),
    ],
)
def test_levels_are_read_tolerantly_and_never_guessed(value, level):
    found = parse_triage(value)
    assert (found.level if found else None) == level


def test_everything_else_of_an_answer_is_kept():
    told = {
        "intent": "headpat",
        "level": "ROUTINE",
        "reason": "again",
        "directives": {"style": "short", "avoid": ["a", "b"], "empty": "", "deep": {"x": 1}},
    }
    assert parse_triage(told) == Triage(
        "ROUTINE", "headpat", "again", {"style": "short", "avoid": "a, b"}
    )


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=9) | st.just("EVENT"),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["level", "intent", "directives", "reasoning", "x"]), inner
            )
        ),
    )
)
def test_any_value_can_be_read(value):
    found = parse_triage(value)
    assert found is None or found.level in {"ROUTINE", "CHAT", "EVENT"}


def test_one_small_request_is_made(memory, chat, server):
    before = len(server.bodies())
    found = memory.inject.triage(CTX, Line.main(chat), "带你去水族馆看企鹅")
    assert (found.level, found.intent) == ("EVENT", "date")
    (body,) = server.bodies()[before:]
    assert "带你去水族馆看企鹅" in body["messages"][1]["content"]
    assert estimate_tokens(str(body["messages"])) < 1500
    assert memory.usage.rows(chat)[0].task == "triage"


def test_an_answer_without_a_level_is_said(memory, chat, model):
    model.says = "当然可以！"
    with pytest.raises(BadAnswer) as caught:
        memory.inject.triage(CTX, Line.main(chat), "早安")
    assert caught.value.raw == "当然可以！"


def test_without_a_model_that_is_said(open_memory, tmp_path):
    memory = open_memory(tmp_path / "空")
    chat = import_chat(memory, tmp_path / "a.jsonl", story_rows(3))
    with pytest.raises(NotConfigured):
        memory.inject.triage(CTX, Line.main(chat), "早安")


def test_an_injection_is_as_large_as_the_message_needs(memory, chat, model, server):
    query = RecallQuery("第3把铜钥匙在这里，去水族馆")
    memory.settings.set("inject.recent_floors", 0)
    asked = len(server.bodies())
    usual = memory.inject.compose(CTX, chat, query)
    assert usual.triage is None
    assert len(server.bodies()) == asked  # off: nobody is asked
    memory.settings.set("inject.triage", value=True)
    event = memory.inject.compose(CTX, chat, query)
    assert event.triage.level == "EVENT"
    assert event.sections["worldbook"] == "世界是圆的。‹/world_info>\n\n水族馆里有企鹅。"
    assert event.text.endswith("</world_info>")
    assert event.text.count("</world_info>") == 1
    assert event.hits
    model.says = '{"level": "CHAT"}'
    chatting = memory.inject.compose(CTX, chat, query)
    assert (chatting.text, chatting.hits) == (usual.text, usual.hits)
    model.says = '{"level": "ROUTINE", "directives": {"style": "short"}}'
    routine = memory.inject.compose(CTX, chat, query)
    assert (routine.hits, set(routine.sections)) == ((), {"summaries"})
    assert routine.triage.directives == {"style": "short"}
    model.says = "?"
    failed = memory.inject.compose(CTX, chat, query)
    assert (failed.text, failed.triage) == (usual.text, None)
    assert "names no level" in failed.triage_fault


@pytest.mark.parametrize("budget", [100, 130, 300, 6000])
def test_worldbooks_stay_within_the_budget(memory, chat, budget):
    memory.settings.set("inject.triage", value=True)
    made = memory.inject.compose(CTX, chat, RecallQuery("水族馆"), budget)
    assert made.tokens <= budget


@pytest.mark.parametrize(
    ("told", "hints"), [(["short", "warm"], {"1": "short", "2": "warm"}), ("short", {"1": "short"})]
)
def test_hints_without_names_are_numbered_from_one(told, hints):
    found = parse_triage({"level": "CHAT", "directives": told})
    assert found is not None
    assert found.directives == hints


@pytest.mark.parametrize("length", [399, 400, 401])
def test_what_an_answer_says_at_length_is_cut_at_400_characters(length):
    found = parse_triage({"level": "CHAT", "reasoning": "理" * length})
    assert found is not None
    assert len(found.reasoning) == min(length, 400)
