"""Tables that the benchmarks read."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from coverage import CoverageData

from benchmarks import coverage_floor
from benchmarks.mutation.fates import EQUIVALENT
from benchmarks.mutation.mutants import mutants_of

# A package whose tests run less of it than before is named; what runs more is kept.

FOUR_LINES = "a = 1\nb = 2\nc = 3\nd = 4\n"


@pytest.fixture
def checkout(tmp_path):
    """A program of four packages with one file each, and what was run of it."""
    data = CoverageData(str(tmp_path / ".coverage"))
    for name in coverage_floor.PACKAGES:
        folder = tmp_path / "engram_desktop" / name
        folder.mkdir(parents=True)
        (folder / "one.py").write_text(FOUR_LINES, "utf-8")
        data.add_lines({str(folder / "one.py"): [1, 2, 3]})
    data.write()
    data.close()
    return tmp_path


@pytest.fixture
def floors(tmp_path):
    return tmp_path / "floor.toml"


def compare(checkout, floors, *arguments):
    data = str(checkout / ".coverage")
    return coverage_floor.main(["--data", data, *arguments], checkout, floors)


def test_as_much_as_before_is_enough_and_less_is_not(checkout, floors, capsys):
    floors.write_text("domain = 75.0\nformats = 75.0\n", "utf-8")
    assert compare(checkout, floors) == 0
    floors.write_text("domain = 75.0\nformats = 75.1\n", "utf-8")
    assert compare(checkout, floors) == 1
    assert capsys.readouterr().out.endswith("below the floor: formats\n")


def test_a_file_that_nothing_reads_counts(checkout, floors):
    floors.write_text("domain = 75.0\n", "utf-8")
    (checkout / "engram_desktop" / "domain" / "two.py").write_text(FOUR_LINES, "utf-8")
    assert compare(checkout, floors) == 1


def test_raising_never_lowers(checkout, floors):
    floors.write_text("domain = 74.9\nstorage = 75.0\n", "utf-8")
    assert compare(checkout, floors, "--raise") == 0
    every = dict.fromkeys(coverage_floor.PACKAGES, 75.0)
    assert coverage_floor.read_floors(floors) == every
    floors.write_text("domain = 10.0\nstorage = 99.0\n", "utf-8")
    assert compare(checkout, floors, "--raise") == 1
    assert coverage_floor.read_floors(floors) == {"domain": 10.0, "storage": 99.0}


def test_the_floors_are_of_packages_that_are_looked_at():
    held = coverage_floor.read_floors(coverage_floor.FLOORS)
    assert set(held) <= set(coverage_floor.PACKAGES)
    assert all(0 < floor <= 100 for floor in held.values())


def test_without_a_measurement_it_says_how_to_make_one(checkout, floors, capsys):
    (checkout / ".coverage").unlink()
    with pytest.raises(SystemExit) as stopped:
        compare(checkout, floors)
    assert stopped.value.code == 2
    assert "coverage run" in capsys.readouterr().err


# Every row of the table of faults that nobody could see is about a line that is there.

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
