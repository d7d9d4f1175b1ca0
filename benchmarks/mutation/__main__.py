"""Put faults into a copy of the program and see whether a test fails.

    python -m benchmarks.mutation SEED COUNT

Each fault is tried on the test files closest to it. Those that survive are tried once more, on more
of the files that run it. What is measured once (which test runs which line) is kept in a folder of
its own, named at the start; `--folder` uses it again, with the checkout as it is now, and tries
nothing again that was killed.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from pathlib import Path

from benchmarks.mutation.fates import Fates
from benchmarks.mutation.mutants import all_mutants, pick
from benchmarks.mutation.trial import Trial, copy_checkout
from benchmarks.mutation.which_tests import WhichTests


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=__doc__)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("count", type=int, nargs="?", default=20)
    parser.add_argument("--skip", type=int, default=0, help="so many of the seed's first")
    parser.add_argument("--folder", type=Path, help="what an earlier run measured")
    parser.add_argument("--measure", action="store_true", help="only measure what tests run")
    parser.add_argument("--measured", action="store_true", help="with what was measured so far")
    parser.add_argument("--layers", nargs="+", metavar="LAYER", help="only these")
    parser.add_argument("--only", default="", help="only modules whose path has this in it")
    parser.add_argument("--seconds", type=float, default=45.0, help="of tests for each, at first")
    parser.add_argument("--more", type=float, default=240.0, help="for each survivor; 0: no more")
    asked = parser.parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="mutation-"))
    folder.mkdir(exist_ok=True)
    print(f"In {folder}", flush=True)
    copy = folder / "copy"
    copy_checkout(copy)
    tests = WhichTests(folder, copy)
    if not asked.measured:
        tests.measure()
    if asked.measure:
        return
    tests.load()
    layers = {
        layer: [mutant for mutant in mutants if asked.only in mutant.path]
        for layer, mutants in all_mutants(copy).items()
        if not asked.layers or layer in asked.layers
    }
    picked = pick(copy, layers, asked.seed)
    mutants = list(itertools.islice(picked, asked.skip, asked.skip + asked.count))
    fates = Fates(folder / "fates.json", copy, Trial(copy, tests))
    fates.try_all(mutants, asked.seconds, asked.more)
    fates.tell(mutants)


if __name__ == "__main__":
    main()
