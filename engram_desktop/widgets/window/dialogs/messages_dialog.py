"""The messages since the window opened, newest first, also those whose banner is gone."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from engram_desktop.viewmodels.workspace.messages import Messages
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.window.message_bar import ICONS


class MessagesDialog(FramedDialog):
    def __init__(self, look: Look, messages: Messages, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=620)
        self._look = look
        self._messages = messages
        self.set_title(self.tr("Messages"))
        self._empty = label(self.tr("Nothing was said yet."), "quiet")
        self.body.addWidget(self._empty)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Messages"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMinimumHeight(320)
        self.body.addWidget(self.list, 1)
        self.copy_button = self.add_button(self.tr("Copy"), left=True)
        self.copy_button.clicked.connect(self._copy)
        self.add_close(self.tr("Close"))
        messages.posted.connect(self._fill)
        self._fill()

    @Slot()
    def _fill(self) -> None:
        self.list.clear()
        for when, notice in reversed(self._messages.past):
            text = f"{when:%H:%M}  {notice.text}"
            item = QListWidgetItem("\n".join(filter(None, (text, notice.hint))))
            item.setIcon(self._look.icon(*ICONS[notice.kind]))
            self.list.addItem(item)
        self._empty.setVisible(not self.list.count())
        self.list.setVisible(self.list.count() > 0)
        self.copy_button.setEnabled(self.list.count() > 0)

    def _copy(self) -> None:
        chosen = self.list.selectedItems()
        items = chosen or [self.list.item(n) for n in range(self.list.count())]
        QGuiApplication.clipboard().setText("\n".join(item.text() for item in items))
