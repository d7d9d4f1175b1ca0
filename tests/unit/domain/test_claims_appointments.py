"""Who said that they would come has kept that where a scene opens on the day, with them in it."""

from __future__ import annotations

import pytest

from engram_desktop.domain.claims.appointments import day_of, is_there
from engram_desktop.domain.claims.claim import Claim, How


def line(floor: int, text: str, how: How = "narrated", speaker: str = "") -> Claim:
    return Claim(floor, how, speaker, "", "other", "", text, 0, len(text))


def vow(text: str) -> Claim:
    return Claim(2, "said", "Owen", "Maddie", "will", "", text, 0, len(text), sign="vow")


@pytest.mark.parametrize(
    ("before", "promise", "scene", "is_kept"),
    [
        ("Tuesday, three fifteen, room two?", "I'll be there.", "Tuesday. Owen is waiting.", True),
        ("周二图书馆见？", "好，我会去的。", "周二放学，Owen 坐在靠窗的位置。", True),
        ("", "Tomorrow I'll come with you.", "The next morning Owen stands at the gate.", True),
        ("Tuesday, room two?", "I'll be there.", "Tuesday. Owen never came.", False),
        ("Tuesday, room two?", "I'll be there.", "Tuesday. Owen isn't there.", False),
        ("Tuesday, room two?", "I'll be there.", "Friday. Owen is waiting.", False),
        ("Tuesday, room two?", "I'll be there.", "Tuesday. The room is quiet.", False),
        ("周二图书馆见？", "好，我会去的。", "周二放学，Owen 没来。", False),
        ("Tuesday is wash day.", "I'll never tell.", "Tuesday. Owen is waiting.", False),
    ],
)
def test_an_appointment_is_kept_by_who_is_there(
    before: str, promise: str, scene: str, is_kept: bool
):
    claim = vow(promise)
    day = day_of(claim, [line(1, before, "said", "Maddie")])
    told = [line(5, scene)]
    assert (bool(day) and is_there(claim, day, told) is not None) == is_kept
