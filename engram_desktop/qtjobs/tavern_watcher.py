"""Follow a SillyTavern folder while the window is open: changed chats are read a moment later.

A separate thread notices that a file changed, and a background job reads it. The hub publishes what
changed, so that views refresh and the pipeline continues. The same error is reported once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import LibraryBusy
from engram_desktop.formats.tavern import folder as tavern_folder
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle, Jobs
from engram_desktop.services.memory import Memory

if TYPE_CHECKING:
    from engram_desktop.domain.tavern.folder import SyncReport, Take
    from engram_desktop.qtjobs.live_changes import ChangeHub

SETTLE_MS = 600  # an incomplete file is read again
LOST_S = 3.0  # a missing folder, such as a drive not plugged in, is tried again

WATCH = "engram watch"  # two programs would import the same messages twice

# Yields on each change, until the event is set. Raises NoTavern.
ChangesUntil = Callable[[threading.Event], Iterator[None]]
Look = Callable[[JobContext], "tuple[list[SyncReport], list[Changes]]"]


class Sentry(QThread):
    """Notices that a chat file of a folder, or its settings, changed. Never opens one."""

    noticed = Signal()
    lost = Signal(object)  # NoTavern, or LibraryBusy: another program follows for this library

    def __init__(
        self, changes: ChangesUntil, memory: Memory, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sentry")
        self._changes = changes
        self._memory = memory
        self._stop = threading.Event()

    def end(self) -> None:
        """Stop and join the thread, which takes a fraction of a second."""
        self._stop.set()
        self.wait()
        self._memory.sharing.vacate(WATCH)

    @override
    def run(self) -> None:
        is_lost = False
        while not self._stop.is_set():
            try:
                self._memory.sharing.occupy(WATCH)
                for _ in self._changes(self._stop):
                    self.noticed.emit()
            except (tavern_folder.NoTavern, LibraryBusy) as error:
                if not is_lost:
                    self.lost.emit(error)
                is_lost = True
                self._stop.wait(LOST_S)


class TavernWatcher(QObject):
    """Runs one job at a time. `apply` follows the settings."""

    changed = Signal()  # a followed file changed, or the set of them
    failed = Signal(object)  # Exception
    reported = Signal(object)  # list[SyncReport], not empty

    def __init__(
        self, memory: Memory, jobs: Jobs, hub: ChangeHub, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._jobs = jobs
        self._hub = hub
        self._choice: tuple[str, str] = ("", "off")  # folder, which chats
        self._sentry: Sentry | None = None
        self._look: Look | None = None
        self._is_waiting: Callable[[], bool] = bool
        self._job: JobHandle | None = None
        self._looks_again = False
        self._last_error = ""
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self.look)
        hub.changed.connect(self._on_changed)

    @property
    def is_watching(self) -> bool:
        return self._sentry is not None

    @Slot()
    def apply(self) -> None:
        """Watch the folder of the settings as they say; does nothing if they did not change."""
        settings = self._memory.settings.read()
        choice = (settings.tavern_folder, settings.tavern_follow)
        if choice == self._choice:
            return
        self.stop()
        self._choice = choice
        folder, follow = choice
        if folder and follow != "off":
            take: Take = "all" if follow == "all" else "followed"
            following = self._memory.tavern.following(Path(folder), take)
            self._look = following.look_through
            self._is_waiting = lambda: following.is_waiting
            self._sentry = Sentry(
                partial(self._memory.tavern.changes_in, Path(folder)), self._memory, self
            )
            self._sentry.noticed.connect(self.look)
            self._sentry.lost.connect(self._on_failed)
            self._sentry.start()
        self.changed.emit()

    def stop(self) -> None:
        """Stop watching."""
        self._settle.stop()
        self._choice = ("", "off")
        self._look = None
        self._looks_again = False
        if self._job is not None:
            self._job.cancel()
        if self._sentry is not None:
            self._sentry.end()
            self._sentry.deleteLater()
            self._sentry = None

    @Slot()
    def look(self) -> None:
        """Read what changed; during a run, request another one after it."""
        look = self._look
        if look is None:
            return
        if self._job is not None:
            self._looks_again = True
            return
        self._job = self._jobs.submit("", look, lane="follow", background=True)
        self._job.succeeded.connect(self._on_looked)
        self._job.failed.connect(self._on_refused)
        self._job.failed.connect(self._publish_all)
        self._job.cancelled.connect(self._publish_all)
        self._job.finished.connect(self._on_finished)

    @Slot(object)
    def _on_looked(self, answer: tuple[list[SyncReport], list[Changes]]) -> None:
        self._last_error = ""
        reports, other_changes = answer
        for changes in (*(report.changes for report in reports), *other_changes):
            if changes != Changes(chat_id=changes.chat_id):
                self._hub.publish(changes, initiator=self)
        if reports:
            self.reported.emit(reports)
            self.changed.emit()

    @Slot(object)
    def _on_refused(self, error: Exception) -> None:
        """Look again if another program kept the library too long; else report the error."""
        if isinstance(error, LibraryBusy):
            self._looks_again = True
        else:
            self._on_failed(error)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if self._last_error != str(error):
            self._last_error = str(error)
            self.failed.emit(error)

    @Slot()
    def _publish_all(self) -> None:
        """Have views read again: parts finished before the job stopped are stored."""
        self._hub.publish(Changes(library=True), initiator=self)

    @Slot()
    def _on_finished(self) -> None:
        self._job = None
        if self._looks_again:
            self._looks_again = False
            self.look()
        elif self._look is not None and self._is_waiting():
            self._settle.start()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, initiator: object) -> None:
        if changes.settings and changes.chat_id is None:
            self.apply()
        elif changes.library and initiator is not self:
            self.changed.emit()
