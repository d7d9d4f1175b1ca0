"""Mutants tried on a copy of the checkout, one after another."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.mutation.choice import Choice
from benchmarks.mutation.mutants import Mutant
from benchmarks.mutation.which_tests import WhichTests, environment

ROOT = Path(__file__).resolve().parents[2]
COPIED = (
    "engram_desktop",
    "tests",
    "benchmarks",
    "packaging",
    "resources",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)
# What pytest says: all passed; one failed; none was to run.
PASSED, FAILED, NONE = 0, 1, 5
# A fault that hangs is killed after so many times the normal duration, and a while to start.
TIMES, START_S = 4, 30


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


class NotTheFaultsError(Exception):
    """Tests fail without any fault, too."""


class Trial:
    """Put one fault after another into the copy, and run the tests that are about it."""

    def __init__(self, copy: Path, tests: WhichTests) -> None:
        self._copy = copy
        self._tests = tests
        self._choice = Choice(copy)
        # A file is compiled anew only if its time differs, in whole seconds.
        self._clock = int(time.time())

    def all_tests(self, mutant: Mutant) -> list[str]:
        """Every test file that may see it, the closest first."""
        words = self._choice.words(mutant)
        found: list[str] = []
        for lines in self._choice.lines(mutant):
            if found := self._tests.of_lines(lines, mutant.path, words):
                break
        readers = self._choice.readers(mutant)
        return [*readers, *(test for test in found if test not in readers)]

    def first(self, tests: list[str], seconds: float) -> list[str]:
        """As many of them as fit into so many seconds, at least one."""
        chosen: list[str] = []
        for test in tests:
            seconds -= self._tests.seconds(test)
            if chosen and seconds < 0:
                break
            chosen.append(test)
        return chosen

    def fate(self, mutant: Mutant, tests: list[str]) -> str:
        """Killed, timeout, survived or unrun."""
        if not tests:
            return "unrun"
        path = self._copy / mutant.path
        source = path.read_bytes()
        limit = START_S + TIMES * sum(self._tests.seconds(test) for test in tests)
        try:
            self._write(path, mutant.applied(source))
            code = self._run(tests, limit)
        finally:
            self._write(path, source)
        if code not in (PASSED, FAILED, NONE, None) and self._run(tests, limit) != PASSED:
            raise NotTheFaultsError(tests)  # such as a module that is not installed any more
        return {PASSED: "survived", NONE: "survived", None: "timeout"}.get(code, "killed")

    def _write(self, path: Path, source: bytes) -> None:
        path.write_bytes(source)
        self._clock += 2
        os.utime(path, (self._clock, self._clock))

    def _run(self, tests: list[str], limit: float) -> int | None:
        """Return what pytest says, None if it would not end."""
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
                return running.wait(limit)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                return None
