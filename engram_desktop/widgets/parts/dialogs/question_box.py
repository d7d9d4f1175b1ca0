"""A box that asks before something goes: text is plain, and Enter takes the harmless answer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QMessageBox, QWidget


class PlainBox(QMessageBox):
    """A message box whose words are shown as they stand: Qt would take names for markup."""

    def __init__(
        self, title: str, text: str, hint: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWindowTitle(title)
        self.setText(text)
        self.setInformativeText(hint)
        for words in self.findChildren(QLabel):  # Qt leaves the hint's format to a guess
            words.setTextFormat(Qt.TextFormat.PlainText)


class QuestionBox(PlainBox):
    """Asks whether something shall go; freed when it closes."""

    def __init__(self, title: str, text: str, hint: str, *, destroy: str, parent: QWidget) -> None:
        super().__init__(title, text, hint, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.destroy_button = self.addButton(destroy, QMessageBox.ButtonRole.DestructiveRole)
        self.keep_button = self.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self.keep_button)
        self.setEscapeButton(self.keep_button)

    def add_box(self, text: str) -> QCheckBox:
        box = QCheckBox(text)
        self.setCheckBox(box)
        return box

    def ask(self, destroy: Callable[[], object]) -> None:
        """Open, and call ``destroy`` if that is the answer."""
        self.destroy_button.clicked.connect(lambda _checked=False: destroy())
        self.open()
