"""Frames of dialogs, and small dialogs that all parts of the window use."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QByteArray, QEvent, QSettings, QSize, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.viewmodels.workspace.undo_actions import UndoActions, step_line
from engram_desktop.viewmodels.workspace.workspace import TypingPlace, UnsavedTexts
from engram_desktop.widgets.parts.fields.text_fields import Field, LineField, UnsavedFields
from engram_desktop.widgets.parts.layouts import column, screen_room
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label, literal, text_button

# The frame of every dialog: a title, a body, buttons at the bottom. Closing frees the dialog.


class FramedDialog(QDialog):
    """A dialog: subclasses fill `body` and add buttons; closing frees it.

    ``typed`` names the fields whose text is restored after a crash while the dialog is open. Enter
    presses the filled button, or the button that has the focus. In a dialog that destroys something
    (a red button and no filled one), Enter closes it.

    It is never larger than its screen: a larger body is scrolled.
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
        """Add a widget other than a button at the left of the bottom line."""
        self._foot.insertWidget(0, part)

    def add_close(self, text: str) -> QPushButton:
        button = self.add_button(text)
        button.clicked.connect(self.close)
        self._close_button = button
        return button

    def keep_typing(self, texts: UnsavedTexts, place: TypingPlace) -> None:
        """Restore what was typed here when the program crashed; closing the dialog discards it."""
        typing = UnsavedFields(texts, self.typed, self)
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
            self._order_foot()
            self._fit_screen()
        super().setVisible(visible)

    def _order_foot(self) -> None:
        """Set the tab order of the buttons from left to right."""
        items = (self._foot.itemAt(n) for n in range(self._foot.count()))
        parts = [item.widget() for item in items if item is not None]
        buttons = [part for part in parts if isinstance(part, QPushButton)]
        for one, other in itertools.pairwise(buttons):
            QWidget.setTabOrder(one, other)

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
        """Return the height in pixels below which something would be cut."""
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
        self._outer.activate()  # else it cannot get lower than before

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.is_sized_by_hand |= event.spontaneous()

    @override
    def event(self, event: QEvent) -> bool:
        """Grow if a text set later takes more lines than the dialog has room for."""
        if event.type() != QEvent.Type.LayoutRequest:
            return super().event(event)  # a child event may free the dialog
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
        """Return the largest height in pixels: that of the parent's window or of the screen."""
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


# Sizes of dialogs, and of parts of pages and dialogs, set by the user: stored and restored.
#
# Sizes are kept by name: `QSplitter.objectName` for a splitter, the class for a dialog.


class KeptSizes:
    """Stores sizes of splitters and dialogs in ``memo``, where the window stores its own too."""

    def __init__(self, memo: QSettings) -> None:
        self._memo = memo

    def follow_parts(self, place: QWidget) -> None:
        """Restore the sizes of a page's or dialog's splitters, and store changes from now on."""
        for splitter in place.findChildren(QSplitter):
            if splitter.objectName():
                state = self._memo.value(_key(splitter))
                if isinstance(state, QByteArray):
                    splitter.restoreState(state)
                splitter.splitterMoved.connect(partial(self._keep_parts, splitter))

    def follow(self, dialog: QDialog) -> None:
        """Do the same for a dialog before it is shown, and for its own size."""
        self.follow_parts(dialog)
        size = self._memo.value(_size_key(dialog))
        if isinstance(size, QSize) and size.isValid():
            dialog.resize(size)
        dialog.finished.connect(partial(self._keep_size, dialog))

    def _keep_parts(self, splitter: QSplitter, _place: int, _handle: int) -> None:
        self._memo.setValue(_key(splitter), splitter.saveState())

    def _keep_size(self, dialog: QDialog, _result: int) -> None:
        if isinstance(dialog, FramedDialog) and dialog.is_sized_by_hand:
            self._memo.setValue(_size_key(dialog), dialog.size())


def _key(splitter: QSplitter) -> str:
    return f"splitters/{splitter.objectName()}"


def _size_key(dialog: QDialog) -> str:
    return f"dialogs/{type(dialog).__name__}"


# Ask for a new name of something, such as a chat or a worldbook.


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


def run_alone(app: QApplication, dialog: QDialog) -> int:
    """Run a dialog without a main window, in the colours of the system."""
    look = Look(app, dialog)
    look.apply("system")
    look.style_window(dialog)
    return dialog.exec()


# A box that asks before something is deleted: text is plain, and Enter takes the safe answer.


class PlainBox(QMessageBox):
    """A message box that shows plain text: Qt would interpret names as markup."""

    def __init__(
        self, title: str, text: str, hint: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWindowTitle(title)
        self.setText(text)
        self.setInformativeText(hint)
        for words in self.findChildren(QLabel):  # Qt guesses the format of the hint
            words.setTextFormat(Qt.TextFormat.PlainText)


class QuestionBox(PlainBox):
    """Asks whether to delete something; freed when it closes."""

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
        """Open the box, and call ``destroy`` if the user confirms."""
        self.destroy_button.clicked.connect(lambda _checked=False: destroy())
        self.open()


# A list of undo steps, newest first: what each changed, and whether it is undone.


class StepList(QListWidget):
    def __init__(self, look: Look, undo: UndoActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._undo = undo
        self.setAccessibleName(self.tr("History"))
        self.setWordWrap(True)
        undo.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        self.clear()
        for step in self._undo.steps:
            icon = ("undo", "ink3") if step.is_undone else ("check", "green")
            self.addItem(QListWidgetItem(self._look.icon(*icon), step_line(step)))


# Undo, redo and history in a dialog that changes the library, not a chat.


class UndoStrip(QWidget):
    def __init__(self, look: Look, undo: UndoActions, parent: QWidget) -> None:
        super().__init__(parent)
        self._undo = undo
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(2)
        self.undo_action = self._action(look, "undo", undo.undo, "Ctrl+Z")
        self.redo_action = self._action(look, "redo", undo.redo, "Ctrl+Y", "Ctrl+Shift+Z")
        for action in (self.undo_action, self.redo_action):
            button = QToolButton()
            button.setDefaultAction(action)
            button.setIconSize(QSize(18, 18))
            line.addWidget(button)
        self.history_button = text_button(self.tr("History…"))
        self.history_button.clicked.connect(undo.history_wanted)
        line.addSpacing(4)
        line.addWidget(self.history_button)
        undo.changed.connect(self._show)
        self._show()

    def _action(self, look: Look, icon: str, slot: Callable[[], object], *keys: str) -> QAction:
        action = QAction(self)
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.triggered.connect(lambda _checked=False: slot())
        look.set_icon(action, icon)
        self.window().addAction(action)
        return action

    @Slot()
    def _show(self) -> None:
        show_undo(self._undo, self.undo_action, self.redo_action)


def show_undo(undo: UndoActions, undo_action: QAction, redo_action: QAction) -> None:
    """Show in the texts of two actions what undo and redo would do."""
    for action, text, undone, keys in (
        (undo_action, undo.undo_text, undo.undo_label, "Ctrl+Z"),
        (redo_action, undo.redo_text, undo.redo_label, "Ctrl+Y"),
    ):
        action.setText(literal(text))
        action.setToolTip(f"{text} ({keys})")
        action.setEnabled(undone is not None)
