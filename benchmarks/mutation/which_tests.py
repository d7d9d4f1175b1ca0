"""Which test files run a line, and how long each takes: measured once, kept beside the copy.

What was measured stays of use while the program changes: the text of each module is kept as it was
then, and lines that still stand are found again.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import math
import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
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
# What a file is taken to last that was not measured, and how much it has in common with a fault
# that it may see: as much as one word has that 16 files have of 256.
UNMEASURED_S, CLOSE = 16.0, 4
# Being about the room of the same name counts as one word does that 8 files have of 256.
SAME_ROOM = 5
# A module that is a thousandth of what a test file runs counts as a word that half of them have.
THOUSAND = 1000


@dataclass
class FileRun:
    """What one test file runs: lines by module, in how many seconds; of which texts."""

    seconds: float
    passed: bool
    lines: dict[str, list[int]]
    sources: dict[str, str]
    test: str


def name_of(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


class WhichTests:
    """The map, in a folder: one JSON file a test file."""

    def __init__(self, folder: Path, copy: Path) -> None:
        self._folder = folder / "map"
        self._folder.mkdir(exist_ok=True)
        self._texts = folder / "texts"
        self._texts.mkdir(exist_ok=True)
        self._copy = copy
        self._runs: dict[str, FileRun] = {}
        self._moved: dict[tuple[str, str], dict[int, int]] = {}

    def _note(self, test: str) -> Path:
        return self._folder / (test.replace("/", "--") + ".json")

    @functools.cache  # noqa: B019  one of these is made in a run
    def test_files(self) -> list[str]:
        """Every test file, the quick kinds first."""
        return [
            test.relative_to(self._copy).as_posix()
            for name in FOLDERS
            for test in sorted((self._copy / "tests" / name).rglob("test_*.py"))
        ]

    def measure(self) -> None:
        """Run the test files that were not measured yet, or were written since, some at a time."""
        self.load()
        missing = [test for test in self.test_files() if not self._is_measured(test)]
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

    def _is_measured(self, test: str) -> bool:
        run = self._runs.get(test)
        return run is not None and run.test == name_of((self._copy / test).read_bytes())

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
        plugins = ("-p", "no:cacheprovider", "-p", "benchmarks.mutation.contexts_plugin")
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
            test: FileRun(
                run["seconds"] + START_S,
                run["passed"],
                lines.get(test, {}),
                self._keep_texts(lines.get(test, {})),
                name_of((self._copy / test).read_bytes()),
            )
            for test, run in ended.items()
        }

    def _keep_texts(self, modules: Iterable[str]) -> dict[str, str]:
        """Keep the modules as they are now; return the names of their texts."""
        kept: dict[str, str] = {}
        for module in modules:
            text = (self._copy / module).read_bytes()
            kept[module] = name_of(text)
            (self._texts / kept[module]).write_bytes(text)
        return kept

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

    def of_lines(self, wanted: dict[str, set[int]], path: str, words: set[str]) -> list[str]:
        """The test files that pass and run one of these lines of modules, the closest first.

        Close is what lies in the same room, has rare words in common with the fault in the module
        at ``path``, runs little else, and takes little time. A file that was written since it was
        measured may run anything: it counts if it is close.
        """
        near: list[tuple[float, str]] = []
        for test in self.test_files():
            common = sum(self._rarity(word) for word in words & self._words(test))
            common += SAME_ROOM * (Path(path).parent.name.removesuffix("s") in Path(test).stem)
            run = self._runs.get(test)
            common += math.log2(1 + THOUSAND * self._share(run, path))
            may_run_it = common >= CLOSE and not self._is_measured(test)
            if may_run_it or (run is not None and run.passed and self._runs_one(run, wanted)):
                near.append((-common / self.seconds(test) ** 0.5, test))
        return [test for _, test in sorted(near)]

    def _share(self, run: FileRun | None, path: str) -> float:
        """How much of what a test file runs lies in one module."""
        if run is None or path not in run.lines:
            return 0.0
        return len(run.lines[path]) / sum(map(len, run.lines.values()))

    def _runs_one(self, run: FileRun, wanted: dict[str, set[int]]) -> bool:
        return any(self._ran(run, path) & lines for path, lines in wanted.items())

    @functools.cache  # noqa: B019  one of these is made in a run
    def _words(self, test: str) -> frozenset[str]:
        text = (self._copy / test).read_text("utf-8")
        return frozenset([*re.findall(r"\w+", text), Path(test).stem.removeprefix("test_")])

    @functools.cache  # noqa: B019
    def _rarity(self, word: str) -> float:
        """0 for a word of every test file, more the fewer have it."""
        tests = self.test_files()
        return math.log2(len(tests) / max(1, sum(word in self._words(test) for test in tests)))

    def _ran(self, run: FileRun, path: str) -> set[int]:
        """The lines of a module that a test file runs, counted as they stand now."""
        if path not in run.lines:
            return set()
        moved = self._moved.setdefault((path, run.sources[path]), {})
        if not moved:
            before = (self._texts / run.sources[path]).read_text("utf-8").splitlines()
            now = (self._copy / path).read_text("utf-8").splitlines()
            same = difflib.SequenceMatcher(None, before, now, autojunk=False)
            for block in same.get_matching_blocks():
                for number in range(1, block.size + 1):
                    moved[block.a + number] = block.b + number
        return {moved[line] for line in run.lines[path] if line in moved}

    def seconds(self, test: str) -> float:
        return self._runs[test].seconds if test in self._runs else UNMEASURED_S


def environment(copy: Path) -> dict[str, str]:
    """The copy is what is imported, by children too; what was compiled once is kept."""
    asked = {"PYTHONPATH": str(copy), "QT_QPA_PLATFORM": "offscreen"}
    return os.environ | asked | {"PYTHONDONTWRITEBYTECODE": ""}
