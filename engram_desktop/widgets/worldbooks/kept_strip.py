"""The files the chat's own worldbook is kept in: the state of each, and commands on it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from engram_desktop.domain.worldbooks.merging.kept_worldbook import KeptWorldbook
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.viewmodels.worldbooks.memory_shelf import MemoryShelf
from engram_desktop.widgets.parts.basics.layouts import clear_layout, column
from engram_desktop.widgets.parts.basics.pieces import icon_button, label, text_button
from engram_desktop.widgets.parts.look.look import Look


class KeptStrip(QWidget):
    """Hidden while no file is kept."""

    new_file_wanted = Signal(object)  # Path of the file that somebody changed
    merge_wanted = Signal(object)  # likewise

    def __init__(self, look: Look, memory: MemoryShelf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._memory = memory
        self._rows = column(self, 0, 4)
        self._shown: tuple[KeptWorldbook, ...] = ()
        self.hide()

    def show_files(self, files: Sequence[KeptWorldbook]) -> None:
        if tuple(files) == self._shown:
            return
        self._shown = tuple(files)
        clear_layout(self._rows)
        for worldbook in files:
            self._rows.addLayout(self._line(worldbook))
            if worldbook.fault == "changed":
                self._rows.addLayout(self._ways_out(Path(worldbook.path)))
        self.setVisible(bool(files))

    def _line(self, worldbook: KeptWorldbook) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(6)
        words = label(self._words(worldbook), "bad" if worldbook.fault else "quiet", wrap=True)
        words.setToolTip(worldbook.path)
        line.addWidget(words, 1)
        path = Path(worldbook.path)
        if worldbook.fault != "changed":
            line.addWidget(self._sync_button(path))
        stop = icon_button(self._look, "close", self.tr("Stop keeping it in sync; the file stays"))
        stop.clicked.connect(partial(self._stop, path))
        line.addWidget(stop)
        return line

    def _ways_out(self, path: Path) -> QHBoxLayout:
        """Make the buttons for a file that was changed by somebody else."""
        line = QHBoxLayout()
        line.setSpacing(6)
        merge = text_button(self.tr("Merge…"), "main")
        merge.setToolTip(self.tr("Shows both sides of each entry that was changed there"))
        merge.clicked.connect(lambda: self.merge_wanted.emit(path))
        other = text_button(self.tr("Keep a new file…"))
        other.setToolTip(self.tr("Writes this chat's memory to a new file; this one stays"))
        other.clicked.connect(lambda: self.new_file_wanted.emit(path))
        take = text_button(self.tr("Take its changes as a book"))
        take.setToolTip(self.tr("Imports the file as a world book of its own"))
        take.clicked.connect(partial(self._take, path))
        for button in (merge, other, take, self._sync_button(path)):
            line.addWidget(button)
        line.addStretch(1)
        return line

    def _sync_button(self, path: Path) -> QPushButton:
        button = text_button(self.tr("Sync now"))
        button.clicked.connect(partial(self._sync, path))
        return button

    def _words(self, worldbook: KeptWorldbook) -> str:
        name = Path(worldbook.path).name
        if worldbook.trouble:
            text = self.tr("{file} is not in sync. {why}")
            return text.format(file=name, why=translated(worldbook.trouble))
        at = QDateTime.fromMSecsSinceEpoch(worldbook.written_at)
        moment = QLocale().toString(at, QLocale.FormatType.ShortFormat)
        count = self.tr("%n entry(ies)", "", worldbook.entries)
        text = self.tr("Kept in sync with {file} · {count} · written {time}")
        return text.format(file=name, count=count, time=moment)

    def _sync(self, path: Path, _checked: object = None) -> None:
        self._memory.sync(path)

    def _take(self, path: Path, _checked: object = None) -> None:
        self._memory.take(path)

    def _stop(self, path: Path, _checked: object = None) -> None:
        self._memory.stop(path)
