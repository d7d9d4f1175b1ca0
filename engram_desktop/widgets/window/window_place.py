"""Where the window stands, and how wide its parts are: kept, put back, and held to the screen."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QSplitter, QWidget

from engram_desktop.widgets.parts.basics.screen_room import screen_room


class WindowPlace:
    """``splitters`` are the window's parts by the name under which their sizes are kept."""

    def __init__(self, window: QWidget, memo: QSettings, splitters: dict[str, QSplitter]) -> None:
        self._window = window
        self._memo = memo
        self._splitters = splitters

    def remember(self, values: dict[str, object]) -> None:
        """Keep the place, the sizes, and ``values`` beside them."""
        self._memo.setValue("geometry", self._window.saveGeometry())
        for name, splitter in self._splitters.items():
            self._memo.setValue(name, splitter.saveState())
        for name, value in values.items():
            self._memo.setValue(name, value)
        self._memo.sync()

    def restore(self) -> bool:
        """Put back what is kept; returns whether there was anything."""
        kept = {
            "geometry": self._window.restoreGeometry,
            **{name: splitter.restoreState for name, splitter in self._splitters.items()},
        }
        states = {name: self._memo.value(name) for name in kept}
        known = {name: state for name, state in states.items() if isinstance(state, QByteArray)}
        for name, state in known.items():
            kept[name](state)
        return bool(known)

    def value(self, name: str, usual: str) -> str:
        return str(self._memo.value(name, usual))

    def fit_screen(self) -> None:
        """Take no more room than the screen has beside its bars, the window's frame included."""
        window = self._window
        room = screen_room(window)
        window.resize(window.size().boundedTo(room).expandedTo(window.minimumSize()))
