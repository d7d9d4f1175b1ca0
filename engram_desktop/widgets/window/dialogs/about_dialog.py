"""F1: what this is, where its data is, and every key."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QGridLayout, QWidget

from engram_desktop import __version__
from engram_desktop.widgets.parts.basics.pieces import label, named_frame
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog


class AboutDialog(FramedDialog):
    notices_wanted = Signal()

    def __init__(self, library: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=560)
        self.set_title(f"Engram Desktop {__version__}")
        self.body.addWidget(label(self.tr("Long-term memory for role-play chats."), "quiet"))
        self.body.addWidget(label(self.tr("Library"), "section"))
        where = label(str(library), wrap=True)
        self.body.addWidget(where)
        self.body.addWidget(label(self.tr("Keys"), "section"))
        card = named_frame("well")
        grid = QGridLayout(card)
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(5)
        for number, (keys, text) in enumerate(self._keys()):
            row, side = number % 10, number // 10 * 2
            grid.addWidget(label(keys, "section"), row, side)
            grid.addWidget(label(text, "quiet"), row, side + 1)
        self.body.addWidget(card)
        open_button = self.add_button(self.tr("Open the library's folder"), left=True)
        open_button.clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(library)))
        )
        self.notices_button = self.add_button(self.tr("Third-party notices"))
        self.notices_button.clicked.connect(self.notices_wanted)
        self.add_close(self.tr("Close"))

    def _keys(self) -> list[tuple[str, str]]:
        return [
            ("Ctrl+F", self.tr("search this page")),
            ("Ctrl+K", self.tr("search the library")),
            ("Ctrl+O", self.tr("import")),
            ("Ctrl+Z", self.tr("undo")),
            ("Ctrl+H", self.tr("history")),
            ("Ctrl+Y", self.tr("redo")),
            ("Ctrl+S", self.tr("save the event now")),
            ("Ctrl+A", self.tr("select all")),
            ("Ctrl+I", self.tr("invert the selection")),
            ("Space", self.tr("toggle the lamp")),
            ("Del", self.tr("delete")),
            ("F2", self.tr("edit the summary")),
            ("Esc", self.tr("clear the search")),
            ("Ctrl+1…3", self.tr("pages")),
            ("Ctrl+0", self.tr("fit the graph")),
            ("Ctrl+,", self.tr("settings")),
            ("F1", self.tr("this window")),
            ("F11", self.tr("full screen")),
            ("Ctrl+Q", self.tr("quit")),
        ]
