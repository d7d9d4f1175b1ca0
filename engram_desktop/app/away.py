"""Tells through the system that a long task ended while nobody looked at the window.

It names the task and how it ended, and nothing else: a notification is read by whoever stands
beside. Where the desktop has no place for notifications, the window asks for attention instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from engram_desktop.app.paths import APP
from engram_desktop.qtjobs.handle import JobHandle, Jobs

LEAST_S = 10.0  # seconds: who waited for less is still there
SHOWN_MS = 10_000  # milliseconds a notification stays, where the system lets us say
_PLAIN = str.maketrans("<>&", "‹›＆")  # some desktops read markup in a notification


class Sender(QObject):
    """Sends one notification at a time; a click on it emits `clicked`."""

    clicked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tray: QSystemTrayIcon | None = None  # there only while it says something
        self._timer = QTimer(self, singleShot=True, interval=2 * SHOWN_MS)
        self._timer.timeout.connect(self.withdraw)

    def send(self, window: QWidget, text: str) -> None:
        """Show ``text``, or let the entry of the window in the task bar ask for attention."""
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            QApplication.alert(window)
            return
        self.withdraw()
        tray = QSystemTrayIcon(QIcon(window.windowIcon()), self)
        tray.messageClicked.connect(self.clicked)
        tray.activated.connect(lambda _reason: self.clicked.emit())
        tray.show()
        tray.showMessage(
            APP, text.translate(_PLAIN), QSystemTrayIcon.MessageIcon.Information, SHOWN_MS
        )
        self._tray = tray
        self._timer.start()

    @Slot()
    def withdraw(self) -> None:
        """Take the notification away: somebody is here."""
        tray, self._tray = self._tray, None
        if tray is not None:
            tray.hide()
            tray.deleteLater()


class Away(QObject):
    """Follows every task that has a title."""

    wanted_back = Signal()  # the notification was clicked

    def __init__(
        self,
        jobs: Jobs,
        window: Callable[[], QWidget],
        is_wanted: Callable[[], bool],
        parent: QObject | None = None,
        *,
        sender: Sender | None = None,
        least_s: float = LEAST_S,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._is_wanted = is_wanted
        self._least_s = least_s
        self._sender = sender or Sender(self)
        self._sender.clicked.connect(self._on_clicked)
        self._began: dict[int, float] = {}
        jobs.submitted.connect(self._on_submitted)

    @Slot(object)
    def _on_submitted(self, job: JobHandle) -> None:
        if not job.title:
            return
        number, title = job.job_id, job.title
        job.started.connect(lambda: self._began.update({number: time.monotonic()}))
        done, failed = self.tr("{task}: done"), self.tr("{task}: it failed")
        job.succeeded.connect(lambda _result: self._tell(number, done.format(task=title)))
        job.failed.connect(lambda _error: self._tell(number, failed.format(task=title)))
        job.finished.connect(lambda: self._began.pop(number, None))

    def _tell(self, number: int, text: str) -> None:
        began = self._began.get(number)
        if began is None or time.monotonic() - began < self._least_s:
            return
        window = self._window()
        is_seen = window.isVisible() and not window.isMinimized()
        if is_seen and QApplication.activeWindow() is not None:
            return  # a dialog of ours is as good as the window
        if self._is_wanted():
            self._sender.send(window, text)

    @Slot()
    def _on_clicked(self) -> None:
        self._sender.withdraw()
        self.wanted_back.emit()
