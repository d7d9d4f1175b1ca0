"""The dialogs that tell of the program: how each is made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog

from engram_desktop.widgets.window.dialogs import (
    about_dialog,
    changelog_dialog,
    help_dialog,
    notices_dialog,
)
from engram_desktop.widgets.window.finding.key_opening import KeyOpening

if TYPE_CHECKING:
    from engram_desktop.viewmodels.pages import Pages


class HelpOpening(KeyOpening):
    """A part of `Dialogs`, which sets what the dialogs are made of."""

    _models: Pages
    _library: Path

    @Slot()
    def open_help(self) -> None:
        """Show the guide; the window beside it stays usable."""

        def make() -> QDialog:
            dialog = help_dialog.HelpDialog(self._look, self._space, self._window)
            dialog.keys_wanted.connect(self.open_keys)
            dialog.about_wanted.connect(self.open_about)
            return dialog

        self._show("help", make, modal=False)

    @Slot()
    def open_about(self) -> None:
        def make() -> QDialog:
            releases = self._models.releases
            keys = self.key_words()
            dialog = about_dialog.AboutDialog(self._library, releases, keys, self._window)
            dialog.keys_wanted.connect(self.open_keys)
            dialog.notices_wanted.connect(self.open_notices)
            dialog.changelog_wanted.connect(self.open_changelog)
            return dialog

        self._show("about", make)

    @Slot()
    def open_changelog(self) -> None:
        """Show what changed from version to version."""
        self._show("changelog", lambda: changelog_dialog.ChangelogDialog(self._space, self._window))

    @Slot()
    def open_notices(self) -> None:
        """Show what the program is put together from."""
        self._show(
            "notices",
            lambda: notices_dialog.NoticesDialog(self._look, self._space, self._window),
        )
