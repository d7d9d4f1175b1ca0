"""Cards one below the other, made a few at a time, and a button for the rest.

A card with its labels takes a millisecond to make: forty of them at once are two frames too many.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.widgets.parts.basics.layouts import clear_layout, column
from engram_desktop.widgets.parts.basics.pieces import text_button

TURN_SECONDS = 0.006  # of making cards before a frame has its turn
FIRST = 10  # cards shown before more are asked for
MORE = 40  # that one press adds


class CardColumn(QWidget):
    """``cards`` is the layout they are in."""

    def __init__(self, parent: QWidget | None = None, *, first: int = FIRST) -> None:
        super().__init__(parent)
        self._first = first
        self._makers: Sequence[Callable[[], QWidget]] = ()
        self._shown = self._made = 0
        outer = column(self, 0, 6)
        self._inner = QWidget()
        self.cards = column(self._inner, 0, 6)
        outer.addWidget(self._inner)
        self.more_button = text_button("")
        self.more_button.clicked.connect(self._show_more)
        self.more_button.hide()
        outer.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._make_some)

    def show_cards(self, makers: Sequence[Callable[[], QWidget]]) -> None:
        """Show the cards that these make, in place of what there was."""
        self._next.stop()
        clear_layout(self.cards)
        self._makers = makers
        self._made, self._shown = 0, min(self._first, len(makers))
        self._make_some()

    @Slot()
    def _show_more(self) -> None:
        self._shown = min(self._shown + MORE, len(self._makers))
        self._make_some()

    @Slot()
    def _make_some(self) -> None:
        until = time.perf_counter() + TURN_SECONDS
        while self._made < self._shown:
            self.cards.addWidget(self._makers[self._made]())
            self._made += 1
            if time.perf_counter() > until:
                break
        if self._made < self._shown:
            self._next.start()
        left = len(self._makers) - self._shown
        self._inner.setVisible(self._made > 0)
        self.more_button.setVisible(left > 0)
        self.more_button.setText(self.tr("Show %n more", "", min(left, MORE)))
