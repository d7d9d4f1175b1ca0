"""The page 原文: a chat as it was written, with marks of what is remembered of it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.reading.memory_marks import MemoryMarks
from engram_desktop.viewmodels.reading.reading_chat import Lines, ReadingChat, ReadingState
from engram_desktop.viewmodels.reading.remembering import Remembering
from engram_desktop.viewmodels.reading.text_search import TextSearch
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, column
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.fields.mixed_fields import NumberField
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.empty_state import EmptyState
from engram_desktop.widgets.parts.pages.page import Page, PageParts
from engram_desktop.widgets.parts.pages.row_editor import RowEditing
from engram_desktop.widgets.reading.floor_bubble import FloorBubble
from engram_desktop.widgets.reading.lines_strip import LinesStrip
from engram_desktop.widgets.reading.row_menu import RowMenu
from engram_desktop.widgets.reading.search_strip import SearchStrip
from engram_desktop.widgets.reading.text_view import TextView


class ReadingPage(Page):
    def __init__(
        self,
        look: Look,
        models: tuple[ReadingChat, MemoryMarks, Remembering],
        search: TextSearch,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._models = models
        chat, marks, _remembering = models
        self._chat = chat
        self._marks = marks
        self._search = search
        outer = column(self, 0, 0)
        top = QHBoxLayout()
        top.setContentsMargins(24, 10, 16, 6)
        top.addWidget(self._make_head(look), 1)
        outer.addLayout(top)
        self.lines = LinesStrip(look, chat, self)
        inset = QHBoxLayout()
        inset.setContentsMargins(24, 0, 16, 4)
        inset.addWidget(self.lines)
        outer.addLayout(inset)
        self.view = TextView(look, chat.rows, chat.face, marks)
        self.editing = RowEditing(self.view, chat, self)
        self.editing.left.connect(self.view.setFocus)
        self.view.setAccessibleName(self.tr("The chat as it was written"))
        self._bubble = FloorBubble(self.view)
        self._empty = EmptyState(look, "text")
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._empty)
        self._connect()
        self._on_shown(chat.state)

    def _connect(self) -> None:
        chat, search = self._chat, self._search
        self.view.seen_changed.connect(self._on_seen)
        self.view.chosen_changed.connect(chat.choose)
        self.view.mark_pressed.connect(self._on_mark)
        self.view.menu_wanted.connect(self._open_menu)
        self.view.find_with(search.spans)
        search.changed.connect(self.view.viewport().update)
        search.gone_to.connect(self._on_gone_to)
        chat.opened.connect(self._on_opened)
        chat.shown.connect(self._on_shown)
        chat.lines_changed.connect(self._on_lines)
        delete = QShortcut(QKeySequence("Del"), self.view)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._delete)

    def _make_head(self, look: Look) -> QWidget:
        head = QWidget()
        flow = FlowLayout(head, 12)
        self.search = SearchStrip(look, self._search, self._first_seen, self)
        flow.addWidget(self.search)
        floor = QWidget()
        line = QHBoxLayout(floor)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(label(self.tr("Floor")))
        self.floor_field = NumberField(0, 0)
        self.floor_field.setAccessibleName(self.tr("Go to floor"))
        self.floor_field.setToolTip(self.tr("Go to floor"))
        self.floor_field.setMinimumWidth(92)
        self.floor_field.changed.connect(self._go_to)
        line.addWidget(self.floor_field)
        self._of = label("", "quiet")
        line.addWidget(self._of)
        flow.addWidget(floor)
        return head

    def _first_seen(self) -> int:
        return max(0, self.view.seen[0])

    @override
    def focus_search(self) -> None:
        self.search.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.field.selectAll()

    @override
    def set_active(self, active: bool) -> None:
        self._note_place()
        self._chat.set_active(active)
        self._marks.set_active(active)

    @Slot(object)
    def _go_to(self, floor: int | None) -> None:
        if floor is not None and self._chat.is_loaded:
            self.view.show_at_top(floor)
            self.view.setFocus()

    @Slot(int, int)
    def _on_gone_to(self, floor: int, number: int) -> None:
        """Bring a hit into view."""
        self.view.show_text(floor, self._chat.place_of(floor, self._search.needle, number))

    @Slot(object)
    def _on_opened(self, place: tuple[int, int] | None) -> None:
        if self._chat.lines is not None:
            self._on_lines(self._chat.lines)
        elif place is not None:
            self.view.show_at_top(*place)

    @Slot(object)
    def _on_lines(self, lines: Lines | None) -> None:
        """Mark floors that were asked for and show the first of them."""
        self.view.light((lines.first, lines.last) if lines is not None else None)
        if lines is not None and self._chat.is_loaded:
            self.view.show_at_top(lines.first)
            self._chat.choose(lines.first, lines.last)
            self.view.setFocus()

    @Slot(object)
    def _on_shown(self, state: ReadingState) -> None:
        last = max(0, state.count - 1)
        if self.editing.editor is not None and self.editing.floor > last:
            self.editing.leave()
        self.floor_field.setMaximum(last)
        self.floor_field.setEnabled(state.count > 0)
        self._of.setText(self.tr("of {last}").format(last=last) if state.count else "")
        self._stack.setCurrentWidget(self.view if state.count else self._empty)
        if not self._chat.is_loaded and self._chat.has_chat:
            self._empty.wait()
        elif not state.count:
            self._empty.say(
                self.tr("This chat has no messages"),
                self.tr("Import it again, or say something on the play page."),
            )

    @Slot(int, int)
    def _on_seen(self, first: int, last: int) -> None:
        if first < 0:
            return
        if not self.floor_field.hasFocus():
            self.floor_field.show_values([first])
        self._marks.look_at(first, last)
        self._note_place()

    @Slot()
    def _note_place(self) -> None:
        self._chat.note_place(self.view.place)

    @Slot(int)
    def _on_mark(self, floor: int) -> None:
        self._chat.choose(floor, floor)
        self._chat.show_panel()

    @Slot(int, QPoint)
    def _open_menu(self, floor: int, at: QPoint) -> None:
        span = self.view.chosen_with(floor)
        RowMenu(self._look, self._models, self.view, self.edit, span).popup(at)

    def edit_current(self) -> None:
        """Edit the message the reader is at."""
        if self.view.current >= 0 and not self._chat.actor:
            self.edit(self.view.current)

    @Slot()
    def _delete(self) -> None:
        first, last = self.view.chosen
        if first >= 0 and not self._chat.actor:
            self._chat.delete(first, last)

    def edit(self, floor: int) -> None:
        """Edit a message in its place."""
        self.editing.edit(floor)


def make(parts: PageParts, parent: QWidget) -> ReadingPage:
    models = parts.models
    trio = (models.reading, models.marks, models.remembering)
    return ReadingPage(parts.look, trio, models.text_search, parent)
