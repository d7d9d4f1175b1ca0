"""Export a chat's memory: in which form, and for whom: everybody, a character, or a scene."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QWidget,
)

from engram_desktop.viewmodels.chats.chat_export import ChatExport
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog

if TYPE_CHECKING:
    from engram_desktop.domain.reports import ExportForm

LIST_HEIGHT = 180  # pixels: six names are seen, the others are scrolled to
# an export refuses a file that exists: nobody is asked to replace one
NEVER_OVERWRITES = QFileDialog.Option.DontConfirmOverwrite


class ExportDialog(FramedDialog):
    """Asks for a file at its end, and closes."""

    def __init__(self, exports: ChatExport, chat_id: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._exports = exports
        self._chat_id = chat_id
        self.set_title(self.tr("Export {chat}").format(chat=exports.name(chat_id)))
        self._add_forms()
        self._add_people()
        self.add_close(self.tr("Cancel"))
        self.export_button = self.add_button(self.tr("Choose a file…"), "main")
        self.export_button.clicked.connect(self._choose_file)
        exports.names_read.connect(self._show_names)
        exports.read_names(chat_id)
        self._show_choice()

    def _add_forms(self) -> None:
        self.forms: dict[ExportForm, QRadioButton] = {
            "markdown": QRadioButton(self.tr("Markdown, for reading")),
            "json": QRadioButton(self.tr("JSON, everything")),
            "worldbook": QRadioButton(self.tr("World book for SillyTavern")),
            "engram": QRadioButton(self.tr("Sync file of the Engram extension")),
        }
        group = QButtonGroup(self)
        self.body.addWidget(label(self.tr("As"), "section"))
        for button in self.forms.values():
            group.addButton(button)
            self.body.addWidget(button)
        self.forms["markdown"].setChecked(True)

    def _add_people(self) -> None:
        self.body.addWidget(label(self.tr("For"), "section"))
        group = QButtonGroup(self)
        self.all_button = QRadioButton(self.tr("Everything that is remembered"))
        self.some_button = QRadioButton(self.tr("Only what all of these know"))
        for button in (self.all_button, self.some_button):
            group.addButton(button)
            self.body.addWidget(button)
        self.list = QListWidget()
        self.list.setObjectName("rows")
        self.list.setAccessibleName(self.some_button.text())
        self.list.setFixedHeight(LIST_HEIGHT)
        self.body.addWidget(self.list)
        self._hint = label(
            self.tr("One name: what a character may know. Several: what a scene may be told of."),
            "quiet",
            wrap=True,
        )
        self.body.addWidget(self._hint)
        (self.some_button if self._exports.actors else self.all_button).setChecked(True)
        self.some_button.toggled.connect(lambda _on: self._show_choice())
        self.list.itemChanged.connect(lambda _item: self._show_choice())

    @property
    def names(self) -> list[str]:
        """Who must all know what is written; nobody for everything."""
        if self.all_button.isChecked():
            return []
        items = [self.list.item(row) for row in range(self.list.count())]
        return [item.text() for item in items if item.checkState() == Qt.CheckState.Checked]

    @Slot(object)
    def _show_names(self, names: Sequence[str]) -> None:
        seen_as = self._exports.actors
        self.list.clear()
        for name in dict.fromkeys((*seen_as, *names)):
            item = QListWidgetItem(name, self.list)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_on = name in seen_as
            item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
        self._show_choice()

    def _show_choice(self) -> None:
        self.list.setEnabled(self.some_button.isChecked())
        self.export_button.setEnabled(self.all_button.isChecked() or bool(self.names))

    def _choose_file(self) -> None:
        form = next(form for form, button in self.forms.items() if button.isChecked())
        kind = self.tr("Markdown (*.md)") if form == "markdown" else self.tr("JSON (*.json)")
        name, _filter = QFileDialog.getSaveFileName(
            self, self.tr("Export"), "", kind, options=NEVER_OVERWRITES
        )
        if name:
            self._exports.export(self._chat_id, Path(name), form, self.names)
            self.close()
