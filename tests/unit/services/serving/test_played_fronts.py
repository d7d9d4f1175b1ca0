"""Whatever a player does in a front end, the library holds what it shows."""

from __future__ import annotations

import random

import pytest

from tests.front_ends.simulated import SimulatedFront


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shape", ["chat", "named", "text"])
def test_line_says_what_the_front_end_shows(memory, shape, seed):
    SimulatedFront(memory, random.Random(seed), shape).play(40)
