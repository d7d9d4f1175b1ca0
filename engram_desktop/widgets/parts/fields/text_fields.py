"""Fields for texts and for lists of words, and the store of their unsaved text."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QMetaMethod,
    QObject,
    QStringListModel,
    Qt,
    QTimer,
    Signal,
    SignalInstance,
    Slot,
)
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QCompleter,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.state import condition as conditions
from engram_desktop.domain.worldbooks import worldbook
from engram_desktop.viewmodels.private_note import NotedThing, PrivateNoteModel
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.viewmodels.workspace.workspace import (
    SAVE_WITHIN_MS,
    Typed,
    TypingPlace,
    UnsavedTexts,
)
from engram_desktop.widgets.parts.layouts import FlowLayout, Fold, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label, literal, set_tone

# Fields for text: one line, a search, several lines; each emits a signal when it loses focus.


def fill(field: QLineEdit | QPlainTextEdit, text: str) -> None:
    """Show a stored text; while it is being typed in, keep cursor, blanks and composition."""
    current = field.text() if isinstance(field, QLineEdit) else field.toPlainText()
    if current == text or (field.hasFocus() and current.strip() == text.strip()):
        return
    if isinstance(field, QLineEdit):
        field.setText(text)
        if not field.hasFocus():
            field.setCursorPosition(0)  # show the beginning of a long text
    else:
        field.setPlainText(text)


def _emit_while_typing(field: QLineEdit | QPlainTextEdit, rested: SignalInstance) -> None:
    """Emit ``rested`` at most `SAVE_WITHIN_MS` after a key, so that the text is saved."""
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


def _leaves_to_window(event: QEvent, field: QLineEdit | QTextDocument) -> bool:
    """Pass undo and redo on to the window if the field has nothing to undo itself."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    is_left = (event.matches(QKeySequence.StandardKey.Undo) and not field.isUndoAvailable()) or (
        event.matches(QKeySequence.StandardKey.Redo) and not field.isRedoAvailable()
    )
    if is_left:
        event.ignore()
    return is_left


class LineField(QLineEdit):
    """One line; Enter submits, except while an input method is composing."""

    submitted = Signal()
    left = Signal()
    rested = Signal()  # the text typed so far should be saved
    escaped = Signal()

    def __init__(self, placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _emit_while_typing(self, self.rested)
        self.setPlaceholderText(placeholder)
        self.is_composing = False

    @override
    def event(self, event: QEvent) -> bool:
        return _leaves_to_window(event, self) or super().event(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self._make_list()
        super().focusInEvent(event)

    @override
    def setCompleter(self, completer: QCompleter) -> None:
        super().setCompleter(completer)
        if self.hasFocus():
            self._make_list()

    def _make_list(self) -> None:
        """Make the list of names that are offered, before Qt makes one of its own."""
        completer = self.completer()
        if isinstance(completer, Completions):
            _ = completer.list

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
        """Submit; while names are offered below, the list handles Enter and inserts one."""
        completer = self.completer()
        popup = completer.popup() if completer is not None else None
        is_offered = popup is not None and popup.isVisible()
        is_answered = self.isSignalConnected(QMetaMethod.fromSignal(self.submitted))
        if self.is_composing:
            event.accept()  # Enter ends the composition
        elif is_offered or not is_answered:
            event.ignore()  # the parent handles it: a list, or the dialog's default button
        else:
            self.submitted.emit()
            event.accept()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class ConditionField(QWidget):
    """The condition under which a memory may be known, and whether it holds now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        rows = column(self, 0, 4)
        self.line = LineField(self.tr("For example: Alice.affection > 90"))
        self.line.setAccessibleName(self.tr("Only while this holds"))
        rows.addWidget(self.line)
        self.verdict = label("", "hint", wrap=True)
        rows.addWidget(self.verdict)
        self.verdict.hide()

    def show_condition(self, condition: str | None) -> None:
        """Show the stored condition; `show_verdict` shows whether it holds."""
        fill(self.line, condition or "")
        self.verdict.setText("")
        self.verdict.setVisible(bool(condition))

    def show_verdict(self, verdict: conditions.Verdict, *, is_for_all: bool = False) -> None:
        """Show whether the condition holds; ``is_for_all``: it holds for everyone."""
        if verdict.fault:
            reason = translated(verdict.fault)
            text = self.tr("No character may know it: {reason}.").format(reason=reason)
        elif conditions.names_asker(self.line.text()):
            text = self.tr("It depends on who asks.")
        elif not verdict.holds:
            text = self.tr("It does not hold now: no character may know it.")
        elif is_for_all:
            text = self.tr("It holds now: everybody may know it.")
        else:
            text = self.tr("It holds now.")
        self.verdict.setText(text)
        set_tone(self.verdict, "bad" if verdict.fault else "hint")


class SearchField(LineField):
    """A `LineField` with a magnifier and a button to clear it."""

    def __init__(self, look: Look, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(placeholder, parent)
        self._glass = self.addAction(look.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        look.set_icon(self._glass, "search")
        self.setAccessibleName(placeholder)
        self.setClearButtonEnabled(True)
        for inner in self.findChildren(QToolButton):  # Qt gives these buttons no names
            inner.setAccessibleName(placeholder)


class TextField(QPlainTextEdit):
    """Several lines; emits `left` when it loses the focus. Tab moves to the next field."""

    left = Signal()
    rested = Signal()  # the text typed so far should be saved

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _emit_while_typing(self, self.rested)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        # every text wraps, but before its first layout Qt assumes one long line
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @override
    def event(self, event: QEvent) -> bool:
        return _leaves_to_window(event, self.document()) or super().event(event)

    def replace_text(self, text: str) -> None:
        """Replace the text in one step, which the field's own undo can revert."""
        if text != self.toPlainText():
            cursor = self.textCursor()
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


# Names offered below a field while text is typed: all names that contain it.
#
# The list is a top-level window without a painted parent, so it has its own background colour.


MOST_OFFERED = 10  # rows seen at a time; the others scroll


class Completions(QCompleter):
    """Offers the rows of a model in `list`.

    The list is made when the field gets the focus: as a window of its own it would be styled while
    the page of the field is made, 3 ms each.
    """

    @cached_property
    def list(self) -> QListView:
        made = QListView()
        self.setPopup(made)  # the completer owns it from now on
        return made


def completions(model: QAbstractItemModel, parent: QObject) -> Completions:
    """Return a completer for the rows of ``model``."""
    completer = Completions(model, parent)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setMaxVisibleItems(MOST_OFFERED)
    return completer


# Words as chips, edited one by one.


class WordChip(QToolButton):
    """One word; Del, Backspace or a click removes it."""

    removed = Signal(str)

    def __init__(self, look: Look, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.word = word
        self.setProperty("kind", "chip")
        self.setText(literal(word))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.setIcon(look.icon("close", "ink3"))
        name = self.tr("Remove {word}").format(word=word)
        self.setAccessibleName(name)
        self.setToolTip(self.tr("Remove this word"))
        self.clicked.connect(lambda: self.removed.emit(self.word))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit(self.word)
        else:
            super().keyPressEvent(event)


class WordChips(QWidget):
    """An editable set of words."""

    changed = Signal(object)  # tuple[str, ...]

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._words: tuple[str, ...] = ()
        self._flow = FlowLayout(self)
        self.setAccessibleName(name)
        self.field = LineField(self.tr("Add a word"))
        self.field.setAccessibleName(self.tr("Add a word"))
        self.field.setFixedWidth(110)
        self.field.submitted.connect(self._add)
        self.field.left.connect(self._add)
        self._offered = QStringListModel(self.field)
        self._flow.addWidget(self.field)

    @property
    def words(self) -> tuple[str, ...]:
        return self._words

    def suggest(self, words: Iterable[str]) -> None:
        """Offer these while text is typed."""
        self._offered.setStringList(list(words))
        if self.field.completer() is None:
            completer = completions(self._offered, self.field)
            completer.activated.connect(self._on_picked, Qt.ConnectionType.QueuedConnection)
            self.field.setCompleter(completer)

    def show_words(self, words: Iterable[str]) -> None:
        self._words = tuple(words)
        self._flow.removeWidget(self.field)
        clear_layout(self._flow)
        for word in self._words:
            chip = WordChip(self._look, word)
            chip.removed.connect(self._remove)
            self._flow.addWidget(chip)
        self._flow.addWidget(self.field)
        self._order_tabs()
        self.updateGeometry()

    def _order_tabs(self) -> None:
        """Set the tab order: the words, then the field behind them."""
        items = (self._flow.itemAt(n) for n in range(self._flow.count()))
        parts = [part for item in items if item is not None and (part := item.widget())]
        before = self.field.previousInFocusChain()
        if len(parts) > 1 and before is not None:
            for one, other in itertools.pairwise((before, *parts)):
                QWidget.setTabOrder(one, other)

    @Slot(str)
    def _on_picked(self, word: str) -> None:
        self.field.clear()
        self._set(tuple(dict.fromkeys((*self._words, word))))

    def _split(self, text: str) -> Iterable[str]:
        """Split typed text into words."""
        parts = text.replace("，", ",").replace("、", ",").split(",")
        return [word.strip() for word in parts if word.strip()]

    def _add(self) -> None:
        new = self._split(self.field.text())
        if new:
            self.field.clear()
            self._set(tuple(dict.fromkeys((*self._words, *new))))

    def _remove(self, word: str) -> None:
        self.field.setFocus()
        self._set(tuple(w for w in self._words if w != word))

    def _set(self, words: tuple[str, ...]) -> None:
        self.show_words(words)
        self.changed.emit(words)


class KeyChips(WordChips):
    """Keywords of a worldbook: a comma inside a regex does not separate keywords."""

    @override
    def _split(self, text: str) -> Iterable[str]:
        return worldbook.split_keys(text)


# Stores text typed into fields that have a save button, and restores it after a crash.
#
# Fields whose unfinished text may be saved save it while it is typed, and do not use this.


Field = QLineEdit | QPlainTextEdit | WordChips | QComboBox | QAbstractButton


class UnsavedFields(QObject):
    """Keeps unsaved text of some fields, for one place at a time.

    Code that fills the fields calls `show` afterwards; code that saves or discards them, `drop`.
    ``hint`` is shown beside the fields when text was restored.
    """

    def __init__(
        self, texts: UnsavedTexts, fields: Mapping[str, Field], parent: QWidget, note: str = ""
    ) -> None:
        super().__init__(parent)
        self._texts = texts
        self._fields = fields
        self._place: TypingPlace | None = None
        self._stored: dict[str, Typed] = {}
        self._touched: set[TypingPlace] = set()
        self.hint = label(
            note or self.tr("What was typed here before is back. It is not saved yet."),
            "hint",
            wrap=True,
        )
        self.hint.hide()
        self._timer = QTimer(self, singleShot=True, interval=SAVE_WITHIN_MS)
        self._timer.timeout.connect(self._keep)
        for field in fields.values():
            _connect(field, self._on_typed)

    def show(self, place: TypingPlace, stored: Mapping[str, Typed] | None = None) -> bool:
        """Set the place that the fields show, and its stored values; None: the values shown now.

        Restores text typed at this place before, if the place has changed; returns whether there
        was any.
        """
        is_other, self._place = place != self._place, place
        values = {name: _value(field) for name, field in self._fields.items()}
        self._stored = dict(stored) if stored is not None else values
        if not is_other:
            if not self._unsaved():
                self.drop()
            return False
        self._timer.stop()
        texts = self._texts.read(place)
        names = [name for name in texts.keys() & self._fields.keys() if texts[name] != values[name]]
        for name in names:
            _put(self._fields[name], texts[name])
        self._timer.stop()  # restored text is already stored
        self.hint.setVisible(bool(names))
        if names:
            self._touched.add(place)
        return bool(names)

    @Slot()
    def flush(self) -> None:
        """Store pending text at once: the fields are about to show something else."""
        if self._timer.isActive():
            self._timer.stop()
            self._keep()

    def holds(self, place: TypingPlace, name: str) -> bool:
        """Return whether a field shows unsaved text for ``place``, which must not be replaced."""
        return place == self._place and name in self._unsaved()

    def drop(self, *names: str) -> None:
        """Discard the text stored for these fields, or for all: it was saved or given up."""
        values = {name: _value(field) for name, field in self._fields.items()}
        self._stored |= {name: values[name] for name in names or values}
        self._timer.stop()
        if self._place is not None:
            self._keep()

    def drop_all(self) -> None:
        """Discard the text stored for every place that these fields have shown."""
        self.drop()
        for place in self._touched:
            self._texts.forget(place)

    def _unsaved(self) -> dict[str, Typed]:
        values = {name: _value(field) for name, field in self._fields.items()}
        return {n: v for n, v in values.items() if not _is_same(v, self._stored.get(n, ""))}

    @Slot()
    def _keep(self) -> None:
        if self._place is not None:
            unsaved = self._unsaved()
            self._texts.keep(self._place, unsaved)
            self._touched.add(self._place)
            if not unsaved:
                self.hint.hide()

    def _on_typed(self) -> None:
        if self._place is not None and not self._timer.isActive():
            self._timer.start()


def _connect(field: Field, changed: Callable[[], None]) -> None:
    match field:
        case WordChips():
            field.changed.connect(lambda _words: changed())
            field.field.textChanged.connect(lambda _text: changed())
        case QPlainTextEdit():
            field.textChanged.connect(changed)
        case QComboBox():
            field.currentTextChanged.connect(lambda _text: changed())
        case QLineEdit():
            field.textChanged.connect(lambda _text: changed())
        case QAbstractButton():
            field.toggled.connect(lambda _on: changed())


def _value(field: Field) -> Typed:
    match field:
        case WordChips():  # the last word is still being typed
            return [*field.words, field.field.text()]
        case QPlainTextEdit():
            return field.toPlainText()
        case QComboBox():
            return field.currentText()
        case QLineEdit():
            return field.text()
        case QAbstractButton():
            return "1" if field.isChecked() else ""


def _put(field: Field, value: Typed) -> None:
    """Restore a value if it fits the field: a file edited by hand may contain any value."""
    match field, value:
        case WordChips(), [*words, str(last)]:
            field.show_words(words)
            field.field.setText(last)
        case QPlainTextEdit(), str():
            field.setPlainText(value)
            field.moveCursor(QTextCursor.MoveOperation.End)
        case QComboBox(), str():
            field.setEditText(value)
        case QLineEdit(), str():
            field.setText(value)
        case QAbstractButton(), str():
            field.setChecked(bool(value))


def _is_same(one: Typed, other: Typed) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one.strip() == other.strip()
    return one == other


# A private note beside its subject; folded while it is empty.


NOTE_HEIGHT = 76  # pixels: four lines, as long as most notes; a longer one scrolls


class NoteField(QWidget):
    """A note, saved while it is typed and on focus out. Hidden while there is no subject."""

    def __init__(self, look: Look, model: PrivateNoteModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._thing: NotedThing | None = None
        rows = column(self, 0, 0)
        self.fold = Fold(look, self.tr("Private note"))
        rows.addWidget(self.fold)
        inner = column(self.fold.inner, 0, 4)
        self.text = TextField(self.tr("Private note"))
        self.text.setFixedHeight(NOTE_HEIGHT)
        inner.addWidget(self.text)
        inner.addWidget(label(self.tr("For you alone: no model ever sees it."), "hint", wrap=True))
        self.text.left.connect(self.save)
        self.text.rested.connect(self.save)
        model.shown.connect(self._on_shown)
        self._on_shown(model.current)

    @Slot()
    def save(self) -> None:
        """Save the text if it has changed."""
        thing, text = self._thing, self.text.toPlainText()
        if thing is not None and text != thing.text:
            self._thing = replace(thing, text=text)
            self._model.save(thing, text)

    @Slot(object)
    def _on_shown(self, thing: NotedThing | None) -> None:
        was = self._thing
        if was is not None and thing is not None and thing.is_same_as(was):
            if not self.text.hasFocus():  # while it has the focus, the typed text is kept
                self._thing = thing
                fill(self.text, thing.text)
            return
        self.save()
        self._thing = thing
        self.setVisible(thing is not None)
        self.text.setPlainText("" if thing is None else thing.text)
        self.fold.set_open(is_open=thing is not None and bool(thing.text))
