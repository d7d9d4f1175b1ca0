"""How large everything is drawn: chosen in the settings, taken by the next start."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QImage

from engram_desktop.app import zoom
from engram_desktop.domain.changes import Changes
from tests.gui.waiting import settle


def memo_of(folder):
    return QSettings(str(folder / zoom.MEMO), QSettings.Format.IniFormat)


@pytest.mark.parametrize(
    ("kept", "scale"),
    [(None, None), (100, None), (150, "1.5"), (5, "0.8"), (99999999, "2"), ("x", None)],
)
def test_what_was_kept_is_the_scale_of_the_next_start(tmp_path, kept, scale):
    if kept is not None:
        memo = memo_of(tmp_path)
        memo.setValue("ui.zoom", kept)
        memo.sync()
    assert zoom.with_zoom({}, tmp_path).get("QT_SCALE_FACTOR") == scale
    assert zoom.with_zoom({"QT_SCALE_FACTOR": "1.25"}, tmp_path) == {}


def test_a_choice_in_the_settings_is_said_and_kept(qtbot, desktop):
    space = desktop.workspace
    with qtbot.waitSignal(space.messages.posted) as told:
        space.memory.settings.set("ui.zoom", 125)
        space.hub.publish(Changes(settings=True), None)
        settle(qtbot, desktop)
    assert "125" in told.args[0].text
    assert zoom.read(desktop._memo) == 125


@pytest.mark.e2e
def test_a_window_is_drawn_larger(tmp_path):
    memo = memo_of(tmp_path)
    memo.setValue("ui.zoom", 150)
    memo.sync()
    picture = tmp_path / "window.png"
    command = "from engram_desktop.app.entry import run; import sys; sys.exit(run())"
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environ.pop("QT_SCALE_FACTOR", None)
    done = subprocess.run(
        [sys.executable, "-c", command, "--library", str(tmp_path), "--screenshot", str(picture)],
        env=environ,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    width = QImage(str(picture)).width()
    assert width == 1440 * 1.5
