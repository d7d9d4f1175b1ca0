"""The history of one event: its versions, what each changed word by word, and going back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPlainTextEdit, QSplitter, QWidget

from engram_desktop.domain.event_version import EventVersion
from engram_desktop.domain.text.words.word_diff import Piece
from engram_desktop.viewmodels.events.event_history import EventHistory
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.look.look import Look


class EventHistoryView(QWidget):
    """Reads only while it is seen."""

    def __init__(self, look: Look, history: EventHistory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._history = history
        layout = column(self, 0, 8)
        layout.setContentsMargins(20, 14, 20, 12)
        layout.addWidget(label(self.tr("What this event was, newest first"), "section"))
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setObjectName("event history")
        parts.setChildrenCollapsible(False)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Versions"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._show_change)
        parts.addWidget(self.list)
        self.change = QPlainTextEdit()
        self.change.setReadOnly(True)
        self.change.setAccessibleName(self.tr("What changed"))
        parts.addWidget(self.change)
        layout.addWidget(parts, 1)
        self._hint = label("", "hint", wrap=True)
        layout.addWidget(self._hint)
        self.restore_button = text_button(self.tr("Go back to this version"))
        self.restore_button.clicked.connect(self._restore)
        layout.addWidget(self.restore_button)
        history.read.connect(self._show)
        look.changed.connect(self._redraw)
        self._show([])

    def watch(self, *, wanted: bool) -> None:
        self._history.watch(wanted=wanted)

    @Slot(object)
    def _show(self, versions: Sequence[EventVersion]) -> None:
        row = self.list.currentRow()
        with QSignalBlocker(self.list):  # while it is filled, its rows are those of another event
            self.list.clear()
            for number in range(len(versions)):
                self.list.addItem(QListWidgetItem(self._history.title(number)))
            self.list.setCurrentRow(min(max(row, 0), len(versions) - 1))
        if self._history.is_hidden:
            self._hint.setText(self.tr("What an event was is shown to you, not to a character."))
        elif versions and versions[-1].label is None:
            self._hint.setText(self.tr("Older steps are kept no more."))
        else:
            self._hint.setText("")
        self._hint.setVisible(bool(self._hint.text()))
        self._show_change(self.list.currentRow())

    @Slot()
    def _redraw(self) -> None:
        self._show_change(self.list.currentRow())

    @Slot(int)
    def _show_change(self, number: int) -> None:
        self.change.clear()
        self.restore_button.setEnabled(number >= 0 and self._history.can_restore(number))
        if number < 0:
            return
        cursor = self.change.textCursor()
        for name, pieces in self._history.pieces(number):
            self._write(cursor, name, pieces)
        self.change.moveCursor(QTextCursor.MoveOperation.Start)

    def _write(self, cursor: QTextCursor, name: str, pieces: Sequence[Piece]) -> None:
        """Write a field's name and its words; what went is struck through, what came underlined."""
        head = QTextCharFormat()
        head.setForeground(self._look.color("ink2"))
        cursor.insertText(name, head)
        cursor.insertText("\n")
        for piece in pieces:
            words = QTextCharFormat()
            match piece.kind:
                case "gone":
                    words.setForeground(self._look.color("red_ink"))
                    words.setBackground(self._look.color("red_soft"))
                    words.setFontStrikeOut(True)
                case "new":
                    words.setForeground(self._look.color("green_ink"))
                    words.setBackground(self._look.color("green_soft"))
                    words.setFontUnderline(True)
                case "same":
                    words.setForeground(self._look.color("ink"))
            cursor.insertText(piece.text, words)
        cursor.insertText("\n\n", QTextCharFormat())

    @Slot()
    def _restore(self) -> None:
        self._history.restore(self.list.currentRow())
