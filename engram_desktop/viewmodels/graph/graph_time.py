"""Up to which floor the graph is told, and playing the story forward floor by floor.

The next step is taken when the last one is shown, so that a large graph plays as fast as it can.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, QTimer, Signal, Slot

STEP_MS = 350  # a picture stands at least so long
STEPS = 60  # in which a story is told


class GraphTime(QObject):
    asked = Signal()  # another floor is wanted
    changed = Signal()  # what the bar shows is different

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.last = 0  # the newest floor
        self.at: int | None = None  # None: everything, as it is now
        self.is_playing = False
        self._next = QTimer(self, singleShot=True, interval=STEP_MS)
        self._next.timeout.connect(self._step)

    @property
    def floor(self) -> int:
        """The floor shown."""
        return self.last if self.at is None else self.at

    def show(self, floor: int) -> None:
        """Show the graph as of a floor; the newest is: as it is now."""
        at = None if floor >= self.last else max(0, floor)
        if at != self.at:
            self.at = at
            self.changed.emit()
            self.asked.emit()

    def go_to(self, floor: int) -> None:
        """As `show`, by the reader's hand: what plays stops."""
        self.pause()
        self.show(floor)

    def play(self) -> None:
        """Play on; from the beginning if it is at its end."""
        if self.last == 0:
            return
        self.is_playing = True
        if self.at is None:
            self.show(0)
        else:
            self._next.start()
        self.changed.emit()

    @Slot()
    def pause(self) -> None:
        self._next.stop()
        if self.is_playing:
            self.is_playing = False
            self.changed.emit()

    def forget(self) -> None:
        """Another story is shown."""
        self.pause()
        self.at = None
        self.last = 0
        self.changed.emit()

    def on_shown(self, last: int) -> None:
        """A picture is shown; the story has so many floors."""
        if last != self.last:
            self.last = last
        if self.at is not None and self.at >= last:
            self.at = None
        self.changed.emit()
        if self.is_playing and self.at is None:
            self.pause()
        elif self.is_playing:
            self._next.start()

    @Slot()
    def _step(self) -> None:
        self.show(self.floor + max(1, math.ceil(self.last / STEPS)))
