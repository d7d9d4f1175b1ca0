"""Facets of events: how they combine, and what is counted beside them."""

from __future__ import annotations

from typing import Any

import pytest

from engram_desktop.domain.memory.facets import (
    YES,
    EventKey,
    Facet,
    FacetCube,
    Facets,
    facets_of_json,
    facets_to_json,
)

GREEN, BLUE = Facet("status", "archived"), Facet("status", "buffer")
ALICE, KYLE, FACT = Facet("entity", "爱丽丝"), Facet("entity", "凯尔"), Facet("kind", "fact")
LOCKED = Facet("locked", YES)


def key(**over):
    fields: dict[str, Any] = {
        "status": "archived",
        "level": 0,
        "kind": "event",
        "confidence": "model",
        "extractor": "llm",
        "is_stale": False,
        "is_locked": False,
    }
    return EventKey(**fields | over)


def test_a_click_filters_by_a_facet_alone_and_a_second_one_takes_it_out():
    one = Facets(((GREEN,), (ALICE,))).combined(FACT, "alone")
    assert one == Facets(((FACT,),))
    assert not one.combined(FACT, "alone")


def test_and_adds_a_condition_or_widens_the_last_one_and_not_leaves_out():
    both = Facets().combined(GREEN, "alone").combined(ALICE, "and")
    assert both.groups == ((GREEN,), (ALICE,))
    wide = both.combined(KYLE, "or")
    assert wide.groups == ((GREEN,), (ALICE, KYLE))
    less = wide.combined(LOCKED, "not")
    assert less.excluded == (LOCKED,)
    assert less.lets([KYLE], key())
    assert not less.lets([KYLE], key(is_locked=True))
    assert not less.lets([], key())
    assert not less.lets([KYLE], key(status="buffer"))


@pytest.mark.parametrize("how", ["and", "or", "not"])
def test_a_facet_set_in_the_same_way_again_is_taken_out(how):
    once = Facets(((GREEN,),)).combined(ALICE, how)
    assert once.combined(ALICE, how) == Facets(((GREEN,),))


def test_a_facet_is_never_both_wanted_and_left_out():
    once = Facets(((GREEN,), (ALICE,)))
    assert once.combined(ALICE, "not") == Facets(((GREEN,),), (ALICE,))
    assert once.combined(ALICE, "not").combined(ALICE, "and") == once


def test_an_outline_is_neither_buffer_nor_archived():
    assert not key(level=1).meets(GREEN)
    assert key(level=2).meets(Facet("level", "2"))


def test_values_of_a_field_are_counted_beside_what_is_set_for_it():
    cells = (
        (key(), (ALICE,), 3),
        (key(status="buffer"), (ALICE,), 2),
        (key(status="buffer", kind="fact"), (), 4),
    )
    cube = FacetCube(cells, Facets(((GREEN,), (ALICE,))), 9)
    assert cube.total() == 3
    assert cube.count(BLUE) == 2
    assert cube.count(FACT) == 0
    assert FacetCube(cells, Facets((), (FACT,))).count(BLUE) == 2


def test_a_filter_is_kept_as_text():
    facets = Facets(((GREEN, ALICE), (KYLE,)), (LOCKED,))
    assert facets_of_json(facets_to_json(facets)) == facets


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{", '{"any": 3}', '{"any": [[["nothing", "x"], 7, ["kind", 3]]]}'],
)
def test_foreign_text_is_no_filter(text):
    assert not facets_of_json(text)
