"""Let the units of one long job be one step of the library: one undo takes all of them back.

What somebody else does meanwhile stays a step of its own, and splits the job's in two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engram_desktop.domain.labels import StepLabel
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.library.library import Library

T = TypeVar("T")


class OneStep:
    """What the units of a job share. A unit must write to the library only, never to a chat."""

    def __init__(self, library: Library, label: StepLabel) -> None:
        self._library = library
        self._label = label
        self._group: int | None = None

    def within(self, ctx: JobContext) -> JobContext:
        """Return a context that hands units on as parts of this step."""
        return _Within(ctx, self)

    def do(self, unit: Callable[[], T]) -> T:
        with self._library.step(self._label, self._group) as self._group:
            return unit()


class _Within:
    def __init__(self, ctx: JobContext, step: OneStep) -> None:
        self._ctx = ctx
        self._step = step
        self.report = ctx.report
        self.check = ctx.check
        self.on_cancel = ctx.on_cancel

    def write(self, unit: Callable[[], T]) -> T:
        return self._ctx.write(lambda: self._step.do(unit))
