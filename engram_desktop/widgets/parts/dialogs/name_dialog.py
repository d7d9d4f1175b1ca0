"""Ask for another name of something: of a chat, of a worldbook."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import LineField


class NameDialog(FramedDialog):
    def __init__(
        self, title: str, name: str, take: Callable[[str], object], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=420)
        self._take = take
        self.set_title(title)
        self.name = LineField()
        self.name.setAccessibleName(self.tr("Name"))
        self.name.setText(name)
        self.name.selectAll()
        self.body.addWidget(self.name)
        self.add_close(self.tr("Cancel"))
        self.save_button = self.add_button(self.tr("Rename"), "main")
        self.save_button.clicked.connect(self._save)
        self.name.submitted.connect(self._save)
        self.name.textChanged.connect(self._update_buttons)
        self.typed = {"name": self.name}
        self._update_buttons()
        self.name.setFocus()

    def _update_buttons(self) -> None:
        self.save_button.setEnabled(bool(self.name.text().strip()))

    def _save(self) -> None:
        if self.save_button.isEnabled():
            self._take(self.name.text().strip())
            self.close()
