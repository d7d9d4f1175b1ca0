"""Let the units of one long job be one step of undo: one undo takes all of them back.

A step that somebody else writes meanwhile stays one of its own, and splits that of the job in two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TypeVar

from engram_desktop.domain.changes import StepLabel
from engram_desktop.jobs.context import JobContext

T = TypeVar("T")


class HasSteps(Protocol):
    """A chat or the library: what is written within a step can be undone."""

    def step(self, label: StepLabel, group: int | None = None) -> AbstractContextManager[int]: ...


class OneStep:
    """What the units of a job share. A unit writes to the one store that the step is of.

    ``label`` may change from part to part; the last one is shown. ``group`` is None until something
    was written.
    """

    def __init__(self, store: HasSteps, label: StepLabel, group: int | None = None) -> None:
        """``group``: of a step that this is to be a part of."""
        self._store = store
        self.label = label
        self.group = group

    def within(self, ctx: JobContext) -> JobContext:
        """Return a context that hands units on as parts of this step."""
        return _Within(ctx, self)

    @contextmanager
    def part(self) -> Iterator[None]:
        """Record what the block writes as part of the step, in one transaction."""
        with self._store.step(self.label, self.group) as joined:
            yield
        self.group = joined

    def do(self, unit: Callable[[], T]) -> T:
        with self.part():
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
