"""The bank of Chinese scenes: how many changes are found, and how many decoys are reported."""

import pytest

from benchmarks.changes_bank_zh import measure_bank


@pytest.mark.parametrize(
    ("half", "found", "reported"),
    [
        ("dev", 0.50, 0.06),  # of 124 changes and 60 decoys
        ("held", 0.50, 0.10),  # of 137 and 54; never read while rules are mended
    ],
)
def test_changes_of_the_bank_are_found_and_few_decoys_are_reported(half, found, reported):
    figures = measure_bank(half)
    assert figures.share >= found, "raise the figure where more is found"
    assert figures.reported_share <= reported


def test_each_scene_marks_what_is_over_but_for_decoys():
    figures = [measure_bank(half) for half in ("dev", "held")]
    assert sum(f.there.total() for f in figures) >= 240
    assert sum(f.decoys.total() for f in figures) >= 110
