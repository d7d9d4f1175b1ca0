"""Macros are filled in one pass; what nobody knows stays; lines with nothing to say vanish."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.macros.blocks import document
from engram_desktop.domain.macros.clock import _week
from engram_desktop.domain.macros.fill import expand_lines, fill, names_in, unknown_macros
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.pipeline.prompt_template import CARD_EN, CARD_ZH, StoryRenderer
from tests.factories import make_extraction

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


def test_cards_show_everything_there_is():
    data = make_extraction(details="第一行\n第二行")
    for template, word in ((CARD_ZH, "时间"), (CARD_EN, "Time")):
        card = StoryRenderer(template).render(data)
        for text in (word, data.timestamp, data.location, "铜钥匙", data.summary):
            assert text in card
        assert "> 第一行\n> 第二行" in card
        assert "{{" not in card


def test_lines_without_content_are_left_out_of_a_card():
    for template, words in ((CARD_ZH, ("地点", "关键词")), (CARD_EN, ("Place", "Keywords"))):
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
