"""What changed from version to version."""

from __future__ import annotations

from PySide6.QtWidgets import QTextBrowser, QWidget

from engram_desktop.viewmodels.settings.changes_told import read_changelog
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog


class ChangelogDialog(FramedDialog):
    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=720)
        self.resize(820, 640)
        self.set_title(self.tr("What changed"))
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)  # links in it lead to files of the repository
        self.text.setAccessibleName(self.tr("Changelog"))
        self.text.setPlaceholderText(self.tr("Reading…"))
        self.text.document().setDocumentMargin(12)  # pixels
        self.body.addWidget(self.text, 1)
        self.add_close(self.tr("Close"))
        job = workspace.look_up(lambda _ctx: read_changelog())
        job.succeeded.connect(self.text.setMarkdown)
