"""The composition root: makes the parts of the program for one open library and wires them.

It also changes the language: a window has its texts in one language, so a new window is made, in
small steps, since 150 ms in one step would be noticed. The old window stays until the new one is
ready to be shown.

And it sends a system notification when a long task ends while nobody looks at the window. It
contains the task's name and its outcome and nothing else, since bystanders can read it. If the
desktop has no notifications, the window asks for attention instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QEvent, QObject, QSettings, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget
from typing_extensions import override

from engram_desktop import places
from engram_desktop.app import diagnostics, opening, zoom
from engram_desktop.app.i18n import Translations
from engram_desktop.app.opening import RecentLibraries
from engram_desktop.places import APP
from engram_desktop.qtjobs.quiet_job import IndexKeeper
from engram_desktop.qtjobs.runner import JobHandle, JobRunner, Jobs
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.messages import JobList
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.window.main_window import MainWindow
from engram_desktop.widgets.window.opener import settings_page
from engram_desktop.widgets.window.page_stack import Ahead

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.line import Line


LEAST_S = 10.0  # seconds: after a shorter wait the user is still there
SHOWN_MS = 10_000  # milliseconds a notification is shown, where the system can be told
_PLAIN = str.maketrans("<>&", "‹›＆")  # some desktops read markup in a notification


class Sender(QObject):
    """Sends one notification at a time; a click on it emits `clicked`."""

    clicked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tray: QSystemTrayIcon | None = None  # exists only while a notification is shown
        self._timer = QTimer(self, singleShot=True, interval=2 * SHOWN_MS)
        self._timer.timeout.connect(self.withdraw)

    def send(self, window: QWidget, text: str) -> None:
        """Show ``text``, or have the window's task bar entry ask for attention."""
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
        """Withdraw the notification, since the user is back."""
        tray, self._tray = self._tray, None
        if tray is not None:
            tray.hide()
            tray.deleteLater()


class Away(QObject):
    """Notifies the user at the end of tasks that have a title."""

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
            return  # a dialog of ours counts as the window
        if self._is_wanted():
            self._sender.send(window, text)

    @Slot()
    def _on_clicked(self) -> None:
        self._sender.withdraw()
        self.wanted_back.emit()


_OTHERS = {QEvent.Type.LanguageChange, QEvent.Type.ApplicationFontChange}


class WindowChange(QObject):
    """Replaces the window, in steps; ``make`` makes a window with no page shown yet."""

    changed = Signal(object)  # the MainWindow that is shown now; the old one is freed

    def __init__(self, look: Look, make: Callable[[], MainWindow], parent: QObject) -> None:
        super().__init__(parent)
        self._look = look
        self._make = make
        self._unseen: MainWindow | None = None  # not shown yet, or no longer
        self._steps: Iterator[None] = iter(())
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._go_on)

    def begin(self, old: MainWindow) -> None:
        """Start replacing ``old`` with a new window; a half-made one is dropped."""
        self.stop()
        old.installEventFilter(self)
        self._steps = self._changing(old)
        self._turn.start()

    def stop(self) -> None:
        """Stop the change: the shown window stays, the other one is freed."""
        self._turn.stop()
        self._steps = iter(())
        if self._unseen is not None:
            self._look.free(self._unseen)
            self._unseen = None

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep changes of language and font from the old window.

        It would pass them on to all its widgets and be laid out and painted again: 100 ms.
        """
        return event.type() in _OTHERS

    @Slot()
    def _go_on(self) -> None:
        with self._look.unwatched():
            if next(self._steps, self) is self:
                self._turn.stop()

    def _changing(self, old: MainWindow) -> Iterator[None]:
        old.models.editor.save()
        old.remember()
        new = self._unseen = self._make()
        yield
        for _step in new.make():
            yield
        for make in (new.stack.page, new.stack.panel, new.begin):
            make(old.page)
            yield
        while self._look.style_next(new):
            yield
        old.models.editor.save()
        guide = old.first_steps.page
        new.setVisible(old.isVisible())
        new.show_page(old.page)
        if guide is not None:
            new.first_steps.open(guide.step)
        if page := settings_page(old.dialogs):  # other settings may follow the choice of language
            new.dialogs.open_settings(page)
        new.take_unread(old)
        old.hide()
        old.stack.stop()
        self._unseen = old
        self.changed.emit(new)
        for model in old.models.findChildren(QObject):
            model.blockSignals(True)  # its listeners are freed now, some in each step
        yield  # until the new one was painted
        for part in old.stack.unseen():
            yield
            self._look.free(part)
        yield
        self.stop()


BACKUP_DELAY_MS = 20_000  # after start: nobody waits for it
BACKUP_AGAIN_MS = 3_600_000  # an hour, the shortest setting: a window may stay open for days
LOOK_DELAY_MS = 30_000  # after start, for a newer version
_LOOKED = "update/looked"  # the day of the last look for a newer version


class Desktop(QObject):
    """Owns everything except the library. `close` ends it; nothing runs afterwards."""

    closed = Signal()
    reopen_wanted = Signal()  # the library is prepared to be opened again
    library_wanted = Signal(object)  # Path of another library
    move_wanted = Signal(object)  # new Path of this library
    mode_wanted = Signal(bool)  # reopen in safe mode, or without it

    def __init__(
        self,
        app: QApplication,
        memory: Memory,
        library: Path,
        *,
        language: str | None = None,
        theme: str | None = None,
    ) -> None:
        super().__init__()
        self._library = library
        self._forced = {"language": language, "theme": theme}
        self.look = Look(app, self)
        self.translations = Translations(app)
        self.runner = JobRunner(self, memory.sharing.claim)
        self.workspace = Workspace(memory, self.runner, self)
        self.jobs = JobList(self.runner, self)
        self.keeper = IndexKeeper(memory, self.runner, self.workspace.hub, self)
        self.keeper.failed.connect(self.workspace.messages.show_error)
        self.workspace.chat_changed.connect(self.keeper.watch)
        self._memo = QSettings(str(library / zoom.MEMO), QSettings.Format.IniFormat, self)
        self.workspace.hub.changed.connect(self._on_changed)
        self.workspace.messages.bug_found.connect(self.show_bug)
        self.workspace.tavern.failed.connect(self.workspace.messages.show_error)
        self.workspace.kept.failed.connect(self.workspace.messages.show_error)
        self.workspace.server.failed.connect(self.workspace.messages.show_error)
        self.workspace.server.shown.connect(self._show_for_another)
        self._apply_settings()
        chat_id = self._memo.value("chat", "")
        if isinstance(chat_id, str) and chat_id:
            self.workspace.show_chat(chat_id)
        self.window = self._make_window()
        for _step in self.window.make():
            pass  # nothing is shown before a start
        self.window.begin()
        self._change = WindowChange(self.look, self._make_window, self)
        self._change.changed.connect(self._take_window)
        self.ahead = Ahead(self.look, self._make_next, self)
        self.away = Away(
            self.runner, lambda: self.window, lambda: memory.settings.read().ui_notify, self
        )
        self.away.wanted_back.connect(self.raise_window)
        self.window.models.health.show_repairs()
        self.window.models.imports.show_stopped_imports()
        self.workspace.others.start()
        app.applicationStateChanged.connect(self._look_at_others)
        self.keeper.title = self.tr("Updating the index")
        self._plan(memory)
        self.workspace.tavern.apply()
        self.workspace.kept.look()
        if memory.settings.read().serve_on_start and memory.session.can_write:
            self.workspace.server.start()

    def _plan(self, memory: Memory) -> None:
        """Schedule what runs by itself some time after the start."""
        self.workspace.folders.look()
        self._backup_timer = QTimer(self, singleShot=True, interval=BACKUP_DELAY_MS)
        self._backup_timer.timeout.connect(self._back_up)
        self._look_timer = QTimer(self, singleShot=True, interval=LOOK_DELAY_MS)
        self._look_timer.timeout.connect(self.look_for_newer)
        if not memory.session.is_safe:
            self._backup_timer.start()
            self._look_timer.start()

    def close(self, timeout_ms: int = 5000) -> bool:
        """Stop every job and free the window; returns False if a job does not stop."""
        self.workspace.others.stop()
        self.keeper.stop()
        self.ahead.stop()
        self.window.stack.stop()
        self._change.stop()
        self.workspace.auto.stop()
        self.workspace.tavern.stop()
        self.workspace.kept.stop()
        self.workspace.folders.stop()
        self.workspace.server.stop()
        self._backup_timer.stop()
        self._look_timer.stop()
        self.window.hide()
        self.look.stop_watching()
        self.window.deleteLater()
        self.translations.clear()
        is_joined = self.runner.shutdown(timeout_ms)
        self.workspace.server.join()
        return is_joined

    @Slot()
    def raise_window(self) -> None:
        self.window.setWindowState(self.window.windowState() & ~Qt.WindowState.WindowMinimized)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    @Slot(Qt.ApplicationState)
    def _look_at_others(self, state: Qt.ApplicationState) -> None:
        self.runner.garbage.is_watched = state == Qt.ApplicationState.ApplicationActive
        if self.runner.garbage.is_watched:
            self.workspace.others.look()

    @Slot(object)
    def _show_for_another(self, line: Line | None) -> None:
        """Come to the front at the chat that another program asked for."""
        if line is not None:
            self.workspace.show_chat(line.chat_id)
            self.workspace.show_branch(line.branch_id)
        self.raise_window()

    @Slot(object)
    def show_bug(self, error: BaseException) -> None:
        self.window.dialogs.help.open_report(diagnostics.report_text(error, self._library))

    @Slot()
    def _back_up(self) -> None:
        """Back up quietly if one is due: once after the start, and then every hour."""
        self._backup_timer.start(BACKUP_AGAIN_MS)
        job = self.runner.submit("", self.workspace.memory.backups.make_if_due, lane="network")
        job.failed.connect(self.workspace.messages.show_error)

    @Slot()
    def look_for_newer(self) -> None:
        """Look for a newer version, unless that was done today."""
        if self._memo.value(_LOOKED, "") != QDate.currentDate().toString(Qt.DateFormat.ISODate):
            self.window.models.releases.look_quietly()

    @Slot()
    def _note_looked(self) -> None:
        self._memo.setValue(_LOOKED, QDate.currentDate().toString(Qt.DateFormat.ISODate))

    @Slot()
    def open_demo(self) -> None:
        self.window.models.imports.open_demo()

    @Slot(object)
    def import_files(self, paths: list[Path]) -> None:
        self.window.import_files(paths)

    def _make_window(self) -> MainWindow:
        window = MainWindow(
            self.look,
            self.workspace,
            self.jobs,
            self._memo,
            self._library,
            RecentLibraries(places.recent_file()).read,
        )
        window.library_wanted.connect(self.library_wanted)
        window.mode_wanted.connect(self.mode_wanted)
        window.move_wanted.connect(self.move_wanted)
        window.closed.connect(self.closed)
        window.demo_wanted.connect(self.open_demo)
        window.models.health.prepared.connect(self.reopen_wanted)
        window.models.releases.looked.connect(self._note_looked)
        return window

    def _apply_settings(self) -> bool:
        """Apply theme, density, language and its fonts; returns whether the language changed."""
        settings = self.workspace.memory.settings.read()
        self.look.apply(self._forced["theme"] or settings.ui_theme, settings.ui_density)
        self.look.motion.choice = settings.ui_motion
        if zoom.remember(self._memo, settings.ui_zoom):
            text = self.tr("From the next start on, everything is drawn at {percent} %.")
            self.workspace.messages.tell(text.format(percent=settings.ui_zoom))
        self._memo.setValue(opening.LANGUAGE, settings.ui_language)
        is_other = self.translations.use(self._forced["language"] or settings.ui_language)
        if is_other:
            self.look.speak(self.translations.language)
        return is_other

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if changes.settings and self._apply_settings():
            self._change.begin(self.window)

    def _make_next(self) -> bool:
        """Make the next part of the current window, before it is needed."""
        return self.window.make_next()

    @Slot(object)
    def _take_window(self, window: MainWindow) -> None:
        self.window = window
        self.ahead.begin()
