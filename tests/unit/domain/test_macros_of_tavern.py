"""What SillyTavern 1.19 made of thousands of texts with macros, and what we make of them."""

from __future__ import annotations

from tests.oracle.macros import against
from tests.oracle.report import recorded


def test_macros_are_filled_as_the_real_one_filled_them():
    report = against(recorded("macros"))
    assert report.total > 2_500
    assert report.differ == [], report.text()
    assert report.agree / report.total > 0.99
