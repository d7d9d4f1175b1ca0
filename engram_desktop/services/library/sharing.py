"""What this program and others do beside each other at one library (ADR 51)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.services.library.session import Session


class Sharing:
    """The write lock as other programs have it too, and what they wrote."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def claim(self) -> AbstractContextManager[None]:
        """Hold the write lock for a block. Raises LibraryBusy if another process keeps it."""
        return self._session.claim()

    def take_foreign(self) -> list[Changes]:
        """Return what other programs changed since the last call. On one thread only."""
        return self._session.take_foreign()

    def on_wait(self, tell: Callable[[str], object]) -> None:
        """Let ``tell`` hear which program a write waits for; empty: for none any more."""
        self._session.library.lock.on_wait = tell

    def hurry(self) -> None:
        """Wait for no other program any more: this one ends."""
        self._session.library.lock.hurry()

    @property
    def is_held_elsewhere(self) -> bool:
        """Whether another program holds the write lock now."""
        lock = self._session.library.lock
        return not lock.is_held and not lock.is_free(self._session.folder)

    def occupy(self, program: str) -> None:
        """Be the one that does what ``program`` does; raises LibraryBusy if another is."""
        self._session.library.lock.occupy(program)

    def vacate(self, program: str) -> None:
        """Take back `occupy`, if it was done."""
        self._session.library.lock.vacate(program)
