"""How the picture of a graph comes to another place: a glide, where things are to move."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from engram_desktop.widgets.graph.drawing.camera import Camera
from engram_desktop.widgets.parts.look.motion import Motion


class CameraGlide:
    """One at a time: the next takes over from where the last one is."""

    def __init__(self, motion: Motion, canvas: QWidget, see: Callable[[Camera], object]) -> None:
        self._motion = motion
        self._canvas = canvas
        self._see = see
        self._end: Callable[[], None] | None = None

    def go(self, start: Camera, target: Camera) -> None:
        self.stop()
        if not self._canvas.isVisible():
            self._see(target)
            return
        self._end = self._motion.glide(
            self._canvas, lambda done: self._see(start.towards(target, done))
        )

    def stop(self) -> None:
        """Stay where it is."""
        end, self._end = self._end, None
        if end is not None:
            end()
