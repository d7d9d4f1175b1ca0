"""A layout that moves before the reader's eyes: she may stop it, and let it go on.

It runs in short jobs, one after the other, so that stopping takes effect at once. When it ends or
is stopped its places are kept.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.graph.graph_layout import Layout, Places
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.workspace import Workspace

TURN_SECONDS = 0.12  # that one job works before the picture follows


class LayoutRun(QObject):
    moved = Signal(object)  # Places: where the nodes are now
    rested = Signal(object)  # Places: where they stay
    changed = Signal()  # it runs, or it does not

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._layout: Layout | None = None
        self.is_running = False
        self._turn = NewestAnswer(workspace.jobs, self)
        self._turn.answered.connect(self._on_turned)
        self._turn.failed.connect(workspace.messages.show_error)

    @property
    def is_paused(self) -> bool:
        """Whether it was stopped before its end."""
        return self._layout is not None and not self.is_running and not self._layout.is_finished

    def start(self, places: Places, edges: list[tuple[str, str]]) -> None:
        """Lay these nodes out anew."""
        if places:
            self._layout = Layout.anew(places, edges)
            self.go_on()

    def go_on(self) -> None:
        if self._layout is not None and not self.is_running:
            self.is_running = True
            self.changed.emit()
            self._ask()

    def stop(self) -> None:
        """Leave the nodes where they are."""
        if self.is_running and self._layout is not None:
            self.is_running = False
            self._turn.drop()
            self.rested.emit(self._layout.places())
            self.changed.emit()

    def forget(self) -> None:
        """Stop without a word: other nodes are shown."""
        self._turn.drop()
        self._layout = None
        if self.is_running:
            self.is_running = False
        self.changed.emit()

    def _ask(self) -> None:
        layout = self._layout
        if layout is None:
            return

        def work(ctx: JobContext) -> Places:
            until = time.monotonic() + TURN_SECONDS
            while not layout.is_finished and time.monotonic() < until:
                ctx.check()
                layout.step()
            return layout.places()

        self._turn.ask(work)

    @Slot(object)
    def _on_turned(self, places: Places) -> None:
        if not self.is_running or self._layout is None:
            return
        self.moved.emit(places)
        if not self._layout.is_finished:
            self._ask()
            return
        self.is_running = False
        self.rested.emit(places)
        self.changed.emit()
