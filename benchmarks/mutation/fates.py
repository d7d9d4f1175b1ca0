"""What became of each mutant: tried, written down, and told at the end."""

from __future__ import annotations

import collections
import json
import time
import tomllib
from pathlib import Path

from benchmarks.mutation.mutants import Mutant
from benchmarks.mutation.trial import Trial

EQUIVALENT = Path(__file__).with_name("equivalent.toml")
SEEN = ("killed", "timeout")


class Fates:
    """A fate for each mutant, by its name, in a file: what was killed stays killed."""

    def __init__(self, file: Path, copy: Path, trial: Trial) -> None:
        self._file = file
        self._copy = copy
        self._trial = trial
        self._known: dict[str, str] = json.loads(file.read_text("utf-8")) if file.exists() else {}
        self._same = tomllib.loads(EQUIVALENT.read_text("utf-8"))["mutant"]

    def _source(self, mutant: Mutant) -> bytes:
        return (self._copy / mutant.path).read_bytes()

    def _key(self, mutant: Mutant) -> str:
        """Its name, and the line before it: a function may hold the same line twice."""
        source = self._source(mutant)
        return f"{mutant.name(source)}\n{mutant.told(source)['after']}"

    def is_equivalent(self, mutant: Mutant) -> bool:
        """Does the table say that nobody could see it? A row holds for all that it does not say."""
        told = mutant.told(self._source(mutant)).items()
        return any(told >= row.items() - {("why", row["why"])} for row in self._same)

    def _is_open(self, mutant: Mutant) -> bool:
        known = self._known.get(self._key(mutant))
        return known not in SEEN and not self.is_equivalent(mutant)

    def try_all(self, mutants: list[Mutant], seconds: float, more: float) -> None:
        """Try each on the closest test files; then the survivors on more of them."""
        left: list[tuple[Mutant, list[str]]] = []
        for mutant in filter(self._is_open, mutants):
            tests = self._trial.all_tests(mutant)
            chosen = self._trial.first(tests, seconds)
            if not self._try(mutant, chosen, len(tests)) and len(tests) > len(chosen):
                left.append((mutant, tests[len(chosen) :]))
        if more:
            print(f"\n{len(left)} survivors once more, each up to {more:.0f} s", flush=True)
            for mutant, tests in left:
                self._try(mutant, self._trial.first(tests, more), len(tests))

    def _try(self, mutant: Mutant, tests: list[str], of: int) -> bool:
        """Is it seen? The fate is printed and kept."""
        begin = time.monotonic()
        fate = self._trial.fate(mutant, tests)
        self._known[self._key(mutant)] = fate
        self._file.write_text(json.dumps(self._known), "utf-8")
        how = f"{len(tests)} of {of} files, {time.monotonic() - begin:.0f} s"
        print(f"{fate:9}{mutant.place}  {mutant.kind}  ({how})", flush=True)
        if fate not in SEEN:
            print(mutant.diff(self._source(mutant)), flush=True)
        return fate in SEEN

    def tell(self, mutants: list[Mutant]) -> None:
        """A table by layer, the survivors, and the share that is seen."""
        layers: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
        lost: list[Mutant] = []
        for mutant in mutants:
            fate = "equivalent"
            if not self.is_equivalent(mutant):
                is_seen = self._known[self._key(mutant)] in SEEN
                fate = "killed" if is_seen else "survived"
            layers[mutant.layer][fate] += 1
            lost += [mutant] * (fate == "survived")
        print(f"\n{'layer':12}{'tried':>8}{'killed':>8}{'equivalent':>12}{'survived':>10}")
        layers["all"] = sum((layers[name] for name in sorted(layers)), collections.Counter())
        for name, count in layers.items():
            row = f"{count.total():8}{count['killed']:8}{count['equivalent']:12}"
            print(f"{name:12}{row}{count['survived']:10}")
        for mutant in lost:
            print(f"survived {mutant.place}  {mutant.kind}\n{mutant.diff(self._source(mutant))}")
        behave = layers["all"]["killed"] + len(lost)
        print(f"{layers['all']['killed'] / max(behave, 1):.1%} of what changes behaviour is killed")
