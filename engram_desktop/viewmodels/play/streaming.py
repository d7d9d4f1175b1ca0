"""A reply on its way: pieces come on the thread of the turn and are drawn now and then."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engram_desktop.domain.play.pieces import Piece

EVERY_MS = 33  # a reader sees no more than thirty steps a second; typing has the rest


class Stream(QObject):
    """`take` may be called on any thread; ``grown`` comes on the GUI thread."""

    grown = Signal(str)  # the reply so far

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._arrived: deque[str] = deque()
        self._texts: list[str] = []
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self._look)

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def begin(self, text: str = "") -> None:
        """Begin a reply that continues ``text``."""
        self._arrived.clear()
        self._texts = [text]
        self._timer.start()

    def end(self) -> None:
        self._timer.stop()
        self._look()

    def take(self, piece: Piece) -> None:
        if piece.kind == "reply":
            self._arrived.append(piece.text)

    @Slot()
    def _look(self) -> None:
        count = len(self._arrived)
        if count:
            self._texts += [self._arrived.popleft() for _ in range(count)]
            self._texts = [self.text]
            self.grown.emit(self._texts[0])
