"""Words as chips: shown, and edited one by one."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget
from typing_extensions import override

from engram_desktop.domain.worldbooks.worldbook import split_keys
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, clear_layout
from engram_desktop.widgets.parts.basics.pieces import literal
from engram_desktop.widgets.parts.fields.completions import completions
from engram_desktop.widgets.parts.fields.text_fields import LineField
from engram_desktop.widgets.parts.look.look import Look


class WordChip(QToolButton):
    """One word that Del, Backspace or a click on it removes."""

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
        self._flow.addWidget(self.field)

    @property
    def words(self) -> tuple[str, ...]:
        return self._words

    def suggest(self, words: Iterable[str]) -> None:
        """Offer these while something is typed."""
        completer = completions(QStringListModel(list(words), self.field), self.field)
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
        self.updateGeometry()

    @Slot(str)
    def _on_picked(self, word: str) -> None:
        self.field.clear()
        self._set(tuple(dict.fromkeys((*self._words, word))))

    def _split(self, text: str) -> Iterable[str]:
        """Split what was typed into words."""
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
    """Keywords of a worldbook: a comma inside of a pattern is part of it."""

    @override
    def _split(self, text: str) -> Iterable[str]:
        return split_keys(text)
