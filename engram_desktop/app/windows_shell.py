"""What the desktop of Windows asks of a program and no other system does. Elsewhere: nothing."""

from __future__ import annotations

import sys

_ANY_PROCESS = -1


def let_another_come_to_the_front() -> None:
    """Allow a window of ours that is open to show itself: only who was just started may say so."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - nothing else needs it

        ctypes.windll.user32.AllowSetForegroundWindow(_ANY_PROCESS)
