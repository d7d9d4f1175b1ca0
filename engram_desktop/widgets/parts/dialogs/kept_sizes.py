"""How large dialogs, and the parts of pages and dialogs, were made by hand: kept, and given again.

What has no name keeps no size: `QSplitter.objectName` names a splitter, its class a dialog.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QByteArray, QSettings, QSize
from PySide6.QtWidgets import QDialog, QSplitter, QWidget

from engram_desktop.widgets.parts.dialogs.frame import FramedDialog


class KeptSizes:
    """``memo`` is where the window keeps its own sizes as well."""

    def __init__(self, memo: QSettings) -> None:
        self._memo = memo

    def follow_parts(self, place: QWidget) -> None:
        """Give the splitters of a page or a dialog their sizes, and keep those they get."""
        for splitter in place.findChildren(QSplitter):
            if splitter.objectName():
                state = self._memo.value(_key(splitter))
                if isinstance(state, QByteArray):
                    splitter.restoreState(state)
                splitter.splitterMoved.connect(partial(self._keep_parts, splitter))

    def follow(self, dialog: QDialog) -> None:
        """Do the same with a dialog before it is shown, and with its own size."""
        self.follow_parts(dialog)
        size = self._memo.value(_size_key(dialog))
        if isinstance(size, QSize) and size.isValid():
            dialog.resize(size)
        dialog.finished.connect(partial(self._keep_size, dialog))

    def _keep_parts(self, splitter: QSplitter, _place: int, _handle: int) -> None:
        self._memo.setValue(_key(splitter), splitter.saveState())

    def _keep_size(self, dialog: QDialog, _result: int) -> None:
        if isinstance(dialog, FramedDialog) and dialog.is_sized_by_hand:
            self._memo.setValue(_size_key(dialog), dialog.size())


def _key(splitter: QSplitter) -> str:
    return f"splitters/{splitter.objectName()}"


def _size_key(dialog: QDialog) -> str:
    return f"dialogs/{type(dialog).__name__}"
