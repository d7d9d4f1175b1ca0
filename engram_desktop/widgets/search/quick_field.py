"""The field at the head of the panel: its keys move through the list below it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from typing_extensions import override

from engram_desktop.widgets.parts.fields.text_fields import SearchField

_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -8,
    Qt.Key.Key_PageDown: 8,
}
# Whoever takes the focus so gives it back: another window, a menu of the field.
_PASSING = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class QuickField(SearchField):
    moved = Signal(int)  # so many rows on
    closed = Signal()
    forgotten = Signal()  # the row that is chosen is to be kept no longer
    deserted = Signal()  # the focus went elsewhere

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self.is_composing:  # the keys are the input method's
            super().keyPressEvent(event)
        elif key in _STEPS:
            self.moved.emit(_STEPS[key])
        elif key == Qt.Key.Key_Escape:
            self.closed.emit()
        elif key == Qt.Key.Key_Delete and not self.text():
            self.forgotten.emit()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in _PASSING:
            self.deserted.emit()
