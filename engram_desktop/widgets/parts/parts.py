"""Small parts every page is built of. Text is always plain: a story may hold any markup."""

from __future__ import annotations

from PySide6.QtCore import QMetaMethod, QPoint, QRect, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent, QMouseEvent, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLayout,
    QLayoutItem,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.viewmodels.workspace.unsaved_texts import SAVE_WITHIN_MS
from engram_desktop.widgets.parts.look import Look


def label(text: str = "", tone: str = "", *, wrap: bool = False) -> QLabel:
    """Make a plain-text label; ``tone`` names its style in the style sheet."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if tone:
        made.setProperty("tone", tone)
    return made


def set_tone(made: QWidget, tone: str) -> None:
    """Restyle a widget whose tone changed."""
    if made.property("tone") != tone:
        made.setProperty("tone", tone)
        made.style().unpolish(made)
        made.style().polish(made)


def icon_button(look: Look, icon: str, name: str, role: str = "ink2") -> QToolButton:
    """Make a button that shows an icon only; ``name`` is its tooltip and accessible name."""
    made = QToolButton()
    look.dress(made, icon, role)
    made.setIconSize(QSize(18, 18))
    made.setToolTip(name)
    made.setAccessibleName(name)
    return made


def text_button(text: str, role: str = "") -> QPushButton:
    made = QPushButton(text)
    made.setAutoDefault(False)
    if role:
        made.setProperty("role", role)
    return made


def literal(text: str) -> str:
    """Return what a button or a menu shows as ``text``: a single "&" would mark a key."""
    return text.replace("&", "&&")


def add_row(rows: QVBoxLayout, name: str, field: QWidget | QLayout) -> None:
    """Add a field below its caption; a form's own captions would guess at rich text."""
    if name:
        caption = label(name)
        caption.setContentsMargins(0, 6, 0, 0)
        rows.addWidget(caption)
        if isinstance(field, QWidget):
            caption.setBuddy(field)
    if isinstance(field, QWidget):
        rows.addWidget(field)
    else:
        rows.addLayout(field)


def kind_button(kind: str, text: str, *, checkable: bool = True) -> QToolButton:
    """Make a chip, tab or page button: its looks come from the style sheet."""
    made = QToolButton()
    made.setProperty("kind", kind)
    made.setText(text)
    made.setCheckable(checkable)
    made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return made


def column(parent: QWidget, margin: int = 0, spacing: int = 8) -> QVBoxLayout:
    made = QVBoxLayout(parent)
    made.setContentsMargins(margin, margin, margin, margin)
    made.setSpacing(spacing)
    return made


def named_frame(name: str) -> QFrame:
    """Make a frame the style sheet knows: a card, a well, a page."""
    made = QFrame()
    made.setObjectName(name)
    return made


def fill(field: QLineEdit | QPlainTextEdit, text: str) -> None:
    """Show what is stored, and leave alone who is typing it: the cursor, blanks, a composition."""
    shown = field.text() if isinstance(field, QLineEdit) else field.toPlainText()
    if shown == text or (field.hasFocus() and shown.strip() == text.strip()):
        return
    if isinstance(field, QLineEdit):
        field.setText(text)
        if not field.hasFocus():
            field.setCursorPosition(0)  # a long one is read from its beginning
    else:
        field.setPlainText(text)


def _resting(field: QLineEdit | QPlainTextEdit, rested: SignalInstance) -> None:
    """Let ``rested`` tell, at most so long after a key, that there is something to be saved."""
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
    """A line that tells whether an input method is composing, so that Enter can wait for it."""

    submitted = Signal()
    left = Signal()
    rested = Signal()  # somebody types, and what stands there should be safe now
    escaped = Signal()

    def __init__(self, placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _resting(self, self.rested)
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
    """Several lines; tells when the focus leaves it. Tab moves on."""

    left = Signal()
    rested = Signal()  # somebody types, and what stands there should be safe now

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _resting(self, self.rested)
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


class FlowLayout(QLayout):
    """Lays widgets out in lines, like words."""

    def __init__(self, parent: QWidget | None = None, spacing: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    @override
    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    @override
    def count(self) -> int:
        return len(self._items)

    @override
    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    @override
    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    @override
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    @override
    def sizeHint(self) -> QSize:
        return self.minimumSize()

    @override
    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, move: bool) -> int:
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            if item.isEmpty():  # hidden
                continue
            size = item.sizeHint()
            if x > rect.x() and x + size.width() > rect.right() + 1:
                x, y, line = rect.x(), y + line + self.spacing(), 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self.spacing()
            line = max(line, size.height())
        return y + line - rect.y()


def clear_layout(layout: QLayout) -> None:
    """Take everything out and free it."""
    while layout.count():
        item = layout.takeAt(0)
        if item is None:
            return
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            clear_layout(inner)
        if widget is not None:
            widget.hide()
            widget.deleteLater()


class LiveCard(QFrame):
    """A card that is a button: a click, Enter or Space opens it. Its words may wrap."""

    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setProperty("live", "true")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        else:
            super().keyPressEvent(event)


class EmptyState(QWidget):
    """What a page says when there is nothing to show: why, and what to do next."""

    acted = Signal()

    def __init__(self, look: Look, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._icon = icon
        self._picture = label()
        self._title = label(tone="heading", wrap=True)
        self._hint = label(tone="quiet", wrap=True)
        self.button = text_button("", "main")
        self.button.clicked.connect(self.acted)
        inner = column(self, 24, 10)
        inner.addStretch(2)
        for part in (self._picture, self._title, self._hint):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
            inner.addWidget(part)
        inner.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        inner.addStretch(3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        look.changed.connect(self._draw)
        self._draw()

    def say(self, title: str, hint: str, action: str = "") -> None:
        self._title.setText(title)
        self._hint.setText(hint)
        self.button.setText(action)
        self.button.setVisible(bool(action))

    def _draw(self) -> None:
        self._picture.setPixmap(self._look.pixmap(self._icon, "ink3", 40))
