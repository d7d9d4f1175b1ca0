"""Macros: filled as SillyTavern fills them, within limits."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.macros.blocks import document
from engram_desktop.domain.macros.clock import _week, formatted, humanized, moment_of
from engram_desktop.domain.macros.fill import (
    MAX_CHARS,
    expand_lines,
    fill,
    names_in,
    unknown_macros,
)
from engram_desktop.domain.macros.known import RUNNING, picked, text_hash
from engram_desktop.domain.macros.scope import MacroScope, json_text, number, written_number
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.pipeline.prompt_template import CARD_EN, CARD_ZH, StoryRenderer
from engram_desktop.domain.text.moment import local_moment, moment
from tests.factories import make_extraction
from tests.oracle.macros import against
from tests.oracle.report import recorded

# Macros are filled in one pass; what nobody knows stays; lines with nothing to say vanish.

NAMES = ("user", "char", "time")
names = st.sampled_from((*NAMES, "unknown", "人物"))
pieces = st.text(alphabet="ab {}\n|时", max_size=6) | names.map(lambda name: f"{{{{ {name} }}}}")
templates = st.lists(pieces, max_size=8).map("".join)
values = st.fixed_dictionaries({name: st.text(alphabet="xy\n好", max_size=4) for name in NAMES})


def test_an_unknown_macro_stays_to_be_seen():
    assert fill("{{user}}遇见{{nobody}}", MacroScope({"user": "旅人"})).text == "旅人遇见{{nobody}}"
    assert unknown_macros("{{b}}{{user}}{{ a }}{{b}}", {"user": ""}) == ("b", "a")


def test_a_value_is_never_read_as_a_template():
    told = {"user": "{{char}}", "char": "{{user}}"}
    assert fill("{{user}} {{char}}", MacroScope(told)).text == "{{char}} {{user}}"


def test_blanks_inside_the_braces_do_not_matter():
    assert fill("{{ user }}|{{user}}|{{\tuser\t}}", MacroScope({"user": "A"})).text == "A|A|A"


def test_a_line_goes_only_when_all_its_macros_are_known_and_empty():
    template = "时间: {{time}}\n{{user}}{{char}}\n{{unknown}}\nplain\n"
    assert expand_lines(template, {"time": "", "user": "", "char": "A"}) == "A\n{{unknown}}\nplain"


NOW = datetime(2024, 5, 6, 15, 4, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{CHAR}} and {{Char}}", "Alice and Alice"),
        ("{{reverse::{{char}}}}", "ecilA"),
        ("{{if char}}yes{{else}}no{{/if}}", "yes"),
        ("{{if::!{{empty}}}}none{{/if}}", "none"),
        ("{{if empty}}a{{if char}}b{{/if}}{{else}}c{{if char}}d{{/if}}{{/if}}", "cd"),
        ("{{// a {{char}} note }}x", "x"),
        ("a\n\n{{trim}}\n\nb", "ab"),
        ("{{trim}}  a {{/trim}}b", "ab"),
        ("a{{newline}}b{{newline::2}}c{{space::3}}d{{noop}}", "a\nb\n\nc   d"),
        ("a{{newline::0}}b{{space::0}}c", "abc"),
        ("{{setvar::hp::10}}{{addvar::hp::5}}{{getvar::hp}}{{incvar::hp}}", "1516"),
        ("{{setglobalvar::a::x}}{{getglobalvar::a}}{{getvar::a}}", "x"),
        ("{{roll::x}}", ""),
        (
            "{{hasvar::a}}{{setvar::a::1}}{{hasvar::a}}{{deletevar::a}}{{hasvar::a}}",
            "falsetruefalse",
        ),
        ("{{isodate}} {{isotime}} {{weekday}} {{time}}", "2024-05-06 15:04 Monday 3:04 PM"),
        ("{{time_UTC+8}} {{time::UTC+8}}", "11:04 PM 11:04 PM"),
        ("{{datetimeformat YYYY/M/D [at] HH:mm}}", "2024/5/6 at 15:04"),
        ("{{idle_duration}}", "2 hours"),
        ("{{roll:1d1+4}} {{roll::d1}}", "5 1"),
        ("{{random::same::same}}{{pick:one}}", "sameone"),
        ("{{{char}}}", "{Alice}"),
        ("{{outlet::weather}}|{{outlet::none}}", "rain|"),
    ],
)
def test_macros_mean_what_they_say(template, expected):
    scope = MacroScope(
        {"char": "Alice", "empty": ""},
        now=NOW,
        last_said=datetime(2024, 5, 6, 13, 0, tzinfo=UTC),
        outlets=lambda: {"weather": "rain"},
    )
    made = fill(template, scope)
    assert (made.text, made.unknown) == (expected, ())


@pytest.mark.parametrize(
    "template",
    [
        "{{nobody}}",
        "{{ open",
        "close }}",
        "{{}}",
        "{{setvar::a::x::y}}",
        "{{if x}}",
        "{{/if}}",
        "{{a b c}}",
    ],
)
def test_what_means_nothing_stays_as_it_is(template):
    assert fill(template, MacroScope()).text == template


def test_what_is_unknown_is_reported_as_it_is_written():
    made = fill("{{Nobody::{{char}}}} {{char}}", MacroScope({"char": "A"}))
    assert (made.text, made.unknown) == ("{{Nobody::A}} A", ("Nobody",))
    assert names_in("{{char}}{{reverse::{{userInput}}}}{{Char}}") == (
        "char",
        "reverse",
        "userInput",
        "Char",
    )


def test_chance_is_the_same_for_the_same_seed():
    text = "{{random::a::b::c::d}}{{roll:6d100}}" * 4
    assert fill(text, MacroScope(seed="1")).text == fill(text, MacroScope(seed="1")).text
    assert fill(text, MacroScope(seed="1")).text != fill(text, MacroScope(seed="2")).text
    picks = {fill("{{pick::a::b::c::d}}", MacroScope(seed=str(n))).text for n in range(40)}
    assert picks == set("abcd")


def test_a_captured_value_is_not_read_again():
    made = fill("$1 {{char}}", MacroScope({"char": "$1"}), lambda t: t.replace("$1", "{{char}}"))
    assert made.text == "{{char}} $1"


@pytest.mark.parametrize("piece", ["{{", "}}", "{{if a}}", "{{/if}}", "{{a::", "{{trim}}{{/trim}}"])
def test_no_nesting_is_too_much(piece):
    assert isinstance(fill(piece * 5000, MacroScope()).text, str)
    assert isinstance(names_in(piece * 5000), tuple)


def test_size_is_bounded():
    text = "{{big}}" * 4000
    assert len(fill(text, MacroScope({"big": "x" * 10_000})).text) <= 2_010_000


@given(st.text(alphabet="{}:/|if acg1d,else", max_size=60))
def test_any_text_can_be_filled(text):
    assert isinstance(fill(text, MacroScope(seed="s")).text, str)


@given(st.text(alphabet="ab{}:\n", max_size=40))
def test_text_without_macros_is_untouched(text):
    if "{{" not in text or "}}" not in text:
        assert fill(text, MacroScope()).text == text


@given(templates, values)
def test_no_known_macro_is_left(template, told):
    filled = fill(template, MacroScope(told)).text
    if not any(name in text for text in told.values() for name in NAMES):
        assert not set(NAMES) & set(unknown_macros(filled, {}))


@given(templates, values)
def test_lines_are_those_of_fill_or_fewer(template, told):
    whole = [line.strip() for line in fill(template, MacroScope(told)).text.split("\n")]
    assert all(line.strip() in ["", *whole] for line in expand_lines(template, told).split("\n"))


@pytest.mark.parametrize(("template", "word"), [(CARD_ZH, "时间"), (CARD_EN, "Time")])
def test_cards_show_everything_there_is(template, word):
    data = make_extraction(details="第一行\n第二行")
    card = StoryRenderer(template).render(data)
    for text in (word, data.timestamp, data.location, "铜钥匙", data.summary):
        assert text in card
    assert "> 第一行\n> 第二行" in card
    assert "{{" not in card


@pytest.mark.parametrize(
    ("template", "words"), [(CARD_ZH, ("地点", "关键词")), (CARD_EN, ("Place", "Keywords"))]
)
def test_lines_without_content_are_left_out_of_a_card(template, words):
    card = StoryRenderer(template).render(PlotExtraction("他走了。", timestamp="第1天"))
    assert "第1天" in card
    assert not any(word in card for word in words)
    assert not card.endswith(">")
    assert "他走了。" in card


def test_an_event_that_holds_macros_is_shown_as_it_is():
    card = StoryRenderer().render(PlotExtraction("{{details}} 和 {{user}}", details="秘密"))
    assert "{{details}} 和 {{user}}" in card


def test_a_sign_too_many_before_the_end_is_passed_over():
    (call,) = document("{{.x!}}…")
    assert (call.end, call.closed_at) == (7, 5)
    assert call.variable is not None
    assert call.variable.name == "x"


@pytest.mark.parametrize(
    ("day", "week"),
    [
        (datetime(2022, 1, 1, tzinfo=UTC), (2022, 1)),  # a Saturday
        (datetime(2022, 1, 2, tzinfo=UTC), (2022, 2)),
        (datetime(2024, 1, 6, tzinfo=UTC), (2024, 1)),
        (datetime(2024, 1, 7, tzinfo=UTC), (2024, 2)),
        (datetime(2024, 12, 28, tzinfo=UTC), (2024, 52)),
        (datetime(2024, 12, 29, tzinfo=UTC), (2025, 1)),  # January 1 is in its week
    ],
)
def test_weeks_begin_on_sunday_and_the_first_holds_january_1(day, week):
    assert _week(day) == week


# Macro text is anyone's: it may be deep, long or doubled, and neither stops nor fills a memory.


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


# What SillyTavern 1.19 made of thousands of texts with macros, and what we make of them.


def test_macros_are_filled_as_the_real_one_filled_them():
    report = against(recorded("macros"))
    assert report.total > 2_500
    assert report.differ == [], report.text()
    assert report.agree / report.total > 0.99


# What is picked at one place of a chat stays picked, and is what SillyTavern picks there.


@given(st.text(max_size=40))
def test_a_hash_has_53_bits(text):
    assert 0 <= text_hash(text) < 2**53


@given(st.integers(1, 50), st.integers(0, 2**53), st.integers(0, 10_000))
def test_a_pick_is_one_of_those_there_are_and_the_same_again(count, text, place):
    found = picked(count, "4711", text, place)
    assert 0 <= found < count
    assert picked(count, "4711", text, place) == found


def test_chats_texts_places_and_throws_differ():
    many = {
        picked(1000, chat, text, place)
        for chat in ("1", "2", "2-7")
        for text in (3, 4)
        for place in (0, 9)
    }
    assert len(many) > 8


def test_it_is_picked_by_the_place_in_the_whole_text():
    text = "{{pick::a::b::c::d::e::f}}" * 12
    scope = MacroScope(picks="4711")
    assert fill(text, scope).text == fill(text, scope).text
    assert len(set(fill(text, scope).text)) > 1


# Times as dates, whatever a clock or a file says.


@pytest.mark.parametrize(
    ("milliseconds", "year"),
    [(0, 1970), (-1, 1969), (-(10**15), 1), (10**18, 9999), (-86_400_000 * 365 * 1000, 970)],
)
def test_any_number_is_a_date(milliseconds, year):
    assert moment(milliseconds).year == year
    for narrow in (False, True):
        assert local_moment(milliseconds, has_narrow_clock=narrow) == moment(milliseconds)


def test_a_clock_that_counts_few_years_says_the_same_of_those_it_counts():
    at = datetime(2026, 7, 1, 12, tzinfo=UTC).timestamp() * 1000
    assert local_moment(at, has_narrow_clock=True).isoformat() == local_moment(at).isoformat()
