"""Macros are filled in one pass; lines with nothing to say vanish."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.extraction import PlotExtraction
from engram_desktop.domain.render import CARD_EN, CARD_ZH, StoryRenderer
from engram_desktop.domain.templates import expand, expand_lines, unknown_macros
from tests.factories import make_extraction

NAMES = ("user", "char", "time")
names = st.sampled_from((*NAMES, "unknown", "人物"))
pieces = st.text(alphabet="ab {}\n|时", max_size=6) | names.map(lambda name: f"{{{{ {name} }}}}")
templates = st.lists(pieces, max_size=8).map("".join)
values = st.fixed_dictionaries({name: st.text(alphabet="xy\n好", max_size=4) for name in NAMES})


def test_an_unknown_macro_stays_to_be_seen():
    assert expand("{{user}}遇见{{nobody}}", {"user": "旅人"}) == "旅人遇见{{nobody}}"
    assert unknown_macros("{{b}}{{user}}{{ a }}{{b}}", {"user": ""}) == ("b", "a")


def test_a_value_is_never_read_as_a_template():
    told = {"user": "{{char}}", "char": "{{user}}"}
    assert expand("{{user}} {{char}}", told) == "{{char}} {{user}}"


def test_blanks_inside_the_braces_do_not_matter():
    assert expand("{{ user }}|{{user}}|{{\tuser\t}}", {"user": "A"}) == "A|A|A"


def test_a_line_goes_only_when_all_its_macros_are_known_and_empty():
    template = "时间: {{time}}\n{{user}}{{char}}\n{{unknown}}\nplain\n"
    assert expand_lines(template, {"time": "", "user": "", "char": "A"}) == "A\n{{unknown}}\nplain"


@given(templates, values)
def test_no_known_macro_is_left(template, told):
    filled = expand(template, told)
    if not any(name in text for text in told.values() for name in NAMES):
        assert not set(NAMES) & set(unknown_macros(filled, {}))


@given(templates, values)
def test_lines_are_those_of_expand_or_fewer(template, told):
    whole = [line.strip() for line in expand(template, told).split("\n")]
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
