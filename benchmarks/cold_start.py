"""How long a start takes, beside Python, Qt and a bare window on the same machine in the same run.

`python -m benchmarks.cold_start` prints seconds of processor time (median of fifteen, bytecode
kept) and ratios (median of those of each turn), then what of a start is reading modules, by
package.
"""

from __future__ import annotations

import collections
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QSettings

from benchmarks import require
from engram_desktop.app import zoom

RUNS = 15
SHOWN = 14
# What comes after the first paint is not told of.
QUIT = "import os; sys.stdout.flush(); os._exit(0)"
CHATS = f"""
import sys
from engram_desktop.cli.main import main
assert main(["chats"]) == 0
{QUIT}
"""
BARE = f"""
import sys
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.show()
window.grab()
{QUIT}
"""
WINDOW = f"""
import gc, os, sys
gc.disable()  # as app/entry.py does
from pathlib import Path
from engram_desktop.app import entry
entry.import_qt()
from engram_desktop.app import main
app = main.QApplication([])
from engram_desktop.app.start import build
from engram_desktop.domain.write_access import WINDOW
from engram_desktop.services.memory import Memory
library = Path(os.environ["ENGRAM_LIBRARY"])
memory = Memory.open(library, program="bench", environ={{}}, access=WINDOW)
desktop = build(app, memory, library, language="zh_CN", theme="light")
desktop.window.show()
assert not desktop.window.grab().isNull()
{QUIT}
"""
# `-X importtime` is blind to modules that are read late, after they were imported.
PROBE = """
import json, time
from importlib.machinery import ExtensionFileLoader, SourceFileLoader

spent, inside = {}, []
def timed(real):
    def exec_module(self, module):
        start = time.thread_time()
        inside.append(0.0)
        try:
            real(self, module)
        finally:
            whole = time.thread_time() - start
            spent[module.__spec__.name] = (whole - inside.pop()) * 1e3
            if inside:
                inside[-1] += whole
    return exec_module
for kind in (ExtensionFileLoader, SourceFileLoader):
    kind.exec_module = timed(kind.exec_module)
"""
PROGRAMS = {
    "python -c pass": "pass",
    "import PySide6.QtWidgets": "import PySide6.QtWidgets",
    "a bare window": BARE,
    "engram chats": CHATS,
    "our window": WINDOW,
}


def environment(folder: Path, library: Path) -> dict[str, str]:
    """Keep bytecode, as where the program is installed."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    ours = {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "ENGRAM_LIBRARY": str(library)}
    return {"QT_QPA_PLATFORM": "offscreen"} | kept | ours


def seconds(source: str, environ: dict[str, str]) -> float:
    """Processor time of one run, all threads together."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(source, environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(source: str, environ: dict[str, str]) -> str:
    """Run ``source`` in a Python of its own; return what it wrote."""
    command = [sys.executable, "-c", source]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environ)
    return done.stdout


def by_package(source: str, environ: dict[str, str]) -> dict[str, tuple[int, float]]:
    """Return modules and milliseconds of processor time that reading them takes, by package."""
    told = run(PROBE + source.replace(QUIT, f"print(json.dumps(spent)); {QUIT}"), environ)
    found: dict[str, tuple[int, float]] = collections.defaultdict(lambda: (0, 0.0))
    for name, own in json.loads(told.splitlines()[-1]).items():
        parts = name.split(".")
        package = ".".join(parts[:2]) if parts[0] == "engram_desktop" else parts[0]
        count, spent = found[package]
        found[package] = (count + 1, spent + own)
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        empty, demo = environment(folder, folder / "empty"), environment(folder, folder / "demo")
        story = str(folder / "demo")
        run(f"from engram_desktop.cli.main import main; main(['demo', {story!r}])", demo)
        require(run(CHATS, demo).strip(), "the bundled story is no chat of its library")
        opened = environment(folder, folder / "opened")
        shutil.copytree(folder / "demo", folder / "opened")
        (chat,) = json.loads(run(CHATS.replace('["chats"]', '["chats", "--json"]'), demo))
        memo = QSettings(str(folder / "opened" / zoom.MEMO), QSettings.Format.IniFormat)
        memo.setValue("chat", chat["chat_id"])
        memo.sync()
        libraries = {
            "holds nothing": empty,
            "holds the bundled story": demo,
            "was left at the bundled story": opened,
        }
        for title, environ in libraries.items():
            taken: dict[str, list[float]] = {name: [] for name in PROGRAMS}
            for turn in range(RUNS + 1):
                for name, source in PROGRAMS.items():
                    spent = seconds(source, environ)
                    if turn:  # the first one writes bytecode
                        taken[name].append(spent)
            print(f"\na library that {title}")
            bare = taken["a bare window"]
            for name, values in taken.items():
                ratio = statistics.median(
                    own / beside for own, beside in zip(values, bare, strict=True)
                )
                spent = statistics.median(values)
                print(f"  {name:26} {spent:6.3f} s  {ratio:5.2f} of a bare window")
        for name in ("engram chats", "our window"):
            found = by_package(PROGRAMS[name], demo)
            print(f"\nread by {name}: {sum(n for n, _ in found.values())} modules")
            dearest = sorted(found.items(), key=lambda row: -row[1][1])[:SHOWN]
            for package, (count, spent) in dearest:
                print(f"  {package:26} {count:4}  {spent:6.1f} ms")


if __name__ == "__main__":
    main()
