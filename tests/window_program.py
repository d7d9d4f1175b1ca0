"""A window as one of several programs at a library: somebody adds events to it and edits them.

Notes what was acknowledged, as `many_programs` does, and how long the GUI thread did not answer.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from engram_desktop.app import opening
from engram_desktop.app.start import build
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventPatch, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from tests.many_programs import SHARED

PAUSE_MS = 400  # between two things that are done
TICK_MS = 20


class _Somebody:
    def __init__(self, app: QApplication, folder: Path, number: int) -> None:
        self._notes = (folder / f"notes-{number}.jsonl").open("a", encoding="utf-8")
        memory = opening.open_library(app, folder / "library", asks=True, language="en")
        assert memory is not None
        self.memory: Memory = memory
        self.desktop = build(app, self.memory, folder / "library", language="en")
        self.desktop.window.show()
        chat = next(row.chat_id for row in self.memory.chats.all() if row.name == SHARED)
        self._line = Line.main(chat)
        self.desktop.workspace.show_chat(chat)
        self.desktop.window.show_page("events")
        self._serial = 0
        self._is_busy = False
        self._own: list[tuple[int, str]] = []
        self.seen: set[int] = set()
        self._last = time.monotonic()
        self.longest = 0.0
        self._timers = [QTimer(interval=PAUSE_MS), QTimer(interval=TICK_MS)]
        self._timers[0].timeout.connect(self._act)
        self._timers[1].timeout.connect(self._tick)
        for timer in self._timers:
            timer.start()

    def _tick(self) -> None:
        now = time.monotonic()
        self.longest, self._last = max(self.longest, now - self._last), now
        self.seen.update(self.desktop.window.models.events.model.keys())

    def _act(self) -> None:
        if self._is_busy:
            return
        self._is_busy = True
        self._serial += 1
        began, text = time.monotonic(), f"窗口记下第{self._serial}件事"
        if self._serial % 3 or not self._own:
            data, span = PlotExtraction(summary=text), SourceRange(0, 0)
            memory, line = self.memory, self._line
            done: list[tuple[int, str]] = []

            def work(_ctx: JobContext) -> Changes:
                key, changes = memory.events.add(line, data, span)
                done.append((key, memory.events.fetch(line.chat_id, [key])[key].id))
                return changes

            job = self.desktop.workspace.change("add", work)
            job.succeeded.connect(lambda _changes: self._own.extend(done))
        else:
            done = [self._own[self._serial % len(self._own)]]
            ((key, _id),) = done
            memory, chat, patch = self.memory, self._line.chat_id, EventPatch(summary=text)
            job = self.desktop.workspace.change(
                "edit", lambda _ctx: memory.events.update(chat, key, patch)
            )
        job.succeeded.connect(lambda _changes: self._note(began, [["event", done[0][1], text]]))
        job.failed.connect(lambda error: self._note(began, [], str(error)))
        job.finished.connect(self._end)

    def _end(self) -> None:
        self._is_busy = False

    def _note(self, began: float, promises: list[object], error: str = "") -> None:
        self._write("window", promises, time.monotonic() - began, error)

    def _write(self, verb: str, promises: list[object], seconds: float, error: str = "") -> None:
        note = {"verb": verb, "code": int(bool(error)), "error": error, "promises": promises}
        line = json.dumps(note | {"seconds": round(seconds, 3)}, ensure_ascii=False)
        self._notes.write(line + "\n")
        self._notes.flush()

    def close(self) -> None:
        for timer in self._timers:
            timer.stop()
        while self._is_busy:  # what was written is to be noted too
            QApplication.processEvents()
        if not self.desktop.close(60_000):
            self._write("window", [], 0.0, "a job would not stop")
        self._write("window stands still", [], self.longest)
        print(f"the window saw {len(self.seen)} events, {len(self._own)} of them its own")
        self.memory.close()


def main(folder: str, number: str, seconds: str) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication([])
    somebody = _Somebody(app, Path(folder), int(number))
    QTimer.singleShot(int(float(seconds) * 1000), app.quit)
    app.exec()
    somebody.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
