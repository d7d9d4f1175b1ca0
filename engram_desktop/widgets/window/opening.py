"""How dialogs are opened: each once at a time, freed when it closes, its typing kept."""

from __future__ import annotations

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from engram_desktop.viewmodels.workspace.unsaved_texts import Place
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.dialogs.kept_sizes import KeptSizes


class Opening(QObject):
    """What is open, by name. Subclasses say how each is made."""

    def __init__(self, workspace: Workspace, window: QWidget, sizes: KeptSizes) -> None:
        super().__init__(window)
        self._space = workspace
        self._window = window
        self._sizes = sizes
        self._open: dict[str, QDialog] = {}

    @property
    def shown(self) -> list[QDialog]:
        return [d for d in self._open.values() if shiboken6.isValid(d)]

    def _show(
        self,
        name: str,
        make: Callable[[], QDialog],
        *,
        modal: bool = True,
        place: str | Place = "",
    ) -> None:
        """Open a dialog, or bring the open one to the front.

        ``place`` is where its unsaved texts are stored; a str names a place of the chat shown.
        """
        current = self._open.get(name)
        if current is not None and shiboken6.isValid(current):
            current.raise_()
            current.activateWindow()
            return
        dialog = make()
        self._open[name] = dialog
        if place and isinstance(dialog, FramedDialog):
            where = Place(place, self._space.chat_id) if isinstance(place, str) else place
            dialog.keep_typing(self._space.unsaved, where)
        self._sizes.follow(dialog)
        if modal:
            dialog.open()
        else:
            dialog.show()

    def _close(self, name: str) -> None:
        """Close a dialog that is to be opened on something else."""
        dialog = self._open.pop(name, None)
        if dialog is not None and shiboken6.isValid(dialog):
            dialog.close()
