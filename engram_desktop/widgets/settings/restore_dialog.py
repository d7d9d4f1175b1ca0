"""Put a backup in the library's place. What is there now is backed up first, and kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, Qt, Slot
from PySide6.QtWidgets import QFileDialog, QListWidget, QListWidgetItem, QWidget

from engram_desktop.domain.reports import BACKUP_ENDINGS, BackupFile
from engram_desktop.viewmodels.settings.library_health import LibraryHealth
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog

_PATH = Qt.ItemDataRole.UserRole


class RestoreDialog(FramedDialog):
    def __init__(
        self,
        health: LibraryHealth,
        folder: Path,
        files: Sequence[Path] = (),
        parent: QWidget | None = None,
    ) -> None:
        """``files`` are offered before the library's own backups, the first of them chosen."""
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
        """Put ``files`` before the others and choose the first of them."""
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
