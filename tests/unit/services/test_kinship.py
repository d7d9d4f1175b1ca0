"""Who is what to whom, and what else somebody is called, as keyless extraction reads it."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.extraction import ExtractedEntity, PlotExtraction
from engram_desktop.services.extractive.people import short_names_zh, told_aliases, told_bonds

PEOPLE = {name: name for name in ("沈砚", "苏棠", "陆三", "Anna", "Tom", "Greta")}


@pytest.mark.parametrize(
    ("text", "speaker", "bond"),
    [
        ("苏棠是沈砚的师妹。", "", ("沈砚", "的师妹是", "苏棠")),
        ("苏棠原来是沈砚的师妹。", "", ("沈砚", "的师妹是", "苏棠")),
        ("沈砚的师父叫陆三，脾气很大。", "", ("沈砚", "的师父是", "陆三")),
        ("沈砚的师父陆三站在门口。", "", ("沈砚", "的师父是", "陆三")),
        ("陆三是我师父。", "沈砚", ("沈砚", "的师父是", "陆三")),
        ("我是陆三的徒弟。", "沈砚", ("陆三", "的徒弟是", "沈砚")),
        ("Anna is Tom's younger sister.", "", ("Anna", "is the sister of", "Tom")),
        ("Tom's wife was called Greta.", "", ("Greta", "is the wife of", "Tom")),
        ("Greta Hale is the wife of Tom.", "", ("Greta", "is the wife of", "Tom")),
        ("Anna, Tom's cousin, laughed.", "", ("Anna", "is the cousin of", "Tom")),
        ("Tom is my brother.", "Anna", ("Tom", "is the brother of", "Anna")),
        ("I'm Tom's sister.", "Anna", ("Anna", "is the sister of", "Tom")),
    ],
)
def test_a_bond_that_is_told_plainly_is_an_edge(text, speaker, bond):
    (told,) = set(told_bonds(text, PEOPLE, speaker))
    assert (told.subject, told.predicate, told.object) == bond


@pytest.mark.parametrize(
    ("text", "bond"),
    [
        ("你就是我的姐姐。", ("苏棠", "的姐姐是", "沈砚")),
        ("我是你师父！", ("沈砚", "的师父是", "苏棠")),
        ("You're my best friend.", ("沈砚", "is the best friend of", "苏棠")),
        ("I'm your brother.", ("苏棠", "is the brother of", "沈砚")),
    ],
)
def test_a_bond_of_who_speaks_and_who_is_spoken_to(text, bond):
    (told,) = told_bonds(text, {}, "苏棠", "沈砚")
    assert (told.subject, told.predicate, told.object) == bond
    assert list(told_bonds(text, {}, "苏棠")) == []


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("苏棠是沈砚的师妹吗？", ""),
        ("苏棠不是沈砚的师妹。", ""),
        ("如果苏棠是沈砚的师妹，那就好了。", ""),
        ("苏棠看了看沈砚的师妹。", ""),
        ("陆三是我师父。", ""),
        ("苏棠以前是沈砚的女朋友。", ""),
        ("Is Anna Tom's sister?", ""),
        ("Anna is not Tom's sister.", ""),
        ("Anna was once Tom's wife.", ""),
        ("Anna is Tom's favourite.", ""),
        ("Tom is my brother.", ""),
    ],
)
def test_what_is_asked_denied_or_over_is_no_edge(text, speaker):
    assert list(told_bonds(text, PEOPLE, speaker)) == []


@pytest.mark.parametrize(
    ("text", "aliases"),
    [
        ("沈砚，江湖人称“铁笛书生”。", {"铁笛书生": "沈砚"}),
        ("沈砚外号小铁。", {"小铁": "沈砚"}),
        ("村里人人都管陆三叫老算盘。", {"老算盘": "陆三"}),
        ("Tom, also known as the Heron, smiled.", {"Heron": "Tom"}),
        ("Greta's nickname was Duchess.", {"Duchess": "Greta"}),
        ("沈砚人称大人。", {}),
        ("沈砚的外号没有人知道。", {}),
        ("Tom is known for his temper.", {}),
        ("沈砚，人称苏棠。", {}),
    ],
)
def test_another_name_is_told_plainly(text, aliases):
    assert told_aliases([text], list(PEOPLE)) == aliases


def test_a_short_name_is_whose_it_can_be_alone():
    people = ["陆泽", "苏棠", "沈砚"]
    named = ["小陆", "阿泽", "老苏", "小王", "阿明"]
    assert short_names_zh(named, people) == {"小陆": "陆泽", "阿泽": "陆泽", "老苏": "苏棠"}
    assert short_names_zh(["小陆"], [*people, "陆三"]) == {}
    assert short_names_zh(["许棠"], ["阿棠", "顾眠"], ["阿棠"]) == {"许棠": "阿棠"}
    assert short_names_zh(["许棠", "苏棠"], ["阿棠"], ["阿棠"]) == {}


def test_what_else_somebody_is_called_is_kept_with_the_event():
    entity = ExtractedEntity("Tom", "char", ("Heron",))
    event = PlotExtraction("Tom smiles.", entities=(entity, ExtractedEntity("Anna", "char")))
    assert PlotExtraction.from_json(event.to_json()) == event
    assert event.to_json()["entities"][1] == {"name": "Anna", "type": "char"}
