"""The deleted chats: any of them comes back as it was; only what is chosen here goes for good."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from engram_desktop.domain.reports import DeletedChat
from engram_desktop.viewmodels.chats.trash_list import TrashList
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.dialogs.question_box import QuestionBox

_ID = Qt.ItemDataRole.UserRole


class TrashDialog(FramedDialog):
    def __init__(self, trash: TrashList, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=560)
        self._trash = trash
        self.set_title(self.tr("Deleted chats"))
        hint = self.tr(
            "A chat that is brought back is what it was: its memory, its settings, its world books."
        )
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Deleted chats"))
        self.list.setMinimumHeight(220)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.itemSelectionChanged.connect(self._update_buttons)
        self.body.addWidget(self.list, 1)
        self._state = label("", "quiet", wrap=True)
        self.body.addWidget(self._state)
        self.delete_button = self.add_button(self.tr("Delete for good…"), "danger", left=True)
        self.delete_button.clicked.connect(self._delete)
        self.add_close(self.tr("Close"))
        self.restore_button = self.add_button(self.tr("Bring back"), "main")
        self.restore_button.clicked.connect(lambda: self._trash.restore(self._chosen()))
        self._update_buttons()
        trash.listed.connect(self._show)
        trash.read()

    @Slot(object)
    def _show(self, rows: list[DeletedChat]) -> None:
        self.list.clear()
        for row in rows:
            item = QListWidgetItem(self._text(row))
            item.setData(_ID, row.id)
            self.list.addItem(item)
        size = QLocale().formattedDataSize(sum(row.size for row in rows))
        text = self.tr("%n chat(s), {size}", "", len(rows)).format(size=size)
        self._state.setText(text if rows else self.tr("No chat was deleted."))
        self.list.setCurrentRow(0)

    def _text(self, row: DeletedChat) -> str:
        moment = QDateTime.fromMSecsSinceEpoch(row.deleted_at)
        when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
        return f"{row.name} · {when} · {QLocale().formattedDataSize(row.size)}"

    def _chosen(self) -> list[str]:
        return [str(item.data(_ID)) for item in self.list.selectedItems()]

    @Slot()
    def _update_buttons(self) -> None:
        for button in (self.restore_button, self.delete_button):
            button.setEnabled(bool(self._chosen()))

    @Slot()
    def _delete(self) -> None:
        ids = self._chosen()
        box = QuestionBox(
            self.tr("Delete for good"),
            self.tr("Delete %n chat(s) for good?", "", len(ids)),
            self.tr("Their memory cannot be brought back. Files they were imported from stay."),
            destroy=self.tr("Delete for good"),
            parent=self,
        )
        box.ask(lambda: self._trash.delete_for_good(ids))
