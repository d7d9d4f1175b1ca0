"""Put faults into a copy of the program and see whether a test fails.

    python -m tests.mutation SEED COUNT

What is measured once (which test runs which line) is kept in a folder of its own, named at the
start; `--folder` uses it again, with the checkout as it is now. `--measure` only measures.
"""

from __future__ import annotations

import argparse
import collections
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.mutation.mutants import Mutant, all_mutants, pick
from tests.mutation.which_tests import WhichTests, environment

ROOT = Path(__file__).resolve().parents[2]
COPIED = (
    "engram_desktop",
    "tests",
    "packaging",
    "resources",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)
# A fault that hangs is killed after so many times the normal duration, and a while to start.
TIMES, START_S = 4, 30
# A line that everything runs is tried on as many files as fit into this time.
ENOUGH_S = 60.0


def copy_checkout(copy: Path) -> None:
    """The checkout as it is now; an older copy goes."""
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, copy / name)
    (copy / ".git").mkdir()


class Trial:
    """Mutants tried on a copy, one after another."""

    def __init__(self, copy: Path, tests: WhichTests) -> None:
        self._copy = copy
        self._tests = tests
        # A file is compiled anew only if its time differs, in whole seconds.
        self._clock = int(time.time())

    def _write(self, path: Path, source: bytes) -> None:
        path.write_bytes(source)
        self._clock += 2
        os.utime(path, (self._clock, self._clock))

    def chosen(self, mutant: Mutant) -> tuple[list[str], int]:
        """The test files to run, and how many more there are."""
        source = (self._copy / mutant.path).read_bytes()
        last = mutant.line + source[mutant.start : mutant.end].count(b"\n")
        found = self._tests.of_line(mutant.path, mutant.line, last)
        chosen: list[str] = []
        budget = ENOUGH_S
        for test in found:
            budget -= self._tests.seconds(test)
            if chosen and budget < 0:
                break
            chosen.append(test)
        return chosen, len(found) - len(chosen)

    def fate(self, mutant: Mutant) -> tuple[str, str]:
        """Killed, timeout, survived or unrun; and by which tests."""
        tests, more = self.chosen(mutant)
        if not tests:
            return "unrun", "no test runs it"
        path = self._copy / mutant.path
        source = path.read_bytes()
        limit = START_S + TIMES * sum(self._tests.seconds(test) for test in tests)
        try:
            self._write(path, mutant.applied(source))
            return self._run(tests, limit), f"{len(tests)} files" + f", {more} more" * bool(more)
        finally:
            self._write(path, source)

    def _run(self, tests: list[str], limit: float) -> str:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        with subprocess.Popen(
            command,
            cwd=self._copy,
            env=environment(self._copy),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as running:
            try:
                return "survived" if running.wait(limit) == 0 else "killed"
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                return "timeout"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("count", type=int, nargs="?", default=20)
    parser.add_argument("--folder", type=Path, help="what an earlier run measured")
    parser.add_argument("--measure", action="store_true", help="only measure what tests run")
    parser.add_argument("--measured", action="store_true", help="with what was measured so far")
    parser.add_argument("--layers", nargs="+", metavar="LAYER", help="only these")
    parser.add_argument("--only", default="", help="only modules whose path has this in it")
    asked = parser.parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="mutation-"))
    folder.mkdir(exist_ok=True)
    print(f"In {folder}", flush=True)
    copy = folder / "copy"
    copy_checkout(copy)
    tests = WhichTests(folder, copy)
    if not asked.measured:
        tests.measure()
    if not asked.measure:
        tests.load()
        layers = {
            layer: [mutant for mutant in mutants if asked.only in mutant.path]
            for layer, mutants in all_mutants(copy).items()
            if not asked.layers or layer in asked.layers
        }
        try_all(Trial(copy, tests), copy, pick(copy, layers, asked.seed, asked.count))


def try_all(trial: Trial, copy: Path, mutants: list[Mutant]) -> None:
    """Print the fate of each, and the sum of each layer."""
    fates: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        begin = time.monotonic()
        fate, how = trial.fate(mutant)
        fates[mutant.layer][fate] += 1
        took = time.monotonic() - begin
        print(f"{fate:9}{mutant.place}  {mutant.kind}  ({how}, {took:.0f} s)", flush=True)
        if fate in ("survived", "unrun"):
            print(mutant.diff((copy / mutant.path).read_bytes()), flush=True)
    total: collections.Counter[str] = collections.Counter()
    for layer, counted in sorted(fates.items()):
        total += counted
        print(f"{layer:12}", dict(counted))
    print(f"{'all':12}", dict(total))


if __name__ == "__main__":
    main()
