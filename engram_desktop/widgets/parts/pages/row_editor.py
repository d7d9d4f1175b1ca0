"""A message edited in its own place in the chat."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.workspace.unsaved_texts import Place, UnsavedTexts
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import text_button
from engram_desktop.widgets.parts.fields.kept_typing import KeptTyping
from engram_desktop.widgets.parts.fields.text_fields import TextField
from engram_desktop.widgets.parts.transcript.chat_view import ChatView

LOWEST, HIGHEST = 150, 420  # in pixels: some lines to write in, and the chat around it to be seen


class RowEditor(QFrame):
    """``saved`` gives the text; Ctrl+Enter saves and Escape leaves it as it was."""

    saved = Signal(str)
    left = Signal()

    def __init__(
        self, text: str, texts: UnsavedTexts, place: Place, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        rows = column(self, 8, 6)
        self.field = TextField(self.tr("The message"))
        self.field.setPlainText(text)
        rows.addWidget(self.field, 1)
        self._typing = KeptTyping(texts, {"text": self.field}, self)
        rows.addWidget(self._typing.hint)
        line = QHBoxLayout()
        line.addStretch(1)
        self.cancel_button = text_button(self.tr("Cancel"))
        self.cancel_button.clicked.connect(self._leave)
        line.addWidget(self.cancel_button)
        self.save_button = text_button(self.tr("Save"), "main")
        self.save_button.clicked.connect(self._save)
        line.addWidget(self.save_button)
        rows.addLayout(line)
        self._typing.show(place, {"text": text})

    @override
    def sizeHint(self) -> QSize:
        lines = self.field.document().size().height()
        height = int(lines * self.field.fontMetrics().lineSpacing()) + 90
        return QSize(400, max(LOWEST, min(HIGHEST, height)))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._save()
        elif event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _save(self) -> None:
        self._typing.drop()
        self.saved.emit(self.field.toPlainText())

    def _leave(self) -> None:
        self._typing.drop()
        self.left.emit()


class EditedChat(Protocol):
    """A chat whose messages can be edited."""

    @property
    def unsaved(self) -> UnsavedTexts: ...
    def place(self, part: str) -> Place: ...
    def text_of(self, floor: int) -> str: ...
    def edit(self, floor: int, text: str) -> object: ...


class RowEditing(QObject):
    """At most one message of a view is edited in its place."""

    left = Signal()

    def __init__(self, view: ChatView, chat: EditedChat, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._chat = chat
        self.floor = -1  # of the message that is edited
        self.editor: RowEditor | None = None

    def edit(self, floor: int) -> None:
        self.leave()
        place = self._chat.place(f"edit {floor}")
        editor = RowEditor(self._chat.text_of(floor), self._chat.unsaved, place)
        self.floor, self.editor = floor, editor
        editor.saved.connect(self._save)
        editor.left.connect(self.leave)
        self._view.cover(floor, editor)
        self._view.show_floor(floor)
        editor.field.setFocus()

    @Slot()
    def leave(self) -> None:
        editor, self.editor = self.editor, None
        if editor is not None:
            self._view.cover(self.floor, None)
            editor.hide()
            editor.deleteLater()
            self.left.emit()

    @Slot(str)
    def _save(self, text: str) -> None:
        self.leave()
        self._chat.edit(self.floor, text)
