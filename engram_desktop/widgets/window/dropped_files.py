"""Files dragged over the window: what a drop does is said, and each kind has its dialog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from engram_desktop.domain import reports
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState
from engram_desktop.widgets.window.opener import Dialogs

AROUND, RADIUS, WIDTH = 16, 14, 2  # pixels: from the edge of the window, of the dashed frame


class DropSign(QWidget):
    """Covers the window while files are dragged over it."""

    def __init__(self, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._look = look
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        words = EmptyState(look, "import")
        words.say(
            self.tr("Drop to import"),
            self.tr(
                "Chats, cards, world books, backups, or a SillyTavern folder. You see what is in"
                " them first, and the files stay as they are."
            ),
        )
        column(self, AROUND, 0).addWidget(words)
        look.clothe(self)
        self.setGeometry(window.rect())
        self.raise_()
        self.show()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._look.color("bg"))
        painter.setPen(QPen(self._look.color("accent"), WIDTH, Qt.PenStyle.DashLine))
        frame = self.rect().adjusted(AROUND, AROUND, -AROUND, -AROUND)
        painter.drawRoundedRect(frame, RADIUS, RADIUS)


def files_in(data: QMimeData) -> list[Path]:
    """Return the files and folders of this computer that are dragged."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def take(paths: Sequence[Path], dialogs: Dialogs, look: Callable[[list[Path]], object]) -> None:
    """Offer to restore a backup, and open a folder as SillyTavern's.

    ``look`` finds out the content of the other files.
    """
    folders = [path for path in paths if path.is_dir()]
    all_files = [path for path in paths if path not in folders]
    backups = [path for path in all_files if path.suffix.lower() == reports.BACKUP_ENDING]
    files = [path for path in all_files if path not in backups]
    if folders:
        dialogs.open_tavern(str(folders[0]))
    if backups:
        dialogs.open_restore(backups)
    if files:
        look(files)
