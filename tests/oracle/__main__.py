"""Ask a real SillyTavern everything, and print what agrees and what differs, by kind.

    python -m tests.oracle INSTALLED [KIND …] [--keep]

INSTALLED is a folder whose node_modules hold sillytavern and puppeteer-core. `--keep` writes the
answers down for the suite. Ends with 1 if a difference has no name.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from tests.oracle.report import Report
from tests.oracle.tavern import running

# Each is a module of this package with `compare(tavern, *, is_kept) -> Report`.
KINDS = ("macros", "regex", "worldinfo", "acts")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("installed", type=Path)
    parser.add_argument("kinds", nargs="*", metavar="KIND", default=KINDS)
    parser.add_argument("--keep", action="store_true", help="write the answers for the suite")
    asked = parser.parse_args()
    reports: list[Report] = []
    for kind in asked.kinds or KINDS:
        with running(asked.installed.resolve()) as tavern:
            report = import_module(f"tests.oracle.{kind}").compare(tavern, is_kept=asked.keep)
        print(report.text(), flush=True)
        reports.append(report)
    return 1 if any(report.differ for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
