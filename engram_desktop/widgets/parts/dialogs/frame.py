"""The frame of every dialog: a title, a body, buttons at the foot. Closing frees the dialog."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.viewmodels.workspace.unsaved_texts import Place, UnsavedTexts
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.basics.screen_room import screen_room
from engram_desktop.widgets.parts.fields.kept_typing import Field, KeptTyping


class FramedDialog(QDialog):
    """Subclasses fill `body` and add buttons; closing frees the dialog.

    ``typed`` names the fields whose text is to outlive a crash while the dialog is open.

    Enter presses the one filled button, or a button that has the focus. Where what the dialog is
    for destroys something (a red button and no filled one), Enter closes it.

    It is never larger than its screen: a body that does not fit is scrolled.
    """

    def __init__(self, parent: QWidget | None = None, *, width: int = 560) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(width)
        outer = self._outer = column(self, 24, 14)
        self._title = label("", "title", wrap=True)
        outer.addWidget(self._title)
        self.body = QVBoxLayout()
        self.body.setSpacing(10)
        outer.addLayout(self.body, 1)
        self._foot = QHBoxLayout()
        self._foot.setSpacing(8)
        self._foot.addStretch(1)
        outer.addLayout(self._foot)
        self.typed: dict[str, Field] = {}

    def set_title(self, title: str) -> None:
        self.setWindowTitle(title.replace("[*]", "[*][*]"))  # Qt's mark of unsaved changes
        self._title.setText(title)

    def add_button(self, text: str, role: str = "", *, left: bool = False) -> QPushButton:
        button = text_button(text, role)
        if role == "main":
            button.setDefault(True)
        self._destroys |= role == "danger"
        if left:
            self._foot.insertWidget(0, button)
        else:
            self._foot.addWidget(button)
        return button

    def add_left(self, part: QWidget) -> None:
        """Put something other than a button at the left of the foot."""
        self._foot.insertWidget(0, part)

    def add_close(self, text: str) -> QPushButton:
        button = self.add_button(text)
        button.clicked.connect(self.close)
        self._close_button = button
        return button

    def keep_typing(self, texts: UnsavedTexts, place: Place) -> None:
        """Restore what was typed here when the program crashed; closing the dialog forgets it."""
        typing = KeptTyping(texts, self.typed, self)
        self.body.insertWidget(0, typing.hint)
        self.finished.connect(lambda _result: typing.drop_all())
        typing.show(place)

    is_sized_by_hand = False
    _destroys = False
    _close_button: QPushButton | None = None
    _body_scroll: QScrollArea | None = None

    @override
    def setVisible(self, visible: bool) -> None:
        if visible and not self.isVisible():
            self._fit_screen()
        super().setVisible(visible)

    def _fit_screen(self) -> None:
        room = screen_room(self)
        self.setMinimumSize(self.minimumSize().boundedTo(room))
        width = self._outer.totalMinimumSize().width()
        if width > room.width() or self._least_height() > room.height():
            self._scroll_body()
            self.resize(self.size().expandedTo(QSize(width, room.height())))
        if self.testAttribute(Qt.WidgetAttribute.WA_Resized):  # else Qt takes the size it needs
            self.resize(self.size().boundedTo(room))

    def _least_height(self) -> int:
        """Return the height below which something would be cut."""
        for_lines = self._outer.totalMinimumHeightForWidth(self.width())
        return max(for_lines, self._outer.totalMinimumSize().height())

    def _scroll_body(self) -> None:
        if self._body_scroll is not None:
            return
        scroll = self._body_scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        inside = QWidget()
        number = self._outer.indexOf(self.body)
        self._outer.takeAt(number)
        self.body.setParent(None)
        inside.setLayout(self.body)
        scroll.setWidget(inside)
        self._outer.insertWidget(number, scroll, 1)
        self._outer.activate()  # else it is as high at least as before

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.is_sized_by_hand |= event.spontaneous()

    @override
    def event(self, event: QEvent) -> bool:
        """Grow where a text that came late takes more lines than there is room for."""
        if event.type() != QEvent.Type.LayoutRequest:
            return super().event(event)  # one of them frees the dialog
        answer = super().event(event)
        height, room = self._least_height(), screen_room(self)
        most = max(self.height(), self._most_height())
        if height > room.height():
            self._scroll_body()
            self.resize(self.size().boundedTo(room))
        elif height > self.height():
            self.resize(self.width(), min(height, most))
        return answer

    def _most_height(self) -> int:
        """Return how high it may grow: no higher than the window it stands before."""
        before = self.parentWidget()
        room = screen_room(self).height()
        return min(room, before.window().height()) if before is not None else room

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        button = self._button_for_enter()
        if button is not None and button.isEnabled():
            button.click()
        event.accept()

    def _button_for_enter(self) -> QAbstractButton | None:
        """Return the button with the focus, or the default one."""
        focused = self.focusWidget()
        if isinstance(focused, QAbstractButton) and not isinstance(
            focused, (QCheckBox, QRadioButton)
        ):
            return focused
        default = next((b for b in self.findChildren(QPushButton) if b.isDefault()), None)
        return default or (self._close_button if self._destroys else None)
