"""A module that is only named is read when something of it is first used: once, and whole."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest
from typing_extensions import override

from engram_desktop import late

NAMED = """
import sys
from types import ModuleType
from engram_desktop import late
from engram_desktop.domain.pipeline import outline
from engram_desktop.domain.memory.line import MAIN_BRANCH
assert type(sys.modules["engram_desktop.domain.memory.line"]) is ModuleType
assert type(outline) is late.UnreadModule
assert outline.__name__ == "engram_desktop.domain.pipeline.outline"
assert type(outline) is late.UnreadModule
assert outline.MAX_GROUP == 10
assert type(outline) is ModuleType
"""


class Slow:
    """A loader whose module takes its time, so that others ask for it meanwhile."""

    def __init__(self):
        self.begun = threading.Event()
        self.goes_on = threading.Event()
        self.runs = 0

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        self.runs += 1
        module.first = 1
        assert module.first == 1  # its own code may ask for what there is
        self.begun.set()
        assert self.goes_on.wait(10)
        module.last = 2


class Failing(Slow):
    @override
    def exec_module(self, module):
        self.runs += 1
        if self.runs == 1:
            raise KeyboardInterrupt
        module.last = 2


def unread(loader):
    from importlib.machinery import ModuleSpec
    from importlib.util import module_from_spec

    late_loader: Any = late._LateLoader(loader)
    module = module_from_spec(ModuleSpec("engram_desktop.tried", late_loader))
    late_loader.exec_module(module)
    return module


@pytest.mark.e2e
def test_named_module_is_read_when_it_is_used():
    subprocess.run([sys.executable, "-c", NAMED], check=True)


def test_other_thread_waits_for_the_whole_module():
    loader = Slow()
    module = unread(loader)
    got = []
    first = threading.Thread(target=lambda: got.append(module.last))
    first.start()
    assert loader.begun.wait(10)
    others = [threading.Thread(target=lambda: got.append(module.last)) for _ in range(4)]
    for other in others:
        other.start()
    loader.goes_on.set()
    for thread in (first, *others):
        thread.join(10)
    assert got == [2] * 5
    assert loader.runs == 1


def test_module_whose_reading_was_broken_off_is_read_again():
    module = unread(Failing())
    with pytest.raises(KeyboardInterrupt):
        _ = module.last
    assert type(module) is late.UnreadModule
    assert module.last == 2
