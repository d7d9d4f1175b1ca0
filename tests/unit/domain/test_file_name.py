"""A name of a story becomes one that every system takes for a file."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.text.file_name import file_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("爱丽丝", "爱丽丝.json"),
        ("[Engram] 爱丽丝", "[Engram] 爱丽丝.json"),
        ("12:00 / 午夜?", "12_00 _ 午夜_.json"),
        ("..", "_.json"),
        ("", "_.json"),
        (" a. ", "a.json"),
        ("Con", "_Con.json"),
        ("nul.txt", "_nul.txt.json"),
        ("COM1", "_COM1.json"),
        ("Constance", "Constance.json"),
        ("a\nb", "a_b.json"),
    ],
)
def test_a_title_becomes_a_name(title, name):
    assert file_name(title, ".json") == name


@given(st.text(st.characters(), max_size=300))
def test_any_title_becomes_a_name_that_every_system_takes(title):
    name = file_name(title, ".json")
    assert len(name.encode()) <= 255
    assert not re.search(r'[<>:"/\\|?*\x00-\x1f]', name)
    assert name.removesuffix(".json").strip(" .") == name.removesuffix(".json")
    assert name != ".json"


def test_a_title_is_cut_between_characters():
    assert file_name("说" * 100, ".json") == "说" * 66 + ".json"
