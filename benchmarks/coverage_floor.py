"""Hold the share of lines that the tests run, package by package, against what it was before.

    coverage run -m pytest -n 0
    python -m benchmarks.coverage_floor [--data .coverage] [--raise]

It fails when a package falls below its figure in ``coverage_floor.toml``. ``--raise`` writes what
was measured where that is more; a figure is lowered by hand only, and with a reason.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import coverage

ROOT = Path(__file__).resolve().parents[1]
FLOORS = Path(__file__).with_name("coverage_floor.toml")
# What runs without a window and a network: there, a line that nothing runs is a missing test.
PACKAGES = ("domain", "storage", "services", "formats")
HEADER = """\
# Percent of the statements of a package that the tests run. Read and raised by
# `python -m benchmarks.coverage_floor`.
"""


def share_run(measured: coverage.Coverage, package: Path) -> float:
    """Return the percent of a package's statements that ran; a file never read counts as none."""
    there = missing = 0
    for file in package.rglob("*.py"):
        _name, statements, _excluded, not_run, _text = measured.analysis2(str(file))
        there += len(statements)
        missing += len(not_run)
    return 100 * (there - missing) / there if there else 100.0


def down(share: float) -> float:
    """A figure to hold on to, of one decimal, never more than was measured."""
    return int(share * 10) / 10


def read_floors(file: Path) -> dict[str, float]:
    return {name: float(floor) for name, floor in tomllib.loads(file.read_text("utf-8")).items()}


def write_floors(file: Path, floors: Mapping[str, float]) -> None:
    lines = [f"{name} = {floor:.1f}\n" for name, floor in sorted(floors.items())]
    file.write_text(HEADER + "".join(lines), "utf-8")


def raised(floors: Mapping[str, float], shares: Mapping[str, float]) -> dict[str, float]:
    """Return the floors with every share that is above its own, and those that had none."""
    return dict(floors) | {
        name: down(share) for name, share in shares.items() if share > floors.get(name, -1.0)
    }


def main(arguments: Sequence[str] | None = None, root: Path = ROOT, file: Path = FLOORS) -> int:
    parser = argparse.ArgumentParser(description="Compare measured coverage with its floor.")
    parser.add_argument("--data", type=Path, default=root / ".coverage")
    parser.add_argument("--raise", dest="is_raise", action="store_true")
    given = parser.parse_args(arguments)
    if not given.data.is_file():
        parser.error(f"{given.data} is not there: coverage run -m pytest -n 0 makes it")
    measured = coverage.Coverage(data_file=given.data, config_file=False)
    measured.load()
    shares = {name: share_run(measured, root / "engram_desktop" / name) for name in PACKAGES}
    floors = read_floors(file)
    for name, share in shares.items():
        floor = floors.get(name)
        told = "no floor yet" if floor is None else f"floor {floor:.1f} %"
        print(f"{name:<9} {share:6.2f} %  {told}")
    fallen = [name for name, floor in floors.items() if shares[name] < floor]
    if fallen:
        print(f"below the floor: {', '.join(fallen)}")
        return 1
    if given.is_raise:
        write_floors(file, raised(floors, shares))
    return 0


if __name__ == "__main__":
    sys.exit(main())
