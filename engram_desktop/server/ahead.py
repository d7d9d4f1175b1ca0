"""Read ahead what the next prompt of a line needs, while the player reads the reply.

What a reply changes (its message, its vectors, what the pipeline makes of it) is read again once
nothing has changed for a moment. A request that comes meanwhile goes first.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import KnownError
from engram_desktop.jobs.context import Cancelled

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.server.desk import Desk

_LOG = logging.getLogger(__name__)
_TICK_SECONDS = 0.25  # between looks; after a change so long must pass without another
_LOOKS = 2_400  # looks at a line that nobody plays any more: ten minutes
_LINES = 3  # played in turn: what is kept of more is dropped again before it is asked for


@dataclass(slots=True)
class _Played:
    """A line, who speaks next in it and its newest floor; the revisions seen and read last."""

    speaker: str
    floor: int
    seen: int = -1
    ready: int = -1
    looks: int = 0


class ReadingAhead:
    """Lives as long as the desk. `played` is called on any thread, the rest on the server's."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lines: OrderedDict[Line, _Played] = OrderedDict()
        self._reading: asyncio.Task[None] | None = None

    def played(self, line: Line, speaker: str, floor: int) -> None:
        """Say that a line has come to ``floor``, and who will probably speak next."""
        self._lines[line] = _Played(speaker, floor)
        self._lines.move_to_end(line)
        while len(self._lines) > _LINES:
            self._lines.popitem(last=False)

    @property
    def lines(self) -> list[Line]:
        """The lines that are kept ready, the one played last at the end."""
        return list(self._lines)

    def is_ready(self, line: Line) -> bool:
        """Whether what the next prompt of a line needs has been read as it is now."""
        played = self._lines.get(line)
        return played is not None and played.ready == self._desk.memory.serving.revision(line)

    def stand_back(self) -> None:
        """Leave the interpreter to a request; what was being read is read at the next look."""
        if self._reading is not None:
            self._reading.cancel()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        watch = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watch.cancel()
            self.stand_back()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            for line, played in list(self._lines.items()):
                self._reading = asyncio.create_task(self._look(line, played))
                await asyncio.wait([self._reading])
                if not self._reading.cancelled() and (error := self._reading.exception()):
                    self._lines.pop(line, None)  # whoever asks for it is told what is wrong with it
                    if not isinstance(error, KnownError | Cancelled):
                        _LOG.error("reading ahead failed", exc_info=error)

    async def _look(self, line: Line, played: _Played) -> None:
        played.looks += 1
        if played.looks > _LOOKS:
            self._lines.pop(line, None)
            return
        serving = self._desk.memory.serving
        revision = await self._desk.work(lambda _ctx: serving.revision(line))
        is_still, played.seen = revision == played.seen, revision
        if not is_still or revision == played.ready:
            return

        def read(ctx: JobContext) -> None:
            serving.warm_line(ctx, line, played.speaker, played.floor)

        await self._desk.work(read)
        played.ready = revision
