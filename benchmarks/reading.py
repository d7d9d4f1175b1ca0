"""The page of a chat's text at 100,000 floors, with an event for every ten of them.

    python -m benchmarks.reading [FLOORS]

A frame is what the GUI thread does in one turn for one step: the event, the layout of rows that
come into view, the painting of them and of the marks beside them. Beside the time that passed
stands the thread's own work: a busy computer lengthens only the former.

Times of opening are from asking for the page to its rows painted; the longest turn of the event
loop meanwhile is given too. The last lines are a search through every floor and a jump to lines.
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from benchmarks.chat_view import Frames, figures, message, turn_wheel
from engram_desktop.app.desktop import Desktop
from engram_desktop.app.start import build
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.widgets.reading.reading_page import ReadingPage
from tests.factories import make_event, make_extraction, write_chat

LONG = 10  # floors that an event tells of
PAUSE = 0.002  # seconds the lanes are left to work between two turns


def fill(memory: Memory, folder: Path, count: int) -> str:
    """Make a chat with its events; every third is blue, and every twentieth stale."""
    rows = [(("爱丽丝", "旅人")[n % 2], message(n)) for n in range(count)]
    file = write_chat(folder / "长.jsonl", rows)
    chat = memory.imports.import_file(NullContext(), file).chat_id or ""
    store = memory.session.chat(chat)
    events = [
        make_event(
            f"第{n}段：{make_extraction().summary}",
            n,
            min(count, n + LONG) - 1,
            status="archived" if n // LONG % 3 else "buffer",
            is_archived=n // LONG % 3 > 0,
            is_stale=n // LONG % 20 == 7,
        )
        for n in range(0, count, LONG)
    ]
    with store.database.writing():
        store.events.add(events, 1)
    return chat


class Turns:
    """Turns of the event loop until something is so."""

    def __init__(self, app: QApplication) -> None:
        self._app = app
        self._lanes = threading.Event()  # never set: waiting for it lets the lanes work

    def until(self, name: str, is_so: Callable[[], bool]) -> None:
        start = time.perf_counter()
        taken: list[float] = []
        worked: list[float] = []
        while not taken or not is_so():
            self._lanes.wait(PAUSE)
            turn, work = time.perf_counter(), time.thread_time()
            self._app.sendPostedEvents()
            self._app.processEvents()
            taken.append((time.perf_counter() - turn) * 1e3)
            worked.append((time.thread_time() - work) * 1e3)
        whole = (time.perf_counter() - start) * 1e3
        print(f"{name:<34} | {figures(taken)} | {figures(worked)} | {whole:7.0f} ms in all")


def scroll(app: QApplication, page: ReadingPage, count: int) -> None:
    view = page.view
    steps = Frames(app, "wheel, up from the end")
    for _ in range(400):
        steps.do(lambda: turn_wheel(view, 120))
    steps.tell()
    view.show_floor(count // 2)
    app.processEvents()
    steps = Frames(app, "pages, down from the middle")
    for _ in range(200):
        steps.do(lambda: QTest.keyClick(view, Qt.Key.Key_PageDown))
    steps.tell()
    steps = Frames(app, "the bar dragged all over")
    chance, bar = random.Random(3), view.verticalScrollBar()
    bar.setSliderDown(True)
    for _ in range(200):
        steps.do(lambda: bar.setSliderPosition(chance.randrange(bar.maximum())))
    bar.setSliderDown(False)
    steps.tell()
    steps = Frames(app, "to the end and back")
    for _ in range(40):
        steps.do(lambda: QTest.keyClick(view, Qt.Key.Key_End))
        steps.do(lambda: QTest.keyClick(view, Qt.Key.Key_Home))
    steps.tell()


def use(app: QApplication, desktop: Desktop, count: int) -> None:
    turns, window = Turns(app), desktop.window
    turns.until("window opens", lambda: desktop.runner.is_idle and window.models.chats.is_loaded)
    window.show_page("reading")
    page = window.stack.page_as("reading", ReadingPage)
    models = window.models
    turns.until("the page opens: its text", lambda: page.view.seen[1] == count - 1)
    turns.until("… and its marks", lambda: models.marks.is_loaded and desktop.runner.is_idle)
    scroll(app, page, count)
    page.search.field.setText("钥匙")
    turns.until("searched through every floor", lambda: not models.text_search.is_busy)
    hits = models.text_search.hits
    print(f"found {hits.total:,} times on {len(hits.floors):,} floors")
    steps = Frames(app, "F3, marked words painted")
    for _ in range(200):
        steps.do(lambda: models.text_search.go(1))
    steps.tell()
    steps = Frames(app, "lines of an event gone to")
    chance = random.Random(5)
    for _ in range(100):
        first = chance.randrange(count - LONG)
        steps.do(partial(desktop.workspace.floor_wanted.emit, first, first + LONG - 1))
    steps.tell()
    window.show_page("events")
    turns.until("another page", lambda: desktop.runner.is_idle)
    window.show_page("reading")
    turns.until("the page is shown again", lambda: desktop.runner.is_idle)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    app = QApplication([])
    with tempfile.TemporaryDirectory() as place:
        memory = Memory.open(Path(place) / "library", environ={})
        settings = {"index.backend": "exact", "embed.local": "hash", "keys.storage": "session"}
        for key, value in (settings | {"auto.enabled": False}).items():
            memory.settings.set(key, value)
        chat = fill(memory, Path(place), count)
        desktop = build(app, memory, memory.folder, language="zh_CN", theme="light")
        desktop.workspace.chat_changed.disconnect(desktop.keeper.watch)
        desktop.workspace.hub.changed.disconnect(desktop.keeper._on_changed)
        desktop.window.show()
        desktop.workspace.show_chat(chat)
        print(f"{count:,} floors; p50, p95, longest turn in ms: in all | own work")
        use(app, desktop, count)
        desktop.close(20_000)
        memory.close()


if __name__ == "__main__":
    main()
