"""How a program takes the write lock of a library: whether, for how long and how patiently."""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.values import dataclass

# own: holds the write lock for as long as the library is open. shared: for each thing it writes.
# derive: reads, and writes what can be worked out again where the lock is free. read: only reads.
AccessKind = Literal["own", "shared", "derive", "read"]
LET_GO_S = 1.0  # a program that ends lets go of its lock within tenths of one; not measured


@dataclass(frozen=True, slots=True)
class WriteAccess:
    """``patience`` is how many seconds opening waits for another process; None: ``library.wait``.

    ``is_only``: no other program of the same name may have the library open. ``follows``: it is
    told what other processes commit, so that it can read that again.
    """

    kind: AccessKind = "own"
    patience: float | None = LET_GO_S
    is_only: bool = False
    follows: bool = False

    @property
    def is_writer(self) -> bool:
        return self.kind in {"own", "shared"}


WINDOW_PROGRAM = "Engram"  # of which a library has one


def place_of(program: str) -> str:
    """Name the file, within a library, that a program of which it has one holds while it is open.

    One that was killed leaves the file behind, and holds it no more.
    """
    return f"open/{program.replace(' ', '-')}.lock"


OWN = WriteAccess()
WINDOW = WriteAccess("shared", is_only=True, follows=True)
