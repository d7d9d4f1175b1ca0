"""Every row of the table of faults that nobody could see is about a line that is there."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.mutation.fates import EQUIVALENT
from tests.mutation.mutants import mutants_of

ROOT = Path(__file__).parents[2]
ROWS = tomllib.loads(EQUIVALENT.read_text("utf-8"))["mutant"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['path']} {row['line']}")
def test_a_row_is_about_one_line_and_says_why(row):
    path = ROOT / row["path"]
    source = path.read_bytes()
    assert row["why"].endswith(".")
    asked = {key: text for key, text in row.items() if key != "why"}
    mutants = mutants_of(ROOT, path)
    assert len({m.line for m in mutants if m.told(source).items() >= asked.items()}) == 1
