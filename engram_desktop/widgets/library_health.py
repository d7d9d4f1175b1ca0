"""Dialogs for the health of a library and for its backups."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QListWidget, QListWidgetItem, QWidget

from engram_desktop.domain.reports import BACKUP_ENDINGS, BackupFile, CheckResult
from engram_desktop.viewmodels.settings.library_health import LibraryHealth
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label

# Check the library, repair derived data, rebuild the index, make a backup.


class HealthDialog(FramedDialog):
    restore_wanted = Signal()

    def __init__(self, look: Look, health: LibraryHealth, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=680)
        self._look = look
        self._health = health
        self._is_left = False  # a fault remains that only a backup can repair
        self.set_title(self.tr("Library health"))
        self._state = label(self.tr("Checking…"), "quiet", wrap=True)
        self.body.addWidget(self._state)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Findings"))
        self.list.setMinimumHeight(240)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body.addWidget(self.list, 1)
        self._done = label("", "quiet", wrap=True)
        self.body.addWidget(self._done)
        self.restore_button = self.add_button(self.tr("Restore…"), left=True)
        self.restore_button.clicked.connect(self.restore_wanted)
        self.backup_button = self.add_button(self.tr("Back up now"), left=True)
        self.backup_button.clicked.connect(health.backup)
        self.reindex_button = self.add_button(self.tr("Rebuild the index"))
        chat = health.chat_name
        self.reindex_button.setEnabled(bool(chat))
        self.reindex_button.setToolTip(
            self.tr(
                "Safe: vectors and index of “{chat}” are made again from what is stored."
            ).format(chat=chat)
            if chat
            else self.tr("Open a chat first: each has an index of its own.")
        )
        self.reindex_button.clicked.connect(health.reindex)
        self.repair_button = self.add_button(self.tr("Repair"))
        self.repair_button.clicked.connect(self._repair)
        self.repair_button.setEnabled(False)
        self.add_close(self.tr("Close"))
        health.checked.connect(self._on_checked)
        health.told.connect(self._done.setText)
        health.check(repair=False)

    @Slot(object, bool)
    def _on_checked(self, findings: list[CheckResult], is_mended: bool) -> None:  # noqa: FBT001 - Qt's signal
        self.list.clear()
        bad = [f for f in findings if not f.is_ok and not f.repaired]
        for finding in findings:
            is_well = finding.is_ok or finding.repaired
            icon = ("check", "green") if is_well else ("warning", "gold")
            text = f"{finding.where}: {translated(finding.what)}"
            if finding.repaired:
                text = self.tr("{finding} (repaired)").format(finding=text)
            self.list.addItem(QListWidgetItem(self._look.icon(*icon), text))
        self.repair_button.setEnabled(bool(bad))
        self._is_left = bool(bad) and is_mended
        self.repair_button.setText(
            self.tr("Take from a backup") if self._is_left else self.tr("Repair")
        )
        if not bad:
            text = self.tr("Everything is in order.")
        elif not is_mended:
            text = self.tr("%n finding(s) need attention.", "", len(bad))
        else:
            text = self.tr(
                "%n finding(s) cannot be repaired. The newest backup that holds a damaged chat can"
                " give it back; everything else stays as it is now. The window opens again by"
                " itself.",
                "",
                len(bad),
            )
        self._state.setText(text)

    @Slot()
    def _repair(self) -> None:
        if self._is_left:
            self._health.repair_from_backup()
        else:
            self._health.check(repair=True)


# Restore a backup of the library. The current library is backed up first.


_PATH = Qt.ItemDataRole.UserRole


class RestoreDialog(FramedDialog):
    def __init__(
        self,
        health: LibraryHealth,
        folder: Path,
        files: Sequence[Path] = (),
        parent: QWidget | None = None,
    ) -> None:
        """``files`` are listed before the library's own backups; the first is chosen."""
        super().__init__(parent, width=560)
        self._health = health
        self._folder = folder
        self._files = list(files)
        self.set_title(self.tr("Restore a backup"))
        self.body.addWidget(
            label(
                self.tr(
                    "All chats, books and settings become what they were then. The library as it "
                    "is now is backed up first and kept in its trash folder. Keys are not touched. "
                    "The window opens again by itself."
                ),
                "quiet",
                wrap=True,
            )
        )
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Backups"))
        self.list.setMinimumHeight(200)
        self.list.itemSelectionChanged.connect(self._update_buttons)
        self.body.addWidget(self.list, 1)
        self._state = label("", "quiet", wrap=True)
        self.body.addWidget(self._state)
        self.file_button = self.add_button(self.tr("Another file…"), left=True)
        self.file_button.clicked.connect(self._choose)
        self.add_close(self.tr("Cancel"))
        self.restore_button = self.add_button(self.tr("Restore"), "danger")
        self.restore_button.clicked.connect(self._restore)
        self._update_buttons()
        health.backups_found.connect(self._show)
        health.find_backups()

    def offer(self, files: Sequence[Path]) -> None:
        """List ``files`` before the others and choose the first of them."""
        for file in reversed(files):
            self.list.insertItem(0, _item(file, str(file)))
        if files:
            self._state.setText("")
            self.list.setCurrentRow(0)

    @Slot(object)
    def _show(self, backups: list[BackupFile]) -> None:
        self.list.clear()
        for backup in backups:
            self.list.addItem(_item(Path(backup.path), self._text(backup)))
        self._state.setText("" if backups else self.tr("There is no backup yet."))
        self.list.setCurrentRow(0)
        self.offer(self._files)

    def _text(self, backup: BackupFile) -> str:
        moment = QDateTime.fromMSecsSinceEpoch(backup.made_at)
        when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
        return f"{when} · {QLocale().formattedDataSize(backup.size)}"

    @Slot()
    def _choose(self) -> None:
        name, _filter = QFileDialog.getOpenFileName(
            self,
            self.tr("Choose a backup"),
            str(self._folder),
            self.tr("Backups ({endings})").format(
                endings=" ".join(f"*{ending}" for ending in BACKUP_ENDINGS)
            ),
        )
        if name:
            self.offer([Path(name)])

    @Slot()
    def _update_buttons(self) -> None:
        self.restore_button.setEnabled(self.list.currentItem() is not None)

    @Slot()
    def _restore(self) -> None:
        self._health.restore(Path(self.list.currentItem().data(_PATH)))
        self.close()


def _item(path: Path, text: str) -> QListWidgetItem:
    item = QListWidgetItem(text)
    item.setData(_PATH, str(path))
    return item
