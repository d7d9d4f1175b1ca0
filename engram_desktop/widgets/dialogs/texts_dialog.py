"""What models read: the scripts and rules that messages go through."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from engram_desktop.viewmodels.script_list import ScriptList
from engram_desktop.widgets.dialogs.frame import FramedDialog
from engram_desktop.widgets.script_page import ScriptPage


class TextsDialog(FramedDialog):
    def __init__(self, scripts: ScriptList, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=900)
        self.set_title(self.tr("Scripts and rules"))
        self.setMinimumHeight(600)
        self.scripts = ScriptPage(scripts)
        self.body.addWidget(self.scripts, 1)
        self.add_close(self.tr("Close"))
