"""The zoom of the whole program: set in the settings, known before the first window is made.

Qt takes a scale for the program before it starts, and multiplies it with that of the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QSettings

from engram_desktop.domain.settings import DECLARED

_KEY = "ui.zoom"
_SCALE = "QT_SCALE_FACTOR"
MEMO = "window.ini"


def remember(memo: QSettings, percent: int) -> bool:
    """Store the zoom of the next start; returns whether it changed."""
    is_new = read(memo) != percent
    if is_new:
        memo.setValue(_KEY, percent)
        memo.sync()
    return is_new


def read(memo: QSettings) -> int:
    """Return the stored percentage; the default if it is missing or invalid."""
    declared = DECLARED[_KEY]
    text = str(memo.value(_KEY, declared.default))
    if not text.isdecimal() or declared.low is None or declared.high is None:
        return int(declared.default)
    return int(min(max(int(text[:6]), declared.low), declared.high))


def with_zoom(environment: Mapping[str, str], library: Path) -> dict[str, str]:
    """Return the variable to set for Qt: none if another scale is set, or no zoom is stored."""
    percent = read(QSettings(str(library / MEMO), QSettings.Format.IniFormat))
    if percent == DECLARED[_KEY].default or environment.get(_SCALE):
        return {}
    return {_SCALE: f"{percent / 100:g}"}
