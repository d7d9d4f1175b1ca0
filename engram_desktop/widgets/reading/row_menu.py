"""Menu and keys of the text: commands on messages, and on words selected in a message."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from engram_desktop.viewmodels.findings import kind_names
from engram_desktop.viewmodels.reading.reading_chat import ReadingChat
from engram_desktop.viewmodels.reading.text_marks import (
    FindingMarks,
    MemoryMarks,
    PassageUse,
    PassageUses,
    Remembering,
)
from engram_desktop.widgets.parts.look import Look

USE_KEYS: dict[int, PassageUse] = {
    Qt.Key.Key_E: "event",
    Qt.Key.Key_F: "fact",
    Qt.Key.Key_T: "thread",
    Qt.Key.Key_N: "entity",
    Qt.Key.Key_R: "relation",
}


ReadingModels = tuple[ReadingChat, MemoryMarks, Remembering, FindingMarks, PassageUses]
MOST_FINDINGS = 4  # in a menu: the page of findings has all
MENU_WORDS = 32  # characters of a quote in a menu


class RowMenu(QMenu):
    """The commands. ``edit`` edits a message in its place. Other viewpoints are read only."""

    def __init__(
        self,
        look: Look,
        models: ReadingModels,
        view: QWidget,
        edit: Callable[[int], object],
        span: tuple[int, int],
        marked: str = "",
    ) -> None:
        """``marked``: the words selected in the message."""
        super().__init__(view)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._look = look
        chat, marks, remembering, quoted, passages = models
        first, last = span
        count, is_own = last - first + 1, not chat.actor
        is_one = count == 1
        row = chat.rows.row(first)
        keys = marks.keys_between(first, last)
        self._add("copy", self.tr("Copy"), partial(_copy, chat, span, marked))
        if marked.strip():
            self._add_uses(passages, first, marked)
        self._add("plus", self.tr("Remember this…"), partial(remembering.begin, *span), can=is_own)
        self._add(
            "events",
            self.tr("Its memory on the events page"),
            partial(chat.show_event, keys[-1] if keys else 0),
            can=bool(keys),
        )
        for mark in quoted.between(first, last)[:MOST_FINDINGS]:
            kind = kind_names()[mark.finding.kind]
            words = " ".join(mark.text.split())[:MENU_WORDS]
            text = self.tr("{kind}: “{words}”").format(kind=kind, words=words.replace("&", "&&"))
            self._add("findings", text, partial(quoted.go_to, mark.finding))
        self._add("eye", self.tr("Who knows this…"), partial(chat.ask_who, first), can=is_one)
        self._add("clock", self.tr("See everything as of here"), partial(chat.view_at, last))
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

    def _add_uses(self, passages: PassageUses, floor: int, words: str) -> None:
        """Add the commands on the selected words."""
        self.addSection(self.tr("Make of these words"))
        uses: tuple[tuple[PassageUse, str, str], ...] = (
            ("event", "events", self.tr("An event…")),
            ("fact", "info", self.tr("A fact of somebody or something…")),
            ("thread", "findings", self.tr("An open thread: a promise, a hint")),
            ("entity", "graph", self.tr("A person, place or thing")),
            ("relation", "link", self.tr("A relation between two…")),
        )
        keys = {use: QKeySequence(key).toString() for key, use in USE_KEYS.items()}
        for use, icon, text in uses:
            act = partial(passages.use, use, floor, words)
            self._add(icon, f"{text}\t{keys[use]}", act, can=passages.is_allowed)
        noted = passages.noted(floor, words)
        if noted:
            self._add("close", self.tr("No longer a thread"), partial(passages.forget, noted))
        self.addSeparator()

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
