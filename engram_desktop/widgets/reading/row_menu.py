"""The menu of a message of the text, or of those that are selected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from engram_desktop.viewmodels.reading.memory_marks import MemoryMarks
from engram_desktop.viewmodels.reading.reading_chat import ReadingChat
from engram_desktop.viewmodels.reading.remembering import Remembering
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.reading.text_view import TextView


class RowMenu(QMenu):
    """``edit`` edits a message in its place. What somebody else perceived can only be read."""

    def __init__(
        self,
        look: Look,
        models: tuple[ReadingChat, MemoryMarks, Remembering],
        view: TextView,
        edit: Callable[[int], object],
        span: tuple[int, int],
    ) -> None:
        super().__init__(view)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._look = look
        chat, marks, remembering = models
        first, last = span
        count, is_own = last - first + 1, not chat.actor
        is_one = count == 1
        row = chat.rows.row(first)
        marked = view.marked_text() if is_one else ""
        keys = marks.keys_between(first, last)
        self._add("copy", self.tr("Copy"), partial(_copy, chat, span, marked))
        self._add("plus", self.tr("Remember this…"), partial(remembering.begin, *span), can=is_own)
        self._add(
            "events",
            self.tr("Its memory on the events page"),
            partial(chat.show_event, keys[-1] if keys else 0),
            can=bool(keys),
        )
        self._add("eye", self.tr("Who knows this…"), partial(chat.ask_who, first), can=is_one)
        self.addSeparator()
        self._add("edit", self.tr("Edit here"), partial(edit, first), can=is_one and is_own)
        is_hidden = row is not None and row.is_hidden
        self._add(
            "mute",
            self.tr("Show to prompts") if is_hidden else self.tr("Hide from prompts"),
            partial(chat.set_hidden, first, last, hidden=not is_hidden),
            can=is_own,
        )
        self._add("branch", self.tr("Fork here"), partial(chat.fork, first), can=is_one and is_own)
        self._add(
            "trash",
            self.tr("Delete %n message(s)", "", count),
            partial(chat.delete, first, last),
            can=is_own,
        )

    def _add(self, icon: str, text: str, act: Callable[[], object], *, can: bool = True) -> None:
        action = self.addAction(self._look.icon(icon), text)
        action.setEnabled(can)
        action.triggered.connect(lambda _checked=False: act())


def _copy(chat: ReadingChat, span: tuple[int, int], marked: str) -> None:
    text = marked
    if not text:
        row = chat.rows.row(span[0])
        is_one = span[0] == span[1] and row is not None and not row.is_cut
        text = row.text if is_one and row is not None else chat.text_between(*span)
    QGuiApplication.clipboard().setText(text)
