"""Computers that lack what a window needs: one line says what, and no traceback is shown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone lacks it")
HOMES = ("HOME", "LOCALAPPDATA", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


def window(tmp_path, *words, without=(), **environ):
    own = {k: v for k, v in os.environ.items() if k not in without}
    own |= dict.fromkeys(HOMES, str(tmp_path / "home")) | environ
    library = tmp_path / "library"
    return subprocess.run(
        [sys.executable, "-m", "engram_desktop", "--library", str(library), *map(str, words)],
        cwd=ROOT,
        env=own,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@LINUX
def test_a_missing_library_of_the_system_is_named(tmp_path):
    """As Python says it where libGL is not installed."""
    stand_in = tmp_path / "PySide6"
    stand_in.mkdir()
    why = "libGL.so.1: cannot open shared object file: No such file or directory"
    (stand_in / "__init__.py").write_text(f"raise ImportError({why!r})", "utf-8")
    done = window(tmp_path, PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
    assert done.returncode == 1
    assert "libGL.so.1" in done.stderr
    assert "apt install libgl1" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@LINUX
@pytest.mark.parametrize("display", ["", ":4711"])
def test_a_missing_display_is_said_before_qt_aborts(tmp_path, display):
    gone = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
    done = window(tmp_path, without=gone, **({"DISPLAY": display} if display else {}))
    assert done.returncode == 1
    assert "display" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@LINUX
@pytest.mark.parametrize(("language", "is_told"), [("zh_CN", True), ("ja", True), ("en", False)])
def test_characters_that_no_font_has_are_told(tmp_path, language, is_told):
    fonts = tmp_path / "fonts.conf"
    none = "<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir></fontconfig>"
    fonts.write_text(none, "utf-8")
    picture = tmp_path / "window.png"
    done = window(
        tmp_path,
        *("--language", language, "--screenshot", picture),
        QT_QPA_PLATFORM="offscreen",
        FONTCONFIG_FILE=str(fonts),
    )
    assert done.returncode == 0, done.stderr
    assert ("shown as boxes" in done.stderr) is is_told
    assert picture.exists()
