"""A text searched in the chat that is read: every message of it, in the background."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.text.words.occurrences import Needle, TextHits
from engram_desktop.jobs.context import JobContext, Progress
from engram_desktop.qtjobs.handle import JobHandle
from engram_desktop.viewmodels.workspace.live_query import TYPING_PAUSE_MS
from engram_desktop.viewmodels.workspace.workspace import Workspace

Found = tuple[int, int, bool]


class TextSearch(QObject):
    """What is searched, and which hit was gone to. Numbers count from 0, -1 is none."""

    changed = Signal()  # what is searched, how far it is, what was found
    gone_to = Signal(int, int)  # floor, and which of the hits on it

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.needle = Needle("")
        self.hits = TextHits()
        self.number = -1
        self.percent = 0
        self._from_floor = 0
        self._goes = True
        self._job: JobHandle | None = None
        self._later = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._later.timeout.connect(self._search)
        workspace.chat_changed.connect(self._on_chat_changed)
        workspace.hub.changed.connect(self._on_changed)

    @property
    def is_busy(self) -> bool:
        return self._job is not None or self._later.isActive()

    def search(self, text: str, floor: int) -> None:
        """Search when typing pauses; what is found at or after ``floor`` is gone to."""
        if text.strip() == self.needle.text:
            return
        self._drop()
        self.needle, self._from_floor, self._goes = Needle(text), floor, True
        if self.needle.text:
            self._later.start()
        self.changed.emit()

    def go(self, by: int) -> None:
        """Go to the next hit or the one before; after the last comes the first."""
        if self.hits.total:
            self._go_to((self.number + by) % self.hits.total)

    def spans(self, floor: int, text: str) -> list[Found]:
        """Return where it stands in what is shown of a message."""
        if not self.needle.text:
            return []
        first = self.hits.first_on(floor) if self.number >= 0 else None
        current = -1 if first is None else self.number - first
        return [(a, b, n == current) for n, (a, b) in enumerate(self.needle.spans(text))]

    def _go_to(self, number: int) -> None:
        self.number = number
        self.changed.emit()
        self.gone_to.emit(*self.hits.place(number))

    @Slot()
    def _search(self) -> None:
        line, memory, actor = self._space.line, self._space.memory, self._space.actor
        needle = self.needle
        if not line.chat_id or not needle.text:
            return

        def work(ctx: JobContext) -> TextHits:
            if actor:
                return memory.knowledge.find_text(ctx, line, actor, needle)
            return memory.messages.find_text(ctx, line, needle)

        job = self._job = self._space.look_up(work)
        job.progressed.connect(partial(self._on_progress, job))
        job.succeeded.connect(partial(self._on_found, job))
        job.finished.connect(partial(self._on_finished, job))
        self.changed.emit()

    def _on_progress(self, job: JobHandle, progress: Progress) -> None:
        if job is self._job and progress.total:
            self.percent = 100 * progress.done // progress.total
            self.changed.emit()

    def _on_found(self, job: JobHandle, hits: TextHits) -> None:
        if job is not self._job:
            return
        self.hits = hits
        self.number = min(self.number, hits.total - 1)
        if self._goes and hits.total:
            self._job = None
            self._go_to(hits.from_floor(self._from_floor))

    def _on_finished(self, job: JobHandle) -> None:
        if job is self._job:
            self._job = None
        self.changed.emit()

    def _drop(self) -> None:
        self._later.stop()
        job, self._job = self._job, None
        if job is not None:
            job.cancel()
        self.hits, self.number, self.percent = TextHits(), -1, 0

    @Slot(str)
    def _on_chat_changed(self, _chat_id: str) -> None:
        self._drop()
        self.needle = Needle("")
        self.changed.emit()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        """Count again what stands there now; the reader stays where they are."""
        if changes.messages and changes.chat_id == self._space.chat_id and self.needle.text:
            self._goes = False
            self._later.start()
