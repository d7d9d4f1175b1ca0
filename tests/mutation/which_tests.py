"""Which test files run a line, and how long each takes: measured once, kept beside the copy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import coverage

CONFIG = """
[run]
source_pkgs = engram_desktop
parallel = true
concurrency = thread
core = ctrace
disable_warnings = no-data-collected, module-not-imported, module-not-measured, couldnt-parse
"""
FOLDERS = ("unit", "property", "gui", "e2e", "crash")
# So many test files share a process: a start costs seconds, and a crash all that was measured.
TOGETHER = 10
LIMIT_S = 1800
# Reading the modules of the program takes a test file so long before it begins.
START_S = 3.0


@dataclass
class FileRun:
    """What one test file runs: lines by module, in how many seconds."""

    seconds: float
    passed: bool
    lines: dict[str, list[int]]


class WhichTests:
    """The map, in a folder: one JSON file a test file."""

    def __init__(self, folder: Path, copy: Path) -> None:
        self._folder = folder / "map"
        self._folder.mkdir(exist_ok=True)
        self._copy = copy
        self._runs: dict[str, FileRun] = {}

    def _note(self, test: str) -> Path:
        return self._folder / (test.replace("/", "--") + ".json")

    def test_files(self) -> list[str]:
        """Every test file, the quick kinds first."""
        return [
            test.relative_to(self._copy).as_posix()
            for name in FOLDERS
            for test in sorted((self._copy / "tests" / name).rglob("test_*.py"))
        ]

    def measure(self) -> None:
        """Run the test files that were not measured yet, some at a time."""
        missing = [test for test in self.test_files() if not self._note(test).exists()]
        for first in range(0, len(missing), TOGETHER):
            begin = time.monotonic()
            runs = self._measure(missing[first : first + TOGETHER])
            for test, run in runs.items():
                self._note(test).write_text(json.dumps(vars(run)), "utf-8")
            failed = [test for test, run in runs.items() if not run.passed]
            print(
                f"{time.monotonic() - begin:6.0f} s, {len(runs)} files; failed: {failed}",
                flush=True,
            )

    def load(self) -> None:
        for test in self.test_files():
            if self._note(test).exists():
                told = json.loads(self._note(test).read_text("utf-8"))
                self._runs[test] = FileRun(**told)

    def _measure(self, tests: list[str]) -> dict[str, FileRun]:
        data = self._folder.parent / "data"
        data.mkdir(exist_ok=True)
        for old in data.iterdir():
            old.unlink()
        told, rc, child = data / "told", data / "rc", data / "child"
        rc.write_text(f"{CONFIG}data_file = {data / 'c'}\n", "utf-8")
        child.write_text(f"{rc.read_text('utf-8')}context = ${{MUTATION_CONTEXT}}\n", "utf-8")
        command = (sys.executable, "-m", "coverage", "run", f"--rcfile={rc}", "-m", "pytest", "-q")
        plugins = ("-p", "no:cacheprovider", "-p", "tests.mutation.contexts_plugin")
        asked = {"MUTATION_CONTEXT": "", "MUTATION_TOLD": str(told)}
        subprocess.run(
            [*command, *plugins, *tests],
            cwd=self._copy,
            env=environment(self._copy) | asked | {"COVERAGE_PROCESS_START": str(child)},
            stdout=(data.parent / "last.log").open("wb"),
            stderr=subprocess.STDOUT,
            timeout=LIMIT_S,
            check=False,
        )
        lines = self._lines(data)
        ended = json.loads(told.read_text("utf-8")) if told.exists() else {}
        return {
            test: FileRun(run["seconds"] + START_S, run["passed"], lines.get(test, {}))
            for test, run in ended.items()
        }

    def _lines(self, data: Path) -> dict[str, dict[str, list[int]]]:
        """Lines by test file and module. What is only imported belongs to no file."""
        found: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        for file in data.glob("c.*"):
            one = coverage.CoverageData(str(file))
            try:
                one.read()
            except coverage.exceptions.DataError:
                continue  # of a process that was killed while it wrote, as tests of killing do
            for module in one.measured_files():
                path = Path(module)
                if path.is_relative_to(self._copy):
                    name = path.relative_to(self._copy).as_posix()
                    for line, contexts in one.contexts_by_lineno(module).items():
                        for context in contexts:
                            found[context][name].add(line)
        return {
            test: {name: sorted(lines) for name, lines in modules.items()}
            for test, modules in found.items()
        }

    def of_line(self, path: str, first: int, last: int) -> list[str]:
        """The test files that run one of these lines and pass: of its name first, then the quick.

        A line that is run when its module is read counts as run by whatever runs the module.
        """
        stem = Path(path).stem
        wanted = set(range(first, last + 1))
        passing = {test: run for test, run in self._runs.items() if run.passed}
        ran = [test for test, run in passing.items() if wanted & set(run.lines.get(path, ()))]
        ran = ran or [test for test, run in passing.items() if run.lines.get(path)]
        return sorted(ran, key=lambda test: (stem not in Path(test).stem, self._runs[test].seconds))

    def seconds(self, test: str) -> float:
        return self._runs[test].seconds


def environment(copy: Path) -> dict[str, str]:
    """The copy is what is imported, by children too."""
    return os.environ | {"PYTHONPATH": str(copy), "QT_QPA_PLATFORM": "offscreen"}
