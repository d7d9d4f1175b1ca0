"""How a program takes the write lock of a library: whether, for how long, and how long it waits."""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.values import dataclass

# own: holds the write lock while the library is open. shared: takes it for each write. derive:
# reads, and writes derived data if the lock is free. read: only reads.
AccessKind = Literal["own", "shared", "derive", "read"]
LET_GO_S = 1.0  # a program that ends releases its lock within tenths of a second; not measured


@dataclass(frozen=True, slots=True)
class WriteAccess:
    """``patience`` is how many seconds opening waits for another process; None: ``library.wait``.

    ``is_only``: no other program with this name may have the library open. ``follows``: it is
    notified of other processes' commits, to read the data again.
    """

    kind: AccessKind = "own"
    patience: float | None = LET_GO_S
    is_only: bool = False
    follows: bool = False

    @property
    def is_writer(self) -> bool:
        return self.kind in {"own", "shared"}


WINDOW_PROGRAM = "Engram"  # one per library


def place_of(program: str) -> str:
    """Return the file in a library that a single-instance program holds while it is open.

    A killed program leaves the file behind, but no longer holds it.
    """
    return f"open/{program.replace(' ', '-')}.lock"


OWN = WriteAccess()
WINDOW = WriteAccess("shared", is_only=True, follows=True)
