"""Which entries of a kept worldbook are a question, and what a card says that somebody edited."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engram_desktop.domain.pipeline.prompt_template import (
    CARDS,
    CardFields,
    StoryRenderer,
    read_card,
)
from engram_desktop.domain.worldbooks.merging import Uid, changes_between, mark_of
from engram_desktop.domain.worldbooks.worldbook import CharacterFilter, Entry
from tests.factories import make_extraction

BASE = Entry(3, keys=("灯塔",), comment="灯塔", content="灯塔亮着。")
THERE = replace(BASE, content="灯塔灭了。")
HERE = replace(BASE, content="灯塔很远。")
MARKS = {"3": mark_of(BASE)}


def worldbook_of(entry: Entry | None) -> dict[Uid, Entry]:
    return {3: entry} if entry else {}


@pytest.mark.parametrize(
    ("here", "there", "marks", "told"),
    [
        (BASE, BASE, MARKS, None),
        (HERE, BASE, MARKS, None),  # an older copy
        (None, BASE, MARKS, None),  # removed here
        (HERE, None, {"4": "x"}, None),  # new here
        (BASE, THERE, MARKS, ("edited", "there", False)),
        (HERE, THERE, MARKS, ("edited", "there", True)),
        (BASE, None, MARKS, ("removed", "there", False)),
        (HERE, None, MARKS, ("removed", "here", True)),
        (None, THERE, MARKS, ("edited", "there", True)),
        (None, THERE, {"4": "x"}, ("added", "there", False)),
        (HERE, THERE, {}, ("edited", "there", False)),
        (HERE, None, {}, ("removed", "here", False)),
        (None, THERE, {}, ("added", "there", False)),
    ],
)
def test_only_what_was_changed_there_is_a_question(here, there, marks, told):
    found = changes_between(worldbook_of(here), worldbook_of(there), marks)
    assert [(e.happened, e.suggested, e.is_both) for e in found] == ([told] if told else [])


def test_a_number_that_was_given_twice_is_not_the_same_entry():
    (found,) = changes_between({3: HERE}, {3: THERE}, {"4": "x"})
    assert (found.happened, found.here) == ("added", None)


def test_an_empty_filter_that_sillytavern_adds_is_no_change():
    assert mark_of(replace(BASE, character_filter=CharacterFilter())) == mark_of(BASE)
    assert mark_of(replace(BASE, character_filter=CharacterFilter(("Mira",)))) != mark_of(BASE)


@pytest.mark.parametrize("template", CARDS.values())
def test_a_card_is_read_as_it_was_rendered(template):
    data = make_extraction(details="一行。\n又一行。")
    assert read_card(StoryRenderer(template).render(data)) == CardFields(
        data.summary, data.timestamp, data.location, data.keywords, data.details
    )


def test_a_card_of_ones_own_template_and_a_plain_text_are_read():
    own = "# Was\n{{summary}}\nWo: {{location}}"
    fields = CardFields("Es regnet.\nNoch.", location="Harrow")
    assert read_card("# Was\nEs regnet.\nNoch.\nWo: Harrow", own) == fields
    assert read_card("Nur ein Satz.") == CardFields("Nur ein Satz.")
