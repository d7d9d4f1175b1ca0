"""Open the library, wire the window, run until it closes."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

from engram_desktop.app import diagnostics, paths, single_instance
from engram_desktop.app.desktop import Desktop
from engram_desktop.app.opened_files import OpenedFiles
from engram_desktop.app.recent_libraries import RecentLibraries
from engram_desktop.domain.errors import DamagedDatabase, KnownError
from engram_desktop.services.memory import Memory
from engram_desktop.shipped import resource
from engram_desktop.viewmodels.workspace.messages import describe
from engram_desktop.widgets.parts.dialogs import question_box

if TYPE_CHECKING:
    from engram_desktop.domain.reports import BackupFile

logger = logging.getLogger(__name__)

SETTLE_MS = 400
EXIT_STUCK = 70


def build(
    app: QApplication,
    memory: Memory,
    library: Path,
    *,
    language: str | None = None,
    theme: str | None = None,
) -> Desktop:
    """Wire a window onto an open library. Tests begin here."""
    return Desktop(app, memory, library, language=language, theme=theme)


def start(app: QApplication, arguments: argparse.Namespace, library: Path) -> int:
    """Open the library and the window, run until it closes; return the exit code."""
    logs = paths.log_dir()
    diagnostics.start_logging(logs)
    crash = diagnostics.take_crash(logs)
    stream = diagnostics.watch_crashes(logs)
    bugs = diagnostics.BugReporter()
    bugs.install()
    app.setWindowIcon(QIcon(str(resource("icons/logo.svg"))))
    files, is_safe = [Path(name) for name in arguments.files], bool(arguments.safe_mode)
    opened = OpenedFiles(app) if sys.platform == "darwin" else None
    gc.freeze()  # what was imported stays for good: collecting need not look at it
    recent = RecentLibraries(paths.recent_file())
    before: Path | None = None  # what was open, where another library is opened
    try:
        while True:
            # A run that only takes a picture has nobody to answer.
            memory = open_library(library, asks=not arguments.screenshot, is_safe=is_safe)
            if memory is None:  # it was said why; what was open is opened again
                if before is None:
                    return 1
                library, before = before, None
                continue
            if not arguments.screenshot:
                recent.note(library)
            try:
                session = Session(app, memory, library, arguments, bugs)
                session.begin(files, diagnostics.report_text(crash, logs) if crash else "")
                if opened is not None:
                    opened.give_to(session.desktop.import_files)
                code = session.run()
            finally:
                if opened is not None:
                    opened.give_to(None)
                memory.close()
            if not session.opens_again:
                return code
            if session.other is not None:
                library, before = session.other, library
            is_safe, files, crash = session.is_safe, [], ""
    finally:
        stream.close()


class Session:
    """The window on one opening of the library; a restored one is opened anew."""

    def __init__(
        self,
        app: QApplication,
        memory: Memory,
        library: Path,
        arguments: argparse.Namespace,
        bugs: diagnostics.BugReporter,
    ) -> None:
        self._app = app
        self.opens_again = False
        self.other: Path | None = None  # the library to be opened instead
        self.is_safe = memory.is_safe  # how it is to be opened the next time
        self._library = library
        self.desktop = build(
            app, memory, library, language=arguments.language, theme=arguments.theme
        )
        self._server = single_instance.InstanceServer(library)
        self._server.raised.connect(self.desktop.raise_window)
        self._server.files_given.connect(self.desktop.import_files)
        bugs.found.connect(self.desktop.show_bug)
        self.desktop.closed.connect(app.quit)
        self.desktop.reopen_wanted.connect(self._reopen)
        self.desktop.library_wanted.connect(self._open_other)
        self.desktop.mode_wanted.connect(self._open_in_mode)
        self.desktop.window.show_page(arguments.page)
        if not arguments.screenshot:
            self.desktop.window.fit_screen()
        self.desktop.window.show()
        if arguments.screenshot:
            _save_picture_when_idle(self.desktop, Path(arguments.screenshot))

    def begin(self, files: list[Path], crash: str) -> None:
        """Ask about the files that were given, and show the report of a crash, if there was one."""
        self.desktop.window.import_files(files)
        if crash:
            self.desktop.window.dialogs.open_report(crash, is_crash=True)

    def run(self) -> int:
        """Run until the window closes; return the exit code."""
        code = self._app.exec()
        self._server.close()
        if not self.desktop.close():
            # Ending a thread that runs kills the process anyway, and less kindly: what was
            # committed is safe, what was not is withdrawn at the next start.
            logger.error("A job would not stop; leaving without it")
            logging.shutdown()
            os._exit(EXIT_STUCK)
        return code

    def _open_other(self, library: Path) -> None:
        """Close this library and open another; a window that has it open comes to the front."""
        if library.resolve() == self._library.resolve() or single_instance.hand_over(library, []):
            return
        self.other = library
        self._reopen()

    def _open_in_mode(self, is_safe: bool) -> None:  # noqa: FBT001 - Qt's signal
        """Open this library again, in safe mode or out of it."""
        self.is_safe = is_safe
        self._reopen()

    def _reopen(self) -> None:
        self.opens_again = True
        self.desktop.window.close()


def open_library(library: Path, *, asks: bool, is_safe: bool = False) -> Memory | None:
    """Open the library; where it is damaged, offer its newest backup. None if it cannot be opened.

    An error is always printed to stderr; without ``asks`` only there, and nothing is restored.
    """
    try:
        return Memory.open(library, on_key=diagnostics.hide, is_safe=is_safe)
    except DamagedDatabase as error:
        newest = next(iter(Memory.backups_in(library)), None)
        if newest is None or not asks or not _wants_restore(error, newest):
            _refuse(error, asks=asks)
            return None
    except KnownError as error:
        _refuse(error, asks=asks)
        return None
    try:
        Memory.rescue(library, Path(newest.path))
        return Memory.open(library, on_key=diagnostics.hide, is_safe=is_safe)
    except KnownError as error:
        _refuse(error, asks=asks)
        return None


def _wants_restore(error: KnownError, newest: BackupFile) -> bool:
    """Ask whether the newest backup shall take the place of a library that is damaged."""
    text, _hint = describe(error)
    moment = QLocale().toString(
        QDateTime.fromMSecsSinceEpoch(newest.made_at), QLocale.FormatType.ShortFormat
    )
    question = QCoreApplication.translate(
        "Start", "Restore the backup of {moment}? The damaged files are kept in the trash folder."
    )
    box = question_box.PlainBox(paths.APP, text, question.format(moment=moment))
    box.setIcon(QMessageBox.Icon.Warning)
    box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
    return box.exec() == QMessageBox.StandardButton.Yes


def _refuse(error: KnownError, *, asks: bool) -> None:
    text, hint = describe(error)
    print(f"{text} {hint}".strip(), file=sys.stderr)  # noqa: T201 - there may be no display to read
    if asks:
        box = question_box.PlainBox(paths.APP, text, hint)
        box.setIcon(QMessageBox.Icon.Warning)
        box.exec()


def _save_picture_when_idle(desktop: Desktop, target: Path) -> None:
    timer = QTimer(desktop, interval=SETTLE_MS)

    def save_if_idle() -> None:
        if desktop.runner.is_idle:
            timer.stop()
            desktop.window.grab().save(str(target))
            desktop.window.close()

    timer.timeout.connect(save_if_idle)
    timer.start()
