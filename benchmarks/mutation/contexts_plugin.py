"""A pytest plugin while it is measured which test file runs what: one context a test file.

Jobs on QThreads are measured too, though Python traces only threads of its own; and so are child
processes, which take the name of the file from their environment.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import defaultdict
from pathlib import Path

import coverage
import pytest

from engram_desktop.qtjobs import runner, tavern_watcher

seconds: dict[str, float] = defaultdict(float)
failed: set[str] = set()


def _traced(real):
    def run(self):
        sys.settrace(threading.gettrace())
        real(self)

    return run


def pytest_configure():
    for kind in (runner._Thread, tavern_watcher.Sentry):
        setattr(kind, "run", _traced(kind.run))  # noqa: B010  it is meant


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item):
    name = item.nodeid.split("::")[0]
    if os.environ["MUTATION_CONTEXT"] != name:
        os.environ["MUTATION_CONTEXT"] = name
        measuring = coverage.Coverage.current()
        assert measuring is not None
        measuring.switch_context(name)


def pytest_runtest_logreport(report):
    name = report.nodeid.split("::")[0]
    seconds[name] += report.duration
    if report.failed:
        failed.add(name)


def pytest_sessionfinish():
    told = {name: {"seconds": took, "passed": name not in failed} for name, took in seconds.items()}
    Path(os.environ["MUTATION_TOLD"]).write_text(json.dumps(told), "utf-8")
