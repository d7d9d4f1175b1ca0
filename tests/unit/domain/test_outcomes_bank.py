"""Promises, lies, mistakes and contradictions of many short scenes are found, decoys are not."""

from __future__ import annotations

import pytest

from benchmarks.outcomes_bank import figures
from tests.findings_stories.outcomes_bank import LANGUAGES, bank


@pytest.fixture(scope="module")
def count():
    return {
        (language, held): figures(scene for scene in bank(language) if scene.is_held == held)
        for language in LANGUAGES
        for held in (False, True)
    }


@pytest.mark.parametrize(
    ("language", "is_held", "kind", "found", "right"),
    [
        ("zh", False, "promise", 33, 25),  # of 35
        ("zh", False, "lie", 15, 15),  # of 21
        ("zh", False, "mistaken", 5, 5),  # of 5
        ("zh", False, "contradiction", 11, 11),  # of 12
        ("en", False, "promise", 34, 24),
        ("en", False, "lie", 14, 14),
        ("en", False, "mistaken", 4, 4),
        ("en", False, "contradiction", 10, 10),
        ("zh", True, "promise", 37, 31),  # of 45
        ("zh", True, "lie", 8, 8),  # of 19
        ("zh", True, "mistaken", 4, 4),  # of 10
        ("zh", True, "contradiction", 4, 4),  # of 8
        ("en", True, "promise", 41, 34),
        ("en", True, "lie", 9, 9),
        ("en", True, "mistaken", 3, 3),
        ("en", True, "contradiction", 5, 5),
    ],
)
def test_the_bank_is_read_as_well_as_it_was(count, language, is_held, kind, found, right):
    """The floors stand a little below what is reached: raise them where rules find more."""
    of_half = count[language, is_held]
    assert of_half[kind, "found"] >= found
    assert of_half[kind, "right"] >= right


@pytest.mark.parametrize(("is_held", "most"), [(False, 1), (True, 4)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_few_decoys_are_reported(count, language, is_held, most):
    assert count[language, is_held]["decoy", "found"] <= most  # of 27 and 33


def test_a_scene_is_of_the_same_half_in_both_languages():
    halves = [{scene.name: scene.is_held for scene in bank(language)} for language in LANGUAGES]
    assert halves[0] == halves[1]


@pytest.mark.parametrize(("language", "right"), [("zh", 3), ("en", 2)])  # of 8
def test_scenes_that_no_rule_was_mended_on_are_read_as_well_as_they_were(language, right):
    count = figures(bank(language, "apart"))
    assert count["promise", "right"] >= right
    assert count["decoy", "found"] == 0  # of 6


@pytest.mark.parametrize(
    ("language", "over", "lies"),
    [("zh", 7, 3), ("en", 6, 2)],  # of 24 and 8
)
def test_names_places_counts_and_things_that_show_a_lie_are_found_in_prose(language, over, lies):
    count = figures(bank(language, "prose"))
    assert count["superseded", "found"] >= over
    assert count["lie", "found"] >= lies
    assert count["decoy", "found"] == 0  # of 18
