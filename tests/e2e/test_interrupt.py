"""Ctrl+C while the command line is still being loaded: 130, one line, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e
# Sends the signal itself, when a module is imported: as early and as late as can be.
SCRIPT = """
import os, signal, sys
class At:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, At())
from engram_desktop.cli.entry import run
sys.argv = ["engram", "chats", "--library", {library!r}]
run()
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no signal to send to oneself")
@pytest.mark.parametrize(
    "name",
    [
        "engram_desktop.cli.main",
        "argparse",
        "engram_desktop.services.memory",
        "apsw",
        "engram_desktop.storage.library.library",
        "engram_desktop.cli.chat_verbs",
    ],
)
def test_a_command_that_is_still_loading_ends_at_once(tmp_path, name):
    root = Path(__file__).parents[2]
    script = SCRIPT.format(name=name, library=str(tmp_path / "library"))
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "engram: cancelled\n")
    assert not (tmp_path / "library").exists()
