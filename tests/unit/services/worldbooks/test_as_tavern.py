"""Ours beside what a real SillyTavern fired, as `packaging/check-tavern` wrote it down."""

from __future__ import annotations

from tests.oracle import worldinfo
from tests.oracle.report import recorded


def test_world_info_fires_as_the_real_one():
    report = worldinfo.judge(recorded("worldinfo"))
    assert not report.differ, report.text()
    assert report.agree > 500
    assert set(report.known) <= {worldinfo.NO_DEPTH}
