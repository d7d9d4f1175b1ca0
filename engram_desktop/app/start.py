"""Open the library, wire the window, run until it closes."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from engram_desktop.app import diagnostics
from engram_desktop.app.desktop import Desktop
from engram_desktop.app.paths import APP, log_dir
from engram_desktop.app.single_instance import InstanceServer
from engram_desktop.domain.errors import KnownError
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.messages import describe

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
