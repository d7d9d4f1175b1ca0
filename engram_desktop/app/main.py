"""Start the window: read the arguments, open the library, run until it closes."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from engram_desktop import __version__
from engram_desktop.app import diagnostics
from engram_desktop.app.desktop import Desktop
from engram_desktop.app.paths import APP, library_dir, log_dir
from engram_desktop.app.single_instance import InstanceServer, hand_over
from engram_desktop.domain.errors import KnownError
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.messages import describe

logger = logging.getLogger(__name__)

SETTLE_MS = 400
EXIT_STUCK = 70


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="engram-desktop", description="Long-term memory for role-play chats."
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="chats to import")
    parser.add_argument("--library", metavar="DIR", help="open this library")
    parser.add_argument("--language", choices=("system", "zh_CN", "en"))
    parser.add_argument("--theme", choices=("system", "light", "dark"))
    parser.add_argument("--page", choices=("events", "graph", "recall"), default="events")
    parser.add_argument(
        "--screenshot", metavar="FILE", help="save a picture of the window, then quit"
    )
    parser.add_argument("--version", action="version", version=f"Engram Desktop {__version__}")
    return parser.parse_args(argv)


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


def run(argv: Sequence[str] | None = None) -> int:
    """Run the program; return its exit code."""
    arguments = read_arguments(sys.argv[1:] if argv is None else argv)
    library = library_dir(arguments.library)
    app = QApplication(sys.argv[:1])
    app.setApplicationName(APP)
    app.setQuitOnLastWindowClosed(False)
    if hand_over(library, arguments.files):
        return 0
    logs = log_dir()
    diagnostics.start_logging(logs)
    crash = diagnostics.take_crash(logs)
    stream = diagnostics.watch_crashes(logs)
    bugs = diagnostics.BugReporter()
    bugs.install()
    try:
        memory = Memory.open(library, on_key=diagnostics.hide)
    except KnownError as error:
        return _refuse(error)
    try:
        desktop = build(app, memory, library, language=arguments.language, theme=arguments.theme)
        server = InstanceServer(library)
        server.raised.connect(desktop.raise_window)
        server.files_given.connect(desktop.import_files)
        bugs.found.connect(desktop.show_bug)
        desktop.closed.connect(app.quit)
        desktop.window.show_page(arguments.page)
        desktop.window.show()
        desktop.window.import_files([Path(name) for name in arguments.files])
        if crash:
            desktop.window.dialogs.open_report(diagnostics.report_text(crash, logs), is_crash=True)
        if arguments.screenshot:
            _save_picture_when_idle(desktop, Path(arguments.screenshot))
        code = app.exec()
        server.close()
        if not desktop.close():
            # Ending a thread that runs kills the process anyway, and less kindly: what was
            # committed is safe, what was not is withdrawn at the next start.
            logger.error("A job would not stop; leaving without it")
            logging.shutdown()
            os._exit(EXIT_STUCK)
        return code
    finally:
        memory.close()
        stream.close()


def _refuse(error: KnownError) -> int:
    text, hint = describe(error)
    print(f"{text} {hint}".strip(), file=sys.stderr)  # noqa: T201 - there may be no display to read
    box = QMessageBox(QMessageBox.Icon.Warning, APP, text)
    box.setInformativeText(hint)
    if QApplication.platformName() != "offscreen":
        box.exec()
    return 1


def _save_picture_when_idle(desktop: Desktop, target: Path) -> None:
    timer = QTimer(desktop, interval=SETTLE_MS)

    def look() -> None:
        if desktop.runner.is_idle:
            timer.stop()
            desktop.window.grab().save(str(target))
            desktop.window.close()

    timer.timeout.connect(look)
    timer.start()
