"""The messages since the window opened, newest first, also those whose banner is gone."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from engram_desktop.viewmodels.workspace.messages import Messages, Notice
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.window.message_bar import ICONS

NOTICE = Qt.ItemDataRole.UserRole


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
        self.action_button = self.add_button("", left=True)
        self.action_button.hide()
        self.action_button.clicked.connect(self._act)
        self.list.currentItemChanged.connect(self._show_action)
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
            item.setData(NOTICE, notice)
            self.list.addItem(item)
        self._show_action()
        self._empty.setVisible(not self.list.count())
        self.list.setVisible(self.list.count() > 0)
        self.copy_button.setEnabled(self.list.count() > 0)

    @property
    def _chosen(self) -> Notice | None:
        item = self.list.currentItem() if self.list.count() else None
        notice = item.data(NOTICE) if isinstance(item, QListWidgetItem) else None
        return notice if isinstance(notice, Notice) else None

    @Slot()
    def _show_action(self) -> None:
        """Offer what the banner of the chosen message offered, long after it is gone."""
        notice = self._chosen
        has_action = notice is not None and notice.action is not None
        self.action_button.setVisible(has_action)
        if notice is not None and has_action:
            self.action_button.setText(notice.action_text)

    @Slot()
    def _act(self) -> None:
        notice = self._chosen
        if notice is not None and notice.action is not None:
            notice.action()

    def _copy(self) -> None:
        chosen = self.list.selectedItems()
        items = chosen or [self.list.item(n) for n in range(self.list.count())]
        QGuiApplication.clipboard().setText("\n".join(item.text() for item in items))
