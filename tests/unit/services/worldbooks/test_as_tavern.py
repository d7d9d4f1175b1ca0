"""Ours beside what a real SillyTavern fired, as `packaging/check-tavern` wrote it down."""

from __future__ import annotations

import pytest

from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.services.worldbooks.scan import pattern_test
from tests.oracle import worldinfo
from tests.oracle.report import Report, recorded


@pytest.fixture(scope="module")
def is_in():
    javascript = JavaScript()
    yield pattern_test(javascript)
    javascript.close()


def test_world_info_fires_as_the_real_one(is_in):
    report = Report("worldinfo")
    worldinfo.judge(recorded("worldinfo"), is_in, report)
    assert not report.differ, report.text()
    assert report.agree > 400
    assert set(report.known) <= {worldinfo.NO_DEPTH}
