"""What this is, which version, whether there is a newer one, where its data is, every key."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from engram_desktop import __version__
from engram_desktop.domain.release import Release
from engram_desktop.viewmodels.settings.releases import Releases
from engram_desktop.widgets.parts.basics.pieces import label, named_frame, text_button
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.window.page_list import PAGES


class AboutDialog(FramedDialog):
    notices_wanted = Signal()
    changelog_wanted = Signal()

    keys_wanted = Signal()

    def __init__(
        self,
        library: Path,
        releases: Releases,
        keys: Sequence[tuple[str, str]],
        parent: QWidget | None = None,
    ) -> None:
        """``keys`` are those of the window, as they are now, with what each does."""
        super().__init__(parent, width=760)
        self._releases = releases
        self.set_title(f"Engram Desktop {__version__}")
        self.body.addWidget(label(self.tr("Long-term memory for role-play chats."), "quiet"))
        self._add_versions()
        self.body.addWidget(label(self.tr("Library"), "section"))
        where = label(str(library), wrap=True)
        self.body.addWidget(where)
        self.body.addWidget(label(self.tr("Keys"), "section"))
        card = named_frame("well")
        grid = QGridLayout(card)
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(5)
        rows = [*keys, *self._fixed_keys()]
        half = (len(rows) + 1) // 2
        for number, (key, text) in enumerate(rows):
            row, side = number % half, number // half * 2
            grid.addWidget(label(key, "section"), row, side)
            grid.addWidget(label(text, "quiet", wrap=True), row, side + 1)
        self.body.addWidget(card)
        open_button = self.add_button(self.tr("Open the library's folder"), left=True)
        open_button.clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(library)))
        )
        self.keys_button = self.add_button(self.tr("Change keys…"))
        self.keys_button.clicked.connect(self.keys_wanted)
        self.notices_button = self.add_button(self.tr("Third-party notices"))
        self.notices_button.clicked.connect(self.notices_wanted)
        self.add_close(self.tr("Close"))

    def _add_versions(self) -> None:
        line = QHBoxLayout()
        self.changelog_button = text_button(self.tr("What changed"))
        self.changelog_button.clicked.connect(self.changelog_wanted)
        line.addWidget(self.changelog_button)
        self.look_button = text_button(self.tr("Look for a newer version"))
        self.look_button.clicked.connect(self._look)
        if self._releases.address:
            asked = self.tr("Asks {address}").format(address=self._releases.address)
            self.look_button.setToolTip(asked)
        line.addWidget(self.look_button)
        self.page_button = text_button(self.tr("Read about it"))
        self.page_button.clicked.connect(self._releases.open_page)
        self.page_button.hide()
        line.addWidget(self.page_button)
        line.addStretch(1)
        self.body.addLayout(line)
        self.answer = label("", "quiet", wrap=True)
        self.answer.hide()
        self.body.addWidget(self.answer)
        self._releases.newer_known.connect(self._show_newer)
        self._releases.none_newer.connect(self._show_none)
        self._releases.failed.connect(self._say)
        if self._releases.known is not None:
            self._show_newer(self._releases.known)

    @Slot()
    def _look(self) -> None:
        self._say(self.tr("Asking {address}…").format(address=self._releases.address))
        self.look_button.setEnabled(False)
        self._releases.look()

    @Slot(object)
    def _show_newer(self, release: Release) -> None:
        self._say(self.tr("Version {version} is out.").format(version=release.version))
        if release.page:
            self.page_button.setToolTip(release.page)
            self.page_button.show()

    @Slot()
    def _show_none(self) -> None:
        self._say(self.tr("This is the newest version."))

    @Slot(str)
    def _say(self, text: str) -> None:
        self.look_button.setEnabled(True)
        self.answer.setText(text)
        self.answer.setVisible(bool(text))

    def _fixed_keys(self) -> list[tuple[str, str]]:
        return [
            (f"Ctrl+1…{len(PAGES) - 1}", self.tr("pages")),
            ("Ctrl+T", self.tr("the text of the chat")),
            ("Ctrl+A", self.tr("select all")),
            ("Space", self.tr("toggle the lamp")),
            ("Del", self.tr("delete")),
            ("Esc", self.tr("clear the search")),
        ]
