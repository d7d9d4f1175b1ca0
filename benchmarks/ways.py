"""How many files of the program three everyday acts pass through.

    python -m benchmarks.ways [--files]

Counted are the files of `engram_desktop` of which a function is called, the first time it is done:
from the opening of a library until a dropped chat is imported and drawn, from a question until the
text for a prompt, and from the click on 整理记忆 until the window is drawn again. `--files` names
the files.
"""

from __future__ import annotations

import collections
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

import engram_desktop
from engram_desktop.app.desktop import Desktop
from engram_desktop.app.start import build
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.qtjobs.runner import LANES
from engram_desktop.services.demo import run_demo
from engram_desktop.services.memory import Memory
from engram_desktop.widgets.chats.import_dialog import ImportDialog
from engram_desktop.widgets.pipeline.step_dialogs import ConsolidateDialog

PACKAGE = str(Path(engram_desktop.__file__).parent) + os.sep
OPTIMISED = 0x1  # a function: neither a module nor the body of a class
GOALS = {"import until drawn": 170, "question until text": 50, "整理记忆 until redrawn": 105}
STORY = resource("story/月光酒馆.jsonl")
W = TypeVar("W")


class Passed:
    """Notes files while it listens, in the threads of the window's jobs too."""

    def __init__(self) -> None:
        self.files: collections.Counter[str] = collections.Counter()
        self._is_on = False

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if self._is_on and event == "call" and frame.f_code.co_flags & OPTIMISED:
            name = frame.f_code.co_filename
            if name.startswith(PACKAGE):
                self.files[name.removeprefix(PACKAGE)] += 1

    def listen(self, desktop: Desktop | None = None) -> None:
        threading.setprofile(self)
        if desktop is not None:
            for lane in LANES:
                desktop.runner.submit("", lambda _ctx: sys.setprofile(self), lane=lane)
            settle(desktop)
        sys.setprofile(self)
        self._is_on = True

    def stop(self) -> None:
        self._is_on = False
        sys.setprofile(None)
        threading.setprofile(None)


def settle(desktop: Desktop) -> None:
    """Let the window work until no job runs and nothing waits for a pause in typing."""

    def is_busy() -> bool:
        timers = desktop.window.findChildren(QTimer)
        waits = any(t.isActive() and t.isSingleShot() and t.interval() <= 500 for t in timers)
        return waits or not desktop.runner.is_idle

    rounds = 0
    while rounds < 3 or is_busy():
        rounds += 1
        loop = QEventLoop()
        QTimer.singleShot(20, loop.quit)
        loop.exec()


def opened(app: QApplication, folder: Path) -> tuple[Memory, Desktop]:
    memory = Memory.open(folder, program="bench", environ={})
    memory.settings.set("index.backend", "exact")
    memory.settings.set("auto.enabled", value=False)
    desktop = build(app, memory, folder, language="zh_CN", theme="light")
    desktop.window.show()
    settle(desktop)
    return memory, desktop


def close(memory: Memory, desktop: Desktop) -> None:
    desktop.close(5000)
    desktop.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    memory.close()


def shown(desktop: Desktop, kind: type[W]) -> W:
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, kind)
    return dialog


def importing(app: QApplication, folder: Path, passed: Passed) -> None:
    passed.listen()
    memory, desktop = opened(app, folder)
    passed.listen(desktop)
    desktop.window.import_files([STORY])
    settle(desktop)
    shown(desktop, ImportDialog).import_button.click()
    settle(desktop)
    desktop.window.grab()
    passed.stop()
    close(memory, desktop)


def asking(_app: QApplication, folder: Path, passed: Passed) -> None:
    memory = Memory.open(folder, program="bench", environ={})
    memory.settings.set("index.backend", "exact")
    run_demo(memory, NullContext())
    chat = memory.chats.all()[0].chat_id
    passed.listen()
    text = memory.inject.compose(NullContext(), chat, RecallQuery("铜钥匙在谁那里？")).text
    passed.stop()
    assert text
    memory.close()


def consolidating(app: QApplication, folder: Path, passed: Passed) -> None:
    first = Memory.open(folder, program="bench", environ={})
    first.settings.set("index.backend", "exact")
    chat = first.imports.import_file(NullContext(), STORY).chat_id
    assert chat is not None
    first.pipeline.summarise(NullContext(), Line.main(chat), (0, 99), "extractive")
    first.close()
    memory, desktop = opened(app, folder)
    desktop.window.dialogs.open_consolidate()
    settle(desktop)
    dialog = shown(desktop, ConsolidateDialog)
    passed.listen(desktop)
    dialog.start_button.click()
    settle(desktop)
    desktop.window.grab()
    passed.stop()
    assert memory.events.counts(Line.main(chat)).buffer == 0
    close(memory, desktop)


WAYS: dict[str, Callable[[QApplication, Path, Passed], None]] = dict(
    zip(GOALS, (importing, asking, consolidating), strict=True)
)


def main(arguments: list[str]) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QT_LOGGING_RULES", "*=false")
    app = QApplication(sys.argv[:1])
    for name, way in WAYS.items():
        passed = Passed()
        with tempfile.TemporaryDirectory(prefix="ways-") as folder:
            way(app, Path(folder) / "library", passed)
        print(f"{name}: {len(passed.files)} files (goal: {GOALS[name]})", flush=True)
        if "--files" in arguments:
            for file in sorted(passed.files):
                print(f"    {file}")


if __name__ == "__main__":
    main(sys.argv[1:])
