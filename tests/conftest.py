"""Before any Qt import: draw offscreen. Generated examples are the same in every run, unless asked.

``HYPOTHESIS_PROFILE=explore pytest tests/property`` looks for new ones; what it finds becomes an
``@example``.
"""

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

if sys.dont_write_bytecode:
    # None beside the sources, then: but hundreds of processes shall not compile the program again.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

from engram_desktop.app import entry
from engram_desktop.formats.javascript.engine import JavaScript
from tests.guards import no_dangling_thread, no_network, no_stray_log, true_marks, watch

__all__ = ["no_dangling_thread", "no_network", "no_stray_log", "true_marks", "watch"]

# Folders of tests in memory, where the system has such a place: a third of the time of what opens
# libraries was waiting for a disk that nobody reads again.
MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own there
ROOM = 4 << 30  # bytes; a run needs a tenth of that at any moment
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    # Generated examples each make a folder of their own, and processes have theirs.
    if "TMPDIR" not in os.environ:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
entry.import_qt()  # as the program does: PySide's own import reads the source of every module
# The same in every run, so that a hundred of a kind find little more than half as many.
EXAMPLES = 50
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=EXAMPLES)
settings.register_profile(
    "explore", derandomize=False, deadline=None, max_examples=1000, print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


MEMORY_EACH = 2 << 30  # bytes: a worker that has drawn windows holds 1.9 GB at its most


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Half as many workers again as processors: a third of a run is waiting.

    It waits for killed processes, for servers and for timers of windows. None: as xdist has it.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ or not hasattr(os, "sched_getaffinity"):
        return None
    processors = len(os.sched_getaffinity(0))
    room = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MEMORY_EACH
    return max(processors, min(processors + (processors + 1) // 2, room))


@pytest.fixture(scope="module")
def javascript() -> Iterator[JavaScript]:
    made = JavaScript()
    yield made
    made.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What asks for a QApplication draws: nobody has to say so."""
    for item in items:
        if "qapp" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.gui)


def pytest_collection() -> None:
    gc.disable()  # a tenth of the time of reading all tests: nothing of them is garbage


def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of Python's search for garbage.

    It stays for good, and to look through it again and again took a twelfth of the unit tests.
    """
    gc.collect()
    gc.freeze()
    gc.enable()
