"""Logs without secrets, bug reports, and traces of native crashes.

An exception hook runs on the thread that raised: it logs and emits a signal to an object of the GUI
thread, and never touches a widget.
"""

from __future__ import annotations

import faulthandler
import io
import logging
import logging.handlers
import platform
import re
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import TextIO

import PySide6
from PySide6.QtCore import QObject, QtMsgType, Signal, qInstallMessageHandler
from typing_extensions import override

from engram_desktop import __version__
from engram_desktop.places import APP_LOG
from engram_desktop.storage.care.backup import keep_private, private_folder

logger = logging.getLogger(__name__)

CRASH_LOG = "crash.log"
MAX_LOG = 1_000_000
TAIL_LINES = 40
_MEANINGLESS = "This plugin does not support propagateSizeHints()"  # offscreen, at every window
_SECRET = re.compile(
    r"(?i)(bearer\s+|api[-_ ]?key[\"'=:\s]+|authorization[\"'=:\s]+)[^\s\"',}]+|\bsk-[\w-]{6,}"
)


_known_secrets: set[str] = set()


def hide(secret: str) -> None:
    """Never write ``secret`` to a log or a report from now on."""
    if secret:
        _known_secrets.add(secret)


def redact(text: str) -> str:
    """Mask every known key and everything that looks like one."""
    for secret in _known_secrets:
        text = text.replace(secret, "[redacted]")
    return _SECRET.sub(lambda m: f"{m[1] or ''}[redacted]", text)


class _Redacting(logging.Formatter):
    @override
    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class BugReporter(QObject):
    """Lives on the GUI thread; `found` may be emitted from any thread."""

    found = Signal(object)  # BaseException

    def __init__(self) -> None:
        super().__init__()
        self._is_reporting = False

    def install(self) -> None:
        sys.excepthook = self._on_exception

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        logger.critical("Uncaught", exc_info=(kind, error, trace))
        if self._is_reporting:  # showing the report failed: reporting that would never end
            return
        self._is_reporting = True
        try:
            self.found.emit(error)
        finally:
            self._is_reporting = False


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """A log file that only its owner can read, also after it is rotated."""

    @override
    def _open(self) -> io.TextIOWrapper:
        stream = super()._open()
        keep_private(Path(self.baseFilename))
        return stream

    @override
    def doRollover(self) -> None:
        """Start a new file; continue the old one if another of our programs writes to it too.

        Windows does not rename an open file. The last program to end may rename it.
        """
        try:
            super().doRollover()
        except OSError:
            self.stream = self._open()


def start_logging(folder: Path) -> None:
    """Log to a file of bounded size that only its owner can read, and warnings to stderr."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    private_folder(folder)
    form = _Redacting("%(asctime)s %(levelname)s %(name)s: %(message)s")
    to_file = _PrivateFile(folder / APP_LOG, maxBytes=MAX_LOG, backupCount=2, encoding="utf-8")
    to_console = logging.StreamHandler()
    to_console.setLevel(logging.WARNING)
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    for handler in (to_file, to_console):
        handler.setFormatter(form)
        root.addHandler(handler)
    qInstallMessageHandler(_on_qt_message)


def _on_qt_message(kind: QtMsgType, _context: object, text: str) -> None:
    level = {
        QtMsgType.QtDebugMsg: logging.DEBUG,
        QtMsgType.QtInfoMsg: logging.INFO,
        QtMsgType.QtWarningMsg: logging.WARNING,
    }.get(kind, logging.ERROR)
    if text != _MEANINGLESS:
        logging.getLogger("qt").log(level, "%s", text)


def take_crash(folder: Path) -> str:
    """Return and delete the crash trace of the last run; empty if it did not crash."""
    path = folder / CRASH_LOG
    if not path.exists():
        return ""
    text = path.read_text("utf-8", "replace").strip()
    try:
        path.unlink()
    except PermissionError:  # on Windows: a window of another library is open and uses the file
        return ""
    return text


def watch_crashes(folder: Path) -> TextIO:
    """Write a trace to ``crash.log`` on a native crash.

    Keep the returned file; close it at exit.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    stream = (folder / CRASH_LOG).open("w", encoding="utf-8")
    keep_private(folder / CRASH_LOG)
    faulthandler.enable(stream)
    return stream


def report_text(error: BaseException | str, folder: Path) -> str:
    """Write a bug report: versions, trace and the end of the log, without secrets."""
    trace = error if isinstance(error, str) else "".join(traceback.format_exception(error))
    lines = [
        f"Engram Desktop {__version__}, PySide6 {PySide6.__version__}",
        f"Python {platform.python_version()}, {platform.platform()}",
        "",
        trace.strip(),
        "",
        "Log:",
        *_tail(folder / APP_LOG),
    ]
    return redact("\n".join(lines))


def _tail(path: Path) -> list[str]:
    if not path.exists():
        return []
    return path.read_text("utf-8", "replace").splitlines()[-TAIL_LINES:]
