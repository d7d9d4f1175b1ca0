"""Open the library, wire the window, and run until it closes."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication
from typing_extensions import override

from engram_desktop import places
from engram_desktop.app import diagnostics, i18n, moving_library, opening, single_instance
from engram_desktop.app.desktop import Desktop
from engram_desktop.app.opening import RecentLibraries
from engram_desktop.domain.values import dataclass
from engram_desktop.places import resource
from engram_desktop.services.memory import ClosedLibrary, Memory
from engram_desktop.viewmodels.workspace.messages import Notice

if TYPE_CHECKING:
    from engram_desktop.domain.reports import Relocated


class OpenedFiles(QObject):
    """Keeps files that macOS asks to open until there is a window for them.

    macOS sends events, never arguments. The filter is installed there only, since a filter in
    Python runs for every event of the program.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._give: Callable[[list[Path]], object] | None = None
        self._waiting: list[Path] = []
        app.installEventFilter(self)

    def give_to(self, give: Callable[[list[Path]], object] | None) -> None:
        """Give files to ``give`` from now on, waiting ones first; with None they wait."""
        self._give = give
        if give is not None and self._waiting:
            files, self._waiting = self._waiting, []
            give(files)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent) or not event.file():
            return False
        self._waiting.append(Path(event.file()))
        self.give_to(self._give)
        return True


logger = logging.getLogger(__name__)

SETTLE_MS = 400
EXIT_STUCK = 70
# Never translated: without a font, Chinese would be boxes as well.
NO_FONT = "No font on this computer has Chinese or Japanese characters: they are shown as boxes."
GET_FONT = "Install one, such as the package fonts-noto-cjk, or choose English in the settings."


def build(
    app: QApplication,
    memory: Memory,
    library: Path,
    *,
    language: str | None = None,
    theme: str | None = None,
) -> Desktop:
    """Wire a window to an open library. Tests begin here."""
    return Desktop(app, memory, library, language=language, theme=theme)


def start(app: QApplication, arguments: argparse.Namespace, library: Path) -> int:
    """Open the library and the window, and run until it closes; returns the exit code."""
    logs = places.log_dir()
    diagnostics.start_logging(logs)
    crash = diagnostics.take_crash(logs)
    report = diagnostics.report_text(crash, logs) if crash else ""
    stream = diagnostics.watch_crashes(logs)
    bugs = diagnostics.BugReporter()
    bugs.install()
    app.setWindowIcon(QIcon(str(resource("icons/logo.svg"))))
    files, is_safe = [Path(name) for name in arguments.files], bool(arguments.safe_mode)
    opened = OpenedFiles(app) if sys.platform == "darwin" else None
    gc.freeze()  # imported modules stay for good: garbage collection need not scan them
    try:
        begun = _FirstWindow(files, bugs, report, opened, is_safe)
        return _run_libraries(app, arguments, library, begun)
    finally:
        stream.close()


@dataclass(frozen=True, slots=True)
class _FirstWindow:
    """What the first window of a run is given, and the later ones share."""

    files: list[Path]
    bugs: diagnostics.BugReporter
    report: str  # of a crash, or empty
    opened: OpenedFiles | None
    is_safe: bool


def _run(session: WindowSession, opened: OpenedFiles | None) -> int:
    """Run a window, and give it the files that the system sends meanwhile."""
    if opened is None:
        return session.run()
    opened.give_to(session.desktop.import_files)
    try:
        return session.run()
    finally:
        opened.give_to(None)


def _run_libraries(
    app: QApplication, arguments: argparse.Namespace, library: Path, begun: _FirstWindow
) -> int:
    """Show one library after the other; returns the exit code."""
    recent = RecentLibraries(places.recent_file())
    before: Path | None = None  # the open one, when another library is opened
    is_first, is_safe = True, begun.is_safe
    moved: Relocated | None = None
    is_restored = False
    while True:
        is_new = not (library / "library.db").exists()
        # A run that only takes a screenshot has no user to answer.
        memory = opening.open_library(
            app,
            library,
            asks=not arguments.screenshot,
            language=arguments.language,
            is_safe=is_safe,
        )
        if memory is None:  # the error was shown; the former library is opened again
            if before is None:
                return 1
            library, before = before, None
            continue
        if not arguments.screenshot:
            recent.note(library)
        try:
            session = WindowSession(app, memory, library, arguments, begun.bugs)
            session.begin(*((begun.files, begun.report) if is_first else ([], "")))
            session.report_place(moved)
            if is_restored:
                session.report_restored()
            if is_new and not arguments.screenshot and not (is_first and begun.files):
                session.desktop.window.first_steps.open()
            code = _run(session, begun.opened)
        finally:
            memory.close()
        if not session.opens_again:
            return code
        moved = None
        if session.other is not None:
            library, before = session.other, library
        elif session.place is not None:
            moved = moving_library.move_library(app, library, session.place)
            library = moved.library if moved is not None else library
        is_first, is_safe, is_restored = False, session.is_safe, session.is_restored


class WindowSession:
    """The window during one opening of the library, and what to open after it."""

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
        self.other: Path | None = None  # the library to open instead
        self.place: Path | None = None  # the new place of this one
        self.is_safe = memory.session.is_safe  # for the next opening
        self.is_restored = False  # replaced by a backup then
        self._library = library
        self.desktop = build(
            app, memory, library, language=arguments.language, theme=arguments.theme
        )
        self._server = single_instance.InstanceServer(library, delay_ms=single_instance.LISTEN_MS)
        self._server.raised.connect(self.desktop.raise_window)
        self._server.files_given.connect(self.desktop.import_files)
        self._bugs = bugs
        bugs.found.connect(self.desktop.show_bug)
        self.desktop.closed.connect(app.quit)
        self.desktop.reopen_wanted.connect(self._reopen_restored)
        self.desktop.library_wanted.connect(self._open_other)
        self.desktop.mode_wanted.connect(self._open_in_mode)
        self.desktop.move_wanted.connect(self._open_elsewhere)
        self.desktop.window.show_page(arguments.page)
        if not arguments.screenshot:
            self.desktop.window.place.fit_screen()
        self.desktop.window.show()
        self._warn_of_fonts()
        self.desktop.ahead.begin()
        if arguments.screenshot:
            _save_picture_when_idle(self.desktop, Path(arguments.screenshot))

    def begin(self, files: list[Path], crash: str) -> None:
        """Ask about the given files, and show the report of a crash, if there was one."""
        self.desktop.window.import_files(files)
        if crash:
            self.desktop.window.dialogs.help.open_report(crash, is_crash=True)

    def report_place(self, moved: Relocated | None) -> None:
        """Report where the library was moved, or that a cloud program synchronises its folder."""
        messages = self.desktop.workspace.messages
        if moved is not None:
            messages.tell(moving_library.new_place_text(moved), kind="success")
        library = self._library  # may be on a slow disk
        job = self.desktop.workspace.look_up(lambda _ctx: ClosedLibrary(library).synced_by())
        job.succeeded.connect(self._warn_of)

    def report_restored(self) -> None:
        """Report that a backup was restored, and why nothing runs yet."""
        text = QCoreApplication.translate("Start", "The backup is in place.")
        hint = QCoreApplication.translate(
            "Start",
            "Look whether everything is there. Until you leave safe mode nothing is summarised,"
            " followed or served by itself.",
        )
        leave = QCoreApplication.translate("Start", "Leave safe mode")
        change = self.desktop.window.safe.change
        notice = Notice("success", text, hint, leave, change, stays=True)
        self.desktop.workspace.messages.show(notice)

    def _warn_of_fonts(self) -> None:
        """Warn in English, which can be read then, that no font has the window's characters."""
        if i18n.lacks_font(self.desktop.translations.language):
            print(f"engram-desktop: {NO_FONT} {GET_FONT}", file=sys.stderr)  # noqa: T201
            self.desktop.workspace.messages.show(Notice("warning", NO_FONT, GET_FONT))

    def _warn_of(self, service: str | None) -> None:
        if service is not None:
            text = QCoreApplication.translate("Start", "The library lies in a folder of {name}.")
            hint = QCoreApplication.translate(
                "Start",
                "A program that copies a library while it is used can damage it. Move it to a"
                " folder of this computer alone, and keep backups there instead.",
            )
            move = QCoreApplication.translate("Start", "Move it…")
            libraries = self.desktop.window.libraries
            self.desktop.workspace.messages.show(
                Notice("warning", text.format(name=service), hint, move, libraries.ask_to_move)
            )

    def run(self) -> int:
        """Run until the window closes; returns the exit code."""
        code = self._app.exec()
        self._bugs.found.disconnect(self.desktop.show_bug)
        self._server.close()
        if not self.desktop.close():
            # Ending a running thread kills the process anyway, and less cleanly: what was committed
            # is safe, what was not is rolled back at the next start.
            logger.error("A job would not stop; leaving without it")
            logging.shutdown()
            os._exit(EXIT_STUCK)
        return code

    def _open_other(self, library: Path) -> None:
        """Close this library and open another; if a window has it open, that comes to the front."""
        if library.resolve() == self._library.resolve() or single_instance.hand_over(library, []):
            return
        self.other = library
        self._reopen()

    def _open_elsewhere(self, place: Path) -> None:
        """Move this library, and reopen it at its new place."""
        self.place = place
        self._reopen()

    def _open_in_mode(self, is_safe: bool) -> None:  # noqa: FBT001 - Qt's signal
        """Reopen this library, in safe mode or without it."""
        self.is_safe = is_safe
        self._reopen()

    def _reopen_restored(self) -> None:
        """Reopen a restored library; nothing runs by itself until the user has looked at it."""
        self.is_safe = self.is_restored = True
        self._reopen()

    def _reopen(self) -> None:
        self.opens_again = True
        self.desktop.window.close()


def _save_picture_when_idle(desktop: Desktop, target: Path) -> None:
    timer = QTimer(desktop, interval=SETTLE_MS)

    def save_if_idle() -> None:
        if desktop.runner.is_idle:
            timer.stop()
            desktop.window.grab().save(str(target))
            desktop.window.close()

    timer.timeout.connect(save_if_idle)
    timer.start()
