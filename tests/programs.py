"""Programs in processes of their own: run to their end, or started and spoken to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
# The command line, as its script calls it.
COMMAND_LINE = "import sys; from engram_desktop.cli.main import main; sys.exit(main(sys.argv[1:]))"
PATIENCE_S = 120  # a start of the window on a busy computer takes twenty
if sys.platform == "win32":
    FLAGS, INTERRUPT = subprocess.CREATE_NEW_PROCESS_GROUP, signal.CTRL_BREAK_EVENT
else:
    FLAGS, INTERRUPT = 0, signal.SIGINT


def run_program(
    *words: object, check: bool = False, timeout: float = PATIENCE_S, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; return its exit code and what it wrote, as text."""
    return subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=check,
        timeout=timeout,
        **options,
    )


def run_python(code: str, *words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run ``code`` in a Python of its own; ``words`` are its arguments."""
    return run_program(sys.executable, "-c", code, *words, **options)


def start_python(code: str, *words: object, **options: Any) -> subprocess.Popen[str]:
    """Start ``code`` in a Python for which nothing of ours is set; its output comes by pipes."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ENGRAM_")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        text=True,
        encoding="utf-8",
        env=environ | options.pop("environ", {}),
        **pipes | options,
    )
