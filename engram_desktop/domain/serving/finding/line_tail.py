"""The end of a line, as a request is laid beside it."""

from __future__ import annotations

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.finding.alignment import Floor
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True)
class LineTail:
    """The newest floors of a line. ``count`` is of all its floors; ``names`` are who speaks.

    ``has_gaps``: messages may be missing in it that were never sent here.
    """

    line: Line
    count: int
    floors: tuple[Floor, ...]
    player: str
    names: tuple[str, ...]
    has_gaps: bool = False

    def floor(self, seq: int) -> Floor | None:
        """Return one floor; None where it is further back, or not there."""
        first = self.floors[0].seq if self.floors else 0
        return self.floors[seq - first] if first <= seq < first + len(self.floors) else None
