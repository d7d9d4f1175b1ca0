"""Draw offscreen, with the fixtures of the tests of the window."""

import os

from tests.gui.conftest import (
    desktop,
    empty_memory,
    finished_demo,
    library,
    memory,
    no_dangling_threads,
    open_desktop,
    open_memory,
    space,
)

__all__ = [
    "desktop",
    "empty_memory",
    "finished_demo",
    "library",
    "memory",
    "no_dangling_threads",
    "open_desktop",
    "open_memory",
    "space",
]

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
