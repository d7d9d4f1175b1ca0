"""Below the list of events while several are selected: how many, and what is done with them."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from engram_desktop.widgets.events.views.shapes import EventShapes
from engram_desktop.widgets.parts.basics.pieces import icon_button, label, text_button
from engram_desktop.widgets.parts.look.look import Look


class SelectionBar(QFrame):
    def __init__(self, look: Look, shapes: EventShapes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 6, 8, 6)
        self._text = label("", "quiet")
        line.addWidget(self._text)
        line.addStretch(1)
        self.archive_button = text_button(self.tr("Archive"))
        self.restore_button = text_button(self.tr("To buffer"))
        self.confirm_button = text_button(self.tr("Confirm"))
        self.lock_button = text_button(self.tr("Lock"))
        self.unlock_button = text_button(self.tr("Unlock"))
        self.delete_button = text_button(self.tr("Delete"), "danger")
        for button in (
            self.archive_button,
            self.restore_button,
            self.confirm_button,
            self.lock_button,
            self.unlock_button,
            self.delete_button,
        ):
            line.addWidget(button)
        for icon, name, slot in (
            ("select", self.tr("Select all"), shapes.select_all),
            ("invert", self.tr("Invert selection"), shapes.invert_selection),
            ("close", self.tr("Clear selection"), shapes.clear_selection),
        ):
            tool = icon_button(look, icon, name)
            tool.clicked.connect(slot)
            line.addWidget(tool)
        self.hide()

    def show_count(self, count: int) -> None:
        """Show how many are selected; one needs no bar."""
        self.setVisible(count > 1)
        self._text.setText(self.tr("%n event(s) selected", "", count))
