"""Story strings: blocks, names, blanks; a bad one is told and not half rendered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.tavern.instruct import BadStoryStringError, rendered

VALUES = {"system": "S", "persona": "", "char": "Bea"}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{#if system}}{{system}}\n{{/if}}x", "S\nx"),
        ("{{#if persona}}p{{else}}none{{/if}}", "none"),
        ("{{#unless persona}}u{{/unless}}{{#unless system}}v{{/unless}}", "u"),
        ("a\n{{#if system}}\n  {{char}}\n{{/if}}\nb", "a\n  Bea\nb"),
        ("a {{~char~}} b", "aBeab"),
        ("{{! note }}{{!-- {{x}} --}}a{{{char}}}", "aBea"),
        ("{{#if system}}{{#if persona}}a{{else}}b{{/if}}{{else}}c{{/if}}", "b"),
        ("{{other}} {{roll d6}}", "<other> <roll>"),
        ("plain {x} }}", "plain {x} }}"),
    ],
)
def test_a_story_string_is_rendered(template, expected):
    assert rendered(template, VALUES, lambda name: f"<{name}>") == expected


@pytest.mark.parametrize(
    "template",
    ["{{#if system}}", "{{/if}}", "{{#each x}}{{/each}}", "{{else}}", "{{#if a}}{{/unless}}"],
)
def test_a_bad_story_string_is_told(template):
    with pytest.raises(BadStoryStringError):
        rendered(template, VALUES, str)


@given(st.text(alphabet="{}#/ ifelse~!-\nx", max_size=60))
def test_any_text_is_rendered_or_told(template):
    try:
        assert isinstance(rendered(template, VALUES, str), str)
    except BadStoryStringError:
        assert "{{" in template
