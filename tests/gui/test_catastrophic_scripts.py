"""A pattern that never ends is stopped in time, and the window goes on while it runs."""

from __future__ import annotations

import threading
import time

import pytest
from PySide6.QtCore import QTimer

from engram_desktop.formats.javascript.engine import LIMIT_S
from tests.factories import script_json
from tests.gui.waiting import settle

pytestmark = pytest.mark.gui
# Each takes longer than the age of the world for thirty letters.
PATTERNS = (r"/^(.+)+[§]$/", r"/^(?:.|.)*[§]$/", r"/^(\S+\s?)+[§]$/s", r"/(?:.*?,){14}[§]/s")


class Ticks:
    """Notes how long the window was deaf, at most."""

    def __init__(self):
        self.count = 0
        self.longest = 0.0
        self._last = time.perf_counter()
        self._timer = QTimer(interval=5)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self):
        now = time.perf_counter()
        self.longest = max(self.longest, now - self._last)
        self._last = now
        self.count += 1

    def stop(self):
        self._timer.stop()


class Floor:
    """How long this busy computer leaves any thread of the process alone, at most."""

    def __init__(self):
        self.longest = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        last = time.perf_counter()
        while not self._ended.wait(0.005):
            now = time.perf_counter()
            self.longest, last = max(self.longest, now - last), now

    def stop(self):
        self._ended.set()
        self._thread.join()


def test_the_window_ticks_while_scripts_are_stopped(qtbot, desktop, memory, tmp_path):
    path = tmp_path / "regex.json"
    scripts = [script_json(find, "", name=f"s{n}") for n, find in enumerate(PATTERNS)]
    path.write_text(f"[{','.join(scripts)}]", "utf-8")
    desktop.window.models.scripts.take([path])
    settle(qtbot, desktop)
    chat = desktop.workspace.chat_id
    ticks, floor = Ticks(), Floor()
    try:
        desktop.window.models.pipeline.redo((0, 40), "extractive")
        settle(qtbot, desktop)
    finally:
        ticks.stop()
        floor.stop()
    held = memory.regex_scripts()
    stopped = [stored for stored in held if not stored.is_enabled]
    assert len(stopped) >= 2
    assert all(f"{LIMIT_S} s" in stored.fault for stored in stopped)
    assert memory.drafts(chat)  # the summary was made all the same
    bars = desktop.window.message_bar.bars
    told = [bar for bar in bars if "was switched off" in bar.notice.text]
    assert {bar.notice.text.split("“")[1][:2] for bar in told} <= {s.script.name for s in stopped}
    told[-1].notice.action()
    settle(qtbot, desktop)
    page = desktop.window.dialogs.shown[-1].scripts
    assert page.isVisible()
    assert any(f"{LIMIT_S} s" in page.tree.topLevelItem(n).text(2) for n in range(len(PATTERNS)))
    # Not a measure of speed: had the window waited for one pattern, it would be longer.
    longest = f"{ticks.longest:.3f} s, any thread {floor.longest:.3f} s"
    assert ticks.longest < LIMIT_S + 3 * floor.longest, longest
    assert ticks.count > len(stopped) * LIMIT_S / 0.05
