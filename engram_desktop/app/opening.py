"""How the window opens a library, and the list of libraries opened before."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, QSettings, QTimer, Slot
from PySide6.QtWidgets import QMessageBox

from engram_desktop import moving, places
from engram_desktop.app import diagnostics, zoom
from engram_desktop.app.i18n import Translations
from engram_desktop.domain.errors import DamagedDatabase, KnownError, LibraryBusy
from engram_desktop.domain.write_access import WINDOW, WINDOW_PROGRAM
from engram_desktop.services.memory import ClosedLibrary, Memory
from engram_desktop.viewmodels.workspace.messages import describe
from engram_desktop.widgets.parts import dialogs

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from engram_desktop.domain.reports import BackupFile


# Open the library before there is a window, and show errors in the user's language.
#
# A library in use is waited for; one with a stale lock can be opened anyway; for a damaged one the
# newest backup is offered.


LOOK_MS = 300  # how often a library in use is checked
LANGUAGE = "ui.language"  # in the window's memo, since a library that does not open cannot be asked


def kept_language(library: Path) -> str:
    """Return the language chosen in this library; ``system`` if none is known."""
    memo = QSettings(str(library / zoom.MEMO), QSettings.Format.IniFormat)
    return str(memo.value(LANGUAGE, "system"))


def open_library(
    app: QApplication,
    library: Path,
    *,
    asks: bool,
    language: str | None = None,
    is_safe: bool = False,
) -> Memory | None:
    """Open the library; returns None if it cannot be opened, or if the user declines.

    An error is always printed to stderr; without ``asks`` only there, and nothing is restored.
    """
    translations = Translations(app)
    translations.use(language or kept_language(library))
    try:
        return _opened(app, library, asks=asks, is_safe=is_safe)
    except KnownError as error:
        _refuse(app, error, asks=asks)
        return None
    finally:
        translations.clear()  # the window has its own
        translations.deleteLater()


def _opened(app: QApplication, library: Path, *, asks: bool, is_safe: bool) -> Memory | None:
    """Open the library, asking the user where possible. Raises the KnownError that remains."""
    is_forced = False
    while True:
        try:
            return Memory.open(
                library,
                program=WINDOW_PROGRAM,
                on_key=diagnostics.hide,
                access=WINDOW,
                steal_lock=is_forced,
                is_safe=is_safe,
            )
        except LibraryBusy as error:
            if not asks or is_forced:
                raise
            box = BusyBox(library, error)
            dialogs.run_alone(app, box)
            if box.is_given_up:
                return None
            is_forced = box.is_forced
        except DamagedDatabase as error:
            newest = next(iter(ClosedLibrary(library).backups()), None)
            if newest is None or not asks or not _wants_restore(app, error, newest):
                raise
            ClosedLibrary(library).rescue(Path(newest.path))
            is_safe = True  # nothing runs by itself until the user has looked at it


class BusyBox(dialogs.PlainBox):
    """Tells which program holds the library, and closes when the lock is released."""

    def __init__(self, library: Path, error: LibraryBusy) -> None:
        hint = QCoreApplication.translate(
            "Start",
            "It opens here as soon as the other program closes it. Close that window, or wait.",
        )
        stale = QCoreApplication.translate(
            "Start",
            "That program seems to have ended without releasing it. If you are sure that nothing "
            "uses the library, it can be opened anyway.",
        )
        super().__init__(places.APP, describe(error)[0], stale if error.is_stale else hint)
        self._library = library
        self.is_forced = False
        self.is_given_up = False
        self.setIcon(QMessageBox.Icon.Information)
        self.anyway_button = self.addButton(
            QCoreApplication.translate("Start", "Open anyway"),
            QMessageBox.ButtonRole.DestructiveRole,
        )
        self.anyway_button.setVisible(error.is_stale)
        self.cancel_button = self.addButton(
            QCoreApplication.translate("Start", "Do not open"), QMessageBox.ButtonRole.RejectRole
        )
        self.setDefaultButton(self.cancel_button)
        self.setEscapeButton(self.cancel_button)
        self.anyway_button.clicked.connect(self._force)
        self.cancel_button.clicked.connect(self._give_up)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    @Slot()
    def _look(self) -> None:
        if ClosedLibrary(self._library).is_free():
            self._timer.stop()
            self.done(0)

    @Slot()
    def _force(self) -> None:
        self.is_forced = True

    @Slot()
    def _give_up(self) -> None:
        self.is_given_up = True


def _wants_restore(app: QApplication, error: KnownError, newest: BackupFile) -> bool:
    """Ask whether to restore the newest backup in place of a damaged library."""
    text, _hint = describe(error)
    moment = QLocale().toString(
        QDateTime.fromMSecsSinceEpoch(newest.made_at), QLocale.FormatType.ShortFormat
    )
    question = QCoreApplication.translate(
        "Start", "Restore the backup of {moment}? The damaged files are kept in the trash folder."
    )
    box = dialogs.PlainBox(places.APP, text, question.format(moment=moment))
    box.setIcon(QMessageBox.Icon.Warning)
    box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
    return dialogs.run_alone(app, box) == QMessageBox.StandardButton.Yes


def _refuse(app: QApplication, error: KnownError, *, asks: bool) -> None:
    text, hint = describe(error)
    print(f"{text} {hint}".strip(), file=sys.stderr)  # noqa: T201 - there may be no display to read
    if asks:
        box = dialogs.PlainBox(places.APP, text, hint)
        box.setIcon(QMessageBox.Icon.Warning)
        dialogs.run_alone(app, box)


# The libraries opened last: a list of folders, the latest first. Missing ones stay listed.


_LOG = logging.getLogger(__name__)
_KEPT = 10  # folders that a menu can hold


class RecentLibraries:
    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> list[Path]:
        """Return the folders; none if the list cannot be read."""
        try:
            rows = json.loads(self._file.read_text("utf-8"))
        except FileNotFoundError:
            return []
        except (OSError, ValueError):
            _LOG.warning("the list of libraries cannot be read")
            return []
        rows = rows if isinstance(rows, list) else []
        return [Path(row) for row in rows if isinstance(row, str) and row][:_KEPT]

    def note(self, library: Path) -> None:
        """Put a folder first. If the list cannot be written, it stays as it was."""
        rows = [library, *(row for row in self.read() if row != library)][:_KEPT]
        text = json.dumps([str(row) for row in rows], ensure_ascii=False, indent=1)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            beside = self._file.with_name(f"{self._file.name}.new")
            beside.write_text(text, "utf-8")
            moving.replace(beside, self._file)
        except OSError:
            _LOG.warning("the list of libraries cannot be written")
