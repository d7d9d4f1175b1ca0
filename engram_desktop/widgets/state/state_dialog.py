"""Add a value to the state by hand: where it stands, and what it is."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from engram_desktop.viewmodels.state.state_view import StateView
from engram_desktop.widgets.parts.basics.layouts import add_row
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import LineField


class StateDialog(FramedDialog):
    def __init__(self, view: StateView, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=460)
        self._view = view
        self.set_title(self.tr("Add a value"))
        self.name = LineField(self.tr("For example: Alice.affection"))
        self.name.setAccessibleName(self.tr("Place"))
        add_row(self.body, self.tr("Place, its parts with dots between"), self.name)
        self.value = LineField()
        self.value.setAccessibleName(self.tr("Value"))
        add_row(self.body, self.tr("Value"), self.value)
        self.body.addWidget(
            label(self.tr("It counts from the newest message on and can be undone."), "hint")
        )
        self.add_close(self.tr("Cancel"))
        self.save_button = self.add_button(self.tr("Add"), "main")
        self.save_button.clicked.connect(self._save)
        for field in (self.name, self.value):
            field.textChanged.connect(self._update_buttons)
            field.submitted.connect(self._save)
        self.typed = {"name": self.name, "value": self.value}
        self._update_buttons()
        self.name.setFocus()

    def _update_buttons(self) -> None:
        is_whole = self.name.text().strip(" .[]") and self.value.text().strip()
        self.save_button.setEnabled(bool(is_whole))

    def _save(self) -> None:
        if self.save_button.isEnabled():
            self._view.add(self.name.text().strip(), self.value.text().strip())
            self.close()
