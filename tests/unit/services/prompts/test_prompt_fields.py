"""A model that is given no schema can still know the names of every field it is to fill."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.memory.extraction import json_schema, parse_extraction
from engram_desktop.domain.pipeline import reflection
from engram_desktop.domain.pipeline.prompt_template import PromptTask
from engram_desktop.shipped import resource

LANGUAGES = ("zh", "en")
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


@pytest.mark.parametrize("language", LANGUAGES)
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


@pytest.mark.parametrize("language", LANGUAGES)
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


@pytest.mark.parametrize("language", LANGUAGES)
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
