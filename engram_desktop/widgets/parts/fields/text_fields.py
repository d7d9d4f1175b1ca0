"""Fields for text: one line, a search, several lines; each emits a signal when it is left."""

from __future__ import annotations

from PySide6.QtCore import QMetaMethod, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QToolButton, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.workspace.unsaved_texts import SAVE_WITHIN_MS
from engram_desktop.widgets.parts.look.look import Look


def fill(field: QLineEdit | QPlainTextEdit, text: str) -> None:
    """Show a stored text without disturbing who types it: the cursor, blanks, a composition."""
    current = field.text() if isinstance(field, QLineEdit) else field.toPlainText()
    if current == text or (field.hasFocus() and current.strip() == text.strip()):
        return
    if isinstance(field, QLineEdit):
        field.setText(text)
        if not field.hasFocus():
            field.setCursorPosition(0)  # a long one is read from its beginning
    else:
        field.setPlainText(text)


def _emit_while_typing(field: QLineEdit | QPlainTextEdit, rested: SignalInstance) -> None:
    """Emit ``rested`` at most `SAVE_WITHIN_MS` after a key: there is something to be saved."""
    timer = QTimer(field, singleShot=True, interval=SAVE_WITHIN_MS)

    def tell() -> None:
        if field.hasFocus():
            rested.emit()

    def wait() -> None:
        if not timer.isActive():
            timer.start()

    timer.timeout.connect(tell)
    changed = field.textEdited if isinstance(field, QLineEdit) else field.textChanged
    changed.connect(lambda *_: wait())


class LineField(QLineEdit):
    """One line; Enter submits, except while an input method is composing."""

    submitted = Signal()
    left = Signal()
    rested = Signal()  # somebody types, and what stands there should be safe now
    escaped = Signal()

    def __init__(self, placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _emit_while_typing(self, self.rested)
        self.setPlaceholderText(placeholder)
        self.is_composing = False

    @override
    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self.is_composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take_enter(event)
            return
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self.escaped.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    def _take_enter(self, event: QKeyEvent) -> None:
        """Submit; with names offered below, Enter only puts one in, which the list does itself."""
        completer = self.completer()
        popup = completer.popup() if completer is not None else None
        is_offered = popup is not None and popup.isVisible()
        is_answered = self.isSignalConnected(QMetaMethod.fromSignal(self.submitted))
        if self.is_composing:
            event.accept()  # it ends the composition
        elif is_offered or not is_answered:
            event.ignore()  # what is around the field takes it: a list, or the dialog's default
        else:
            self.submitted.emit()
            event.accept()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class SearchField(LineField):
    """A `LineField` with a magnifier and a way to clear it."""

    def __init__(self, look: Look, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(placeholder, parent)
        self._look = look
        self._glass = self.addAction(look.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        look.dress(self._glass, "search")
        self.setAccessibleName(placeholder)
        self.setClearButtonEnabled(True)
        for inner in self.findChildren(QToolButton):  # Qt gives the glass and the cross no name
            inner.setAccessibleName(placeholder)


class TextField(QPlainTextEdit):
    """Several lines; emits `left` when the focus leaves it. Tab moves to the next field."""

    left = Signal()
    rested = Signal()  # somebody types, and what stands there should be safe now

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _emit_while_typing(self, self.rested)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)

    def replace_text(self, text: str) -> None:
        """Show another text in place of this one, which the field's own undo brings back."""
        if text != self.toPlainText():
            cursor = self.textCursor()
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()
