"""Each convention of resources/docs/conventions.md has a test, and the test is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
ROWS = [
    line.split("|")[1:-1]
    for line in (TESTS.parent / "resources/docs/conventions.md").read_text("utf-8").splitlines()
    if re.match(r"\| \d+ \|", line)
]


def test_every_convention_is_listed_once():
    assert [int(row[0]) for row in ROWS] == list(range(1, 81))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip())
def test_its_tests_are_there(row):
    named = re.findall(r"`([^`]+)::(\w+)`", row[3])
    assert named
    for file, name in named:
        assert f"def {name}(" in (TESTS / file).read_text("utf-8"), f"{file}::{name}"
