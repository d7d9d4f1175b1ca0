"""Stores what is typed into fields that are saved by a button, and restores it after a crash.

Fields whose text may be saved half-typed save it as it is typed, and do not use this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from engram_desktop.viewmodels.workspace.unsaved_texts import (
    SAVE_WITHIN_MS,
    Place,
    Typed,
    UnsavedTexts,
)
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.fields.chips import WordChips

Field = QLineEdit | QPlainTextEdit | WordChips | QComboBox | QAbstractButton


class KeptTyping(QObject):
    """Some fields of one place at a time.

    Whoever fills the fields calls `show` after it; whoever saved them, or gave them up, `drop`.
    ``hint`` stands beside the fields and says that something was put back.
    """

    def __init__(
        self, texts: UnsavedTexts, fields: Mapping[str, Field], parent: QWidget, note: str = ""
    ) -> None:
        super().__init__(parent)
        self._texts = texts
        self._fields = fields
        self._place: Place | None = None
        self._stored: dict[str, Typed] = {}
        self._touched: set[Place] = set()
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

    def show(self, place: Place, stored: Mapping[str, Typed] | None = None) -> bool:
        """Say which place the fields show, and what is stored there; None: what they show.

        Puts back what was typed at another place than before; returns whether there was anything.
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
        self._timer.stop()  # what was put back is kept already
        self.hint.setVisible(bool(names))
        if names:
            self._touched.add(place)
        return bool(names)

    @Slot()
    def flush(self) -> None:
        """Keep at once what waits to be kept: the fields are about to show something else."""
        if self._timer.isActive():
            self._timer.stop()
            self._keep()

    def holds(self, place: Place, name: str) -> bool:
        """Whether a field shows something typed at ``place`` that is not stored: leave it alone."""
        return place == self._place and name in self._unsaved()

    def drop(self, *names: str) -> None:
        """Forget what was typed into these fields, or all, because it was saved or given up."""
        values = {name: _value(field) for name, field in self._fields.items()}
        self._stored |= {name: values[name] for name in names or values}
        self._timer.stop()
        if self._place is not None:
            self._keep()

    def drop_all(self) -> None:
        """Forget what was typed at every place these fields were shown for."""
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
        case WordChips():  # the last is the word that is being written
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
    """Put a value back if it fits the field: a file changed by hand may hold anything."""
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
