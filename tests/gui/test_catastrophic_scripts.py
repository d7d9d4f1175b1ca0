"""A pattern that never ends is stopped in time, and the window goes on while it runs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QTimer

from engram_desktop.domain.memory.line import Line
from engram_desktop.formats.javascript.engine import LIMIT_S
from tests.endless_patterns import ENDLESS
from tests.factories import script_json
from tests.gui.waiting import settle


@pytest.mark.logs("was switched off")
def test_the_window_ticks_while_scripts_are_stopped(qtbot, desktop, memory, tmp_path):
    path = tmp_path / "regex.json"
    scripts = [script_json(find, "", name=f"s{n}") for n, find in enumerate(ENDLESS)]
    path.write_text(f"[{','.join(scripts)}]", "utf-8")
    desktop.window.models.scripts.take([path])
    settle(qtbot, desktop)
    chat = desktop.workspace.chat_id
    ticks = []
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: ticks.append(desktop.runner.is_idle))
    timer.start()
    desktop.window.models.pipeline.redo((0, 40), "extractive")
    settle(qtbot, desktop)
    timer.stop()
    held = memory.scripts.all()
    stopped = [stored for stored in held if not stored.is_enabled]
    assert len(stopped) >= 2
    assert all(f"{LIMIT_S} s" in stored.fault for stored in stopped)
    assert memory.drafts.find(Line.main(chat))  # the summary was made all the same
    bars = desktop.window.message_bar.bars
    told = [bar for bar in bars if "was switched off" in bar.notice.text]
    assert {bar.notice.text.split("“")[1][:2] for bar in told} <= {s.script.name for s in stopped}
    told[-1].notice.action()
    settle(qtbot, desktop)
    page = desktop.window.dialogs.shown[-1].scripts
    assert page.isVisible()
    assert any(f"{LIMIT_S} s" in page.tree.topLevelItem(n).text(2) for n in range(len(ENDLESS)))
    # How long it is away at most is a figure: tests/bench/gui_stalls.py.
    assert ticks.count(False) > len(stopped), "the window waited for the patterns"
