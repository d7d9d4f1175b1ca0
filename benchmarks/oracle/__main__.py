"""Ask a real SillyTavern everything, and print what agrees and what differs, by kind.

    python -m benchmarks.oracle INSTALLED [KIND …] [--keep]

INSTALLED is a folder whose node_modules hold sillytavern and puppeteer-core. `--keep` writes the
answers down for the suite. Ends with 1 if a difference has no name.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.oracle.tavern import running
from tests.oracle.report import Report

# Each is a module of this package with `compare(tavern, *, is_kept) -> Report`.
KINDS = ("macros", "regex", "worldinfo", "acts", "serving", "playing", "texting")
TRIES = 4  # Chromium dies of half of the long runs on a small machine
_DIED = "Target closed"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.oracle", description=__doc__)
    parser.add_argument("installed", type=Path)
    parser.add_argument("kinds", nargs="*", metavar="KIND", default=KINDS)
    parser.add_argument("--keep", action="store_true", help="write the answers for the suite")
    asked = parser.parse_args()
    reports: list[Report] = []
    for kind in asked.kinds or KINDS:
        report = _compared(asked.installed.resolve(), kind, is_kept=asked.keep)
        print(report.text(), flush=True)
        reports.append(report)
    return 1 if any(report.differ for report in reports) else 0


def _compared(installed: Path, kind: str, *, is_kept: bool) -> Report:
    """Ask one kind of a new SillyTavern; of another one where the browser died."""
    compare = import_module(f"benchmarks.oracle.{kind}").compare
    tries = TRIES
    while True:
        tries -= 1
        try:
            with running(installed) as tavern:
                report: Report = compare(tavern, is_kept=is_kept)
                return report
        except RuntimeError as error:
            if not tries or _DIED not in str(error):
                raise
            print(f"{kind}: the browser died; once more", flush=True)


if __name__ == "__main__":
    sys.exit(main())
