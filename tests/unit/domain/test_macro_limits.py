"""Macro text is anyone's: it may be deep, long or doubled, and neither stops nor fills a memory."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.macros.clock import formatted, humanized, moment_of
from engram_desktop.domain.macros.fill import MAX_CHARS, fill, unknown_macros
from engram_desktop.domain.macros.known import RUNNING
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.macros.values import json_text, number, written_number


def test_what_doubles_itself_is_cut():
    doubling = "{{setvar::x::{{getvar::x}}{{getvar::x}}}}" * 60
    scope = MacroScope(variables={"x": "ab"})
    text = fill(f"{doubling}{{{{getvar::x}}}}", scope).text
    assert len(text) <= MAX_CHARS
    assert len(scope.variables["x"]) <= MAX_CHARS


@pytest.mark.parametrize("depth", [30, 39, 41, 400])
def test_what_is_around_a_text_never_loses_it(depth):
    nested = "{{if 1}}" * depth + "kept {{user}}" + "{{/if}}" * depth
    assert "kept " in fill(nested, MacroScope({"user": "Anna"})).text
    inner = "{{reverse::" * depth + "kept" + "}}" * depth
    text = fill(inner, MacroScope()).text
    assert "kept" in text or "tpek" in text


def test_a_long_text_in_many_conditions_is_there_whole():
    story = "word {{user}} " * 40_000
    text = fill("{{if 1}}" * 20 + story + "{{/if}}" * 20, MacroScope({"user": "Anna"})).text
    assert text.count("word ") == 40_000


@pytest.mark.parametrize("name", ["newline", "space"])
def test_no_count_makes_a_text_without_end(name):
    assert fill(f"{{{{{name}::999999999}}}}", MacroScope()).text == f"{{{{{name}::999999999}}}}"


def test_no_index_makes_a_list_without_end():
    scope = MacroScope(variables={"list": "[1]"})
    fill("{{setvarkey::list::999999999::x}}", scope)
    assert scope.variables["list"] == "[1]"


def test_a_value_of_a_story_keeps_its_braces_and_trims():
    said = "a \\{b\\} \n{{trim}}\n {{char}}"
    scope = MacroScope({"lastMessage": said, "char": "Bea"})
    assert fill("\\{x\\} {{lastMessage}}", scope).text == f"{{x}} {said}"


def test_what_a_story_says_is_no_condition_by_its_name():
    scope = MacroScope({"lastMessage": "empty", "empty": ""})
    assert fill("{{if {{lastMessage}}}}said{{/if}}{{if empty}}never{{/if}}", scope).text == "said"


def test_what_only_a_running_one_knows_stays_and_is_reported():
    for name in RUNNING:
        made = fill(f"a {{{{{name}}}}}", MacroScope())
        assert (made.text, made.unknown) == (f"a {{{{{name}}}}}", (name,))
        assert unknown_macros(f"{{{{{name}}}}}", {}) == (name,)


def test_variables_are_changed_for_one_filling_only_where_a_branch_is_taken():
    scope = MacroScope(variables={"n": 1}, shared={"n": 5})
    made = fill("{{if 0}}{{.n = 9}}{{else}}{{.n += 2}}{{/if}}{{.n}}{{$n--}}", scope)
    assert made.text == "34"
    assert (scope.variables, scope.shared) == ({"n": 3}, {"n": 4})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e-7, "1e-7"),
        (0.000001, "0.000001"),
        (-2.5, "-2.5"),
        (0.1 + 0.2, "0.30000000000000004"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "NaN"),
        (10**400, "Infinity"),
    ],
)
def test_numbers_are_written_as_javascript_writes_them(value, text):
    assert written_number(value) == text


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (" 0x1F ", 31),
        ("0b101", 5),
        ("0o17", 15),
        (".5", 0.5),
        ("5.", 5),
        ("", 0),
        (None, 0),
        (True, 1),
        ([], 0),
        ([[7]], 7),
        ("-Infinity", -math.inf),
    ],
)
def test_texts_are_numbers_as_for_javascript(value, result):
    assert number(value) == result


@pytest.mark.parametrize(
    "value", ["1_000", "٣", "12px", "nan", "inf", "0x", {}, [1, 2], "1" * 5000]
)
def test_what_is_no_number_for_javascript_is_none(value):
    assert math.isnan(number(value))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_written_number_is_read_as_the_same(value):
    assert number(written_number(value)) == value


def test_json_is_written_as_javascript_writes_it():
    assert (
        json_text({"b": [1.0, math.nan], "2": "é", "1": None}) == '{"1":null,"2":"é","b":[1,null]}'
    )


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (44, "a few seconds"),
        (45, "a minute"),
        (89, "a minute"),
        (90, "2 minutes"),
        (44 * 60, "44 minutes"),
        (45 * 60, "an hour"),
        (21 * 3600, "21 hours"),
        (22 * 3600, "a day"),
        (25 * 86_400, "25 days"),
        (26 * 86_400, "a month"),
        (319 * 86_400, "10 months"),
        (320 * 86_400, "a year"),
        (548 * 86_400, "2 years"),
    ],
)
def test_spans_are_told_roughly(seconds, text):
    assert humanized(timedelta(seconds=seconds)) == text


def test_times_are_read_in_many_spellings_and_nonsense_is_none():
    noon = datetime(2024, 5, 6, 12, tzinfo=UTC)
    for text in ("2024-05-06 12:00", "2024-05-06T12:00:00Z", "20240506T1200", "May 6, 2024 12:00"):
        assert moment_of(text, UTC) == noon
    assert moment_of("2024-05-06T14:00:00+02:00", UTC) == noon
    for text in ("2024-02-30", "", "tomorrow", "2024-05-06T25:00"):
        assert moment_of(text, UTC) is None


@given(st.text(max_size=30))
def test_any_pattern_writes_a_time(pattern):
    assert isinstance(formatted(datetime(2024, 5, 6, tzinfo=UTC), pattern), str)
