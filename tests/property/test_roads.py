"""Who may know what, on every road of the program: the small run of `tests.soak.access`."""

from __future__ import annotations

from tests.soak.access import commands_with_a_viewpoint, run

STORY = 3
AT_LEAST = 20_000  # numbers held against answers


def test_no_road_tells_what_somebody_cannot_know(tmp_path):
    tally = run(tmp_path, STORY)
    assert tally.leaks == []
    assert tally.checks >= AT_LEAST
    assert len(commands_with_a_viewpoint()) >= 8
    for road in ("recall", "prompt", "search", "text", "MCP recall", "engram export", "volume"):
        assert tally.told[road] > 0, f"{road} told nothing, so nothing was checked"
