"""Dialog to keep a chat's memory as a folder of Markdown files, and to resolve conflicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QListWidget, QListWidgetItem, QWidget

from engram_desktop.domain.reports import MAX_FILE, MAX_FILES
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.pieces import label, text_button

if TYPE_CHECKING:
    from engram_desktop.domain.reports import FolderLine, Side
    from engram_desktop.viewmodels.chats.chat_files import MemoryFolders
    from engram_desktop.widgets.parts.look import Look

MOST_SHOWN = 160  # characters of each side: two lines
LineRole = Qt.ItemDataRole.UserRole


class FolderDialog(FramedDialog):
    def __init__(
        self, look: Look, folders: MemoryFolders, chat_id: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=680)
        self._look = look
        self._folders = folders
        self._chat_id = chat_id
        self.set_title(self.tr("Markdown folder"))
        hint = self.tr(
            "One file for each event and entity, kept in step both ways: what is edited, added or "
            "deleted in the folder comes back as a step that can be undone. What both sides "
            "changed waits for your choice. Private notes are in no file. At most {files} files, "
            "of {size} kB each."
        ).format(files=f"{MAX_FILES:,}", size=MAX_FILE // 1_000)
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.place = label("", wrap=True)
        self.body.addWidget(self.place)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Files that are not in step"))
        self.list.setWordWrap(True)
        self.list.setMinimumHeight(160)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(lambda *_: self._update_buttons())
        self.body.addWidget(self.list, 1)
        self.sides = label("", wrap=True)
        self.body.addWidget(self.sides)
        self.body.addLayout(self._make_choices())
        self.add_close(self.tr("Close"))
        self.choose_button = self.add_button(self.tr("Choose a folder…"), "main")
        self.choose_button.clicked.connect(self._choose)
        self.look_button = self.add_button(self.tr("Look again"))
        self.look_button.clicked.connect(self._look_again)
        self.open_button = self.add_button(self.tr("Open the folder"), left=True)
        self.open_button.clicked.connect(self._open)
        self.stop_button = self.add_button(self.tr("Stop"), left=True)
        self.stop_button.setToolTip(self.tr("Stop keeping it in step; its files stay"))
        self.stop_button.clicked.connect(self._stop)
        folders.changed.connect(self._fill)
        folders.read()
        self._fill()
        if self._path:
            folders.sync(self._path)
        else:
            self.choose_button.setFocus()

    def _make_choices(self) -> QHBoxLayout:
        line = QHBoxLayout()
        self.here_button = text_button(self.tr("Keep what is here"))
        self.here_button.clicked.connect(lambda: self._settle("here"))
        self.there_button = text_button(self.tr("Take the file"))
        self.there_button.clicked.connect(lambda: self._settle("there"))
        self.delete_button = text_button(self.tr("They were meant to be deleted"), "danger")
        self.delete_button.clicked.connect(self._delete)
        for button in (self.here_button, self.there_button, self.delete_button):
            line.addWidget(button)
        line.addStretch(1)
        return line

    @property
    def _path(self) -> str:
        row = self._folders.of_chat(self._chat_id)
        return row.path if row is not None else ""

    @property
    def _chosen(self) -> FolderLine | None:
        item = self.list.currentItem()
        line: FolderLine | None = item.data(LineRole) if item is not None else None
        return line

    @Slot()
    def _fill(self) -> None:
        row = self._folders.of_chat(self._chat_id)
        report = self._folders.reports.get(row.path) if row is not None else None
        lines = report.lines if report is not None else ()
        if row is None:
            self.place.setText(self.tr("This chat is kept in no folder."))
        elif row.fault:
            self.place.setText(f"{row.path}\n{self._folders.trouble(row)}")
        else:
            files = self.tr("%n file(s) in step", "", len(row.marks))
            self.place.setText(f"{row.path}\n{files}")
        at = self.list.currentRow()
        self.list.clear()
        for line in lines:
            icon = self._look.icon("warning", "gold" if line.is_conflict else "red")
            where = f"{line.file}: " if line.file else ""
            item = QListWidgetItem(icon, f"{where}{translated(line.reason)}")
            item.setData(LineRole, line)
            self.list.addItem(item)
        if lines:
            self.list.setCurrentRow(min(max(at, 0), len(lines) - 1))
        self.list.setVisible(bool(lines))
        is_kept = row is not None
        self.choose_button.setVisible(not is_kept)
        for button in (self.look_button, self.open_button, self.stop_button):
            button.setVisible(is_kept)
        self._update_buttons()

    def _update_buttons(self) -> None:
        line = self._chosen
        is_conflict = line is not None and line.is_conflict
        is_vanished = line is not None and is_conflict and not line.file
        for button in (self.here_button, self.there_button):
            button.setVisible(is_conflict and not is_vanished)
        self.delete_button.setVisible(is_vanished)
        self.sides.setVisible(is_conflict and not is_vanished)
        if line is not None:
            gone = self.tr("deleted")
            here = self.tr("Here: {text}").format(text=_one_line(line.here) or gone)
            there = self.tr("File: {text}").format(text=_one_line(line.there) or gone)
            self.sides.setText(f"{here}\n{there}")

    def _settle(self, side: Side) -> None:
        line = self._chosen
        if line is not None and self._path:
            self._folders.choose(self._path, line.file, side)

    def _delete(self) -> None:
        if self._path:
            self._folders.sync(self._path, with_deletions=True)

    def _choose(self) -> None:
        title = self.tr("A new or empty folder")
        folder = QFileDialog.getExistingDirectory(self, title)
        if folder:
            self._folders.keep(self._chat_id, Path(folder))

    def _look_again(self) -> None:
        if self._path:
            self._folders.sync(self._path)

    def _open(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._path))

    def _stop(self) -> None:
        if self._path:
            self._folders.stop(self._path)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MOST_SHOWN else f"{line[:MOST_SHOWN]}…"
