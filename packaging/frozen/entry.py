"""Where the frozen program begins: the window, or the command line if it was started as `engram`.

One program with two names, as its archive of modules is 20 MB. The index worker is a copy of it.
"""

import multiprocessing
import os
import sys
from pathlib import Path

if __name__ == "__main__":
    # Windows gives a program without a console no streams, and libraries write to them.
    if sys.stdout is None or sys.stderr is None:
        nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for its whole life
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    multiprocessing.freeze_support()
    if Path(sys.argv[0]).stem.lower() == "engram":
        from engram_desktop.cli.entry import run as run_command

        run_command()
    # Tells Qt where it lies; commands need none of Qt.
    import pyi_rth_pyside6  # type: ignore[import-not-found]  # noqa: F401

    from engram_desktop.app.entry import run as run_window

    raise SystemExit(run_window())
