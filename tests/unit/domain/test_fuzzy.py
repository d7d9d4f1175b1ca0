"""How what is typed of a name fits it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.search import fit


def ranked(typed: str, names: list[str]) -> list[str]:
    fits = [(fit(typed, name), name) for name in names]
    found = [(f.score, name) for f, name in fits if f is not None]
    return [name for _score, name in sorted(found, key=lambda pair: -pair[0])]


@pytest.mark.parametrize(
    ("typed", "names", "first"),
    [
        ("设置", ["重置设置", "设置", "设置向导"], "设置"),
        ("set", ["Reset all", "Settings"], "Settings"),
        ("hist", ["What was said", "Open history"], "Open history"),
        ("整忆", ["整理记忆…", "记忆整理"], "整理记忆…"),
        ("cm", ["Consolidate memory", "Settings"], "Consolidate memory"),
    ],
)
def test_the_best_fit_is_first(typed, names, first):
    assert ranked(typed, names)[0] == first


def test_every_word_must_fit():
    assert fit("open book", "Open the world book") is not None
    assert fit("open dragon", "Open the world book") is None
    assert fit("zz", "Open") is None


def test_marks_are_where_the_characters_stand():
    found = fit("整忆", "整理记忆")
    assert found is not None
    assert ["整理记忆"[a:b] for a, b in found.marks] == ["整", "忆"]


@given(st.text(max_size=20), st.text(max_size=40))
def test_marks_lie_in_the_name(typed, name):
    found = fit(typed, name)
    if found is not None:
        last = 0
        for start, end in found.marks:
            assert last <= start < end <= len(name)
            last = end


@given(st.text(min_size=1, max_size=30))
def test_a_name_fits_itself(name):
    assert fit(name, name) is not None
