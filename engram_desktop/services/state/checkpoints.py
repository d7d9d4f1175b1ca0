"""Remember the state at some floors, so that a turn need not replay the whole story.

What is remembered is good as long as nothing up to its floor changed, and the story begins as it
did; everything else is replayed.
"""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.state.tree import State
from engram_desktop.domain.values import dataclass

LINES = 16  # lines that are remembered: as many as anybody has open
FLOORS = 6  # of each: the newest, those that a reroll or a correction goes back to


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state after ``floor``; ``change`` numbers the newest change it knows of."""

    floor: int
    change: int
    beginning: State
    tree: State


class Checkpoints:
    """Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: OrderedDict[Line, list[Checkpoint]] = OrderedDict()

    def of(self, line: Line, floor: int) -> list[Checkpoint]:
        """Return what is remembered up to ``floor``, the latest floor first."""
        with self._lock:
            known = self._lines.get(line, [])
            return sorted((c for c in known if c.floor <= floor), key=lambda c: -c.floor)

    def keep(self, line: Line, checkpoint: Checkpoint) -> None:
        """Remember a state; the caller goes on changing its own."""
        kept = Checkpoint(
            checkpoint.floor,
            checkpoint.change,
            copy.deepcopy(checkpoint.beginning),
            copy.deepcopy(checkpoint.tree),
        )
        with self._lock:
            others = [c for c in self._lines.get(line, []) if c.floor != kept.floor]
            self._lines[line] = [kept, *others][:FLOORS]
            self._lines.move_to_end(line)
            while len(self._lines) > LINES:
                self._lines.popitem(last=False)

    def forget(self, chat_id: str | None) -> None:
        """Forget a chat that leaves the library, or all."""
        with self._lock:
            for line in list(self._lines):
                if chat_id in (None, line.chat_id):
                    del self._lines[line]
