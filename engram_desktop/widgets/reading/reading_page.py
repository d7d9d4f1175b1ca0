"""The page 原文: the text of a chat, with marks for what is remembered of it.

It also holds the search strip, the strip about floors opened from another page, and the bubble with
the floor while the scroll bar is dragged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QShortcut,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStackedLayout,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)
from typing_extensions import override

from engram_desktop.viewmodels.findings import KIND_ROLES
from engram_desktop.viewmodels.reading.reading_chat import (
    PRIVATE,
    Lines,
    ReadingChat,
    ReadingState,
    TextSearch,
)
from engram_desktop.viewmodels.reading.text_marks import (
    FindingMarks,
    MemoryMarks,
    QuoteMark,
    state_words,
    tip_of,
)
from engram_desktop.viewmodels.workspace.choice_texts import floors_words
from engram_desktop.viewmodels.workspace.transcript import Transcript
from engram_desktop.widgets.parts.chat_view import ChatView
from engram_desktop.widgets.parts.fields.mixed_fields import NumberField
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import FlowLayout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, Page, PageParts, RowEditing
from engram_desktop.widgets.parts.pieces import ElidedLabel, icon_button, label, text_button
from engram_desktop.widgets.parts.row_box import AVATAR, PAD, Found, RowBox
from engram_desktop.widgets.reading.row_menu import USE_KEYS, ReadingModels, RowMenu

# The text of a chat with marks in its margin: events, floors opened from elsewhere, and words
# found.
#
# A mark is a thread along the floors that one event tells of, with a shape on each that is larger
# where it begins: a disc for blue, a square for green, a triangle for stale; a ring where nothing
# is remembered.


FIRST_WORDS = 24  # characters of a quote by which its line is found if the whole quote is not
HALF_LINE = 10  # pixels from the top of a line to its middle
LANE = 22  # pixels left of the faces that the marks take
SHAPE, SMALL_SHAPE = 14, 10  # pixels of a mark where an event begins, and on further floors
THREAD = 3  # width of the line along the floors of an event
QUOTED = 5  # pixels: half the width of the mark beside a line that a finding quotes
QUOTED_GAP = 11  # pixels between the text and this mark
ROLES = {"buffer": "accent", "archived": "green", "stale": "red"}


class TextView(ChatView):
    mark_pressed = Signal(int)  # floor
    finding_pressed = Signal(object)  # Finding
    chosen_changed = Signal(int, int)  # first and last floor of the selection
    use_wanted = Signal(str, int, str)  # a `PassageUse` of selected words, floor, words

    def __init__(
        self,
        look: Look,
        rows: Transcript,
        face: Callable[[str], QImage | None],
        marks: MemoryMarks,
        quoted: FindingMarks,
        parent: QWidget | None = None,
    ) -> None:
        self._marks = marks
        self._quoted = quoted
        self._lit: tuple[int, int] | None = None
        self._find: Callable[[int, str], Sequence[Found]] | None = None
        self._chosen = (-1, -1)
        self._spoken = ""  # accessible text of the current message, without its marks
        super().__init__(look, rows, face, parent)
        marks.changed.connect(self._on_marks)
        quoted.changed.connect(self._on_marks)
        self.current_changed.connect(self._tell_chosen)

    def light(self, span: tuple[int, int] | None) -> None:
        """Mark the floors that were opened; None removes the mark."""
        self._lit = span
        self.viewport().update()

    def find_with(self, find: Callable[[int, str], Sequence[Found]] | None) -> None:
        """Mark the matches of ``find`` in the text of each floor."""
        self._find = find
        self.viewport().update()

    @property
    def place(self) -> tuple[int, int] | None:
        """Return the floor at the upper edge and its offset; None at the end of the chat."""
        placing = self._placing
        return None if placing.follows_end else (placing.first, placing.offset)

    def show_at_top(self, floor: int, offset: int = 0) -> None:
        """Scroll a floor to the upper edge and make it the current one."""
        self._set_current(max(0, min(floor, self._heights.count - 1)))
        self._placing.go_to(self.current, offset)
        self._arrange()

    def show_text(self, floor: int, position: int) -> None:
        """Scroll to the line of a character of a message."""
        self.show_floor(floor)
        if self._box(self.current).text.is_folded_at(position):
            self.set_unfolded(self.current, unfolded=True)
        top = next((y for row, y in self._placing.placed if row == self.current), 0)
        box = self._box(self.current)
        line = top + box.text_at.y() + box.text.line_at(position)
        room = self.viewport().height()
        if not 0 <= line <= room - 40:
            self._placing.scroll_by(int(line) - room // 3)
            self._arrange()

    @property
    def chosen(self) -> tuple[int, int]:
        """Return the first and last selected floor, or twice the current one."""
        if self._marked.is_empty:
            return (self.current, self.current)
        (first, _), (last, _) = self._marked.ordered
        return (first, min(last, self._heights.count - 1))

    def chosen_with(self, floor: int) -> tuple[int, int]:
        """Return the selected floors if they include this one, else this one alone."""
        first, last = self.chosen
        return (first, last) if first <= floor <= last else (floor, floor)

    @property
    def passage(self) -> tuple[int, str]:
        """Return the floor and the selected words if they are within one message; else no words."""
        first, last = self.chosen
        return first, self.marked_text().strip() if first == last else ""

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        floor, words = self.passage
        is_plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if words and is_plain and event.key() in USE_KEYS:
            self.use_wanted.emit(USE_KEYS[event.key()], floor, words)
            event.accept()
        else:
            super().keyPressEvent(event)

    def choose(self, first: int, last: int) -> None:
        """Select whole messages."""
        self._marked.start, self._marked.end = (first, 0), (last, 2**31)
        self.viewport().update()
        self._tell_chosen()

    @override
    def _set_current(self, row: int) -> None:
        is_other = row != self.current
        super()._set_current(row)
        if is_other:
            self._spoken = self.accessibleDescription()
            self._say_marks()

    @Slot()
    def _on_marks(self) -> None:
        self.viewport().update()
        self._say_marks()

    def _say_marks(self) -> None:
        """Add the marks beside a message to its accessible text."""
        if self.current >= 0:
            words = [state_words(self._marks.state_at(self.current))]
            words += [mark.words for mark in self._quoted.at(self.current)]
            self.setAccessibleDescription(". ".join([self._spoken, *words]))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        placed = self._placing.placed
        for row, y in placed:
            box = self._box(row)
            self._paint_mark(painter, row, y, box)
            self._paint_quoted(painter, row, y, box)
            if self._lit is not None and self._lit[0] <= row <= self._lit[1]:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self._look.color("gold"), 2.0))
                painter.drawRoundedRect(box.bubble.translated(0, y).adjusted(-2, -2, 2, 2), 12, 12)
        painter.end()

    def _paint_mark(self, painter: QPainter, row: int, y: int, box: RowBox) -> None:
        spans = self._marks.spans.at(row)
        centre = QPointF(box.left - LANE / 2, y + PAD + AVATAR / 2)
        if not spans:
            if self._marks.is_loaded:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self._look.color("line_strong"), 1.5))
                painter.drawEllipse(centre, 3, 3)
            return
        top = spans[-1]
        color = self._look.color(ROLES[top.state])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        begin = centre.y() if row == top.first else y
        end = y + box.height - (PAD if row == top.last else 0)
        painter.drawRect(QRectF(centre.x() - THREAD / 2, begin, THREAD, max(0.0, end - begin)))
        is_first = row == top.first or len(spans) > 1
        self._paint_shape(painter, top.state, centre, SHAPE if is_first else SMALL_SHAPE)

    def _paint_shape(self, painter: QPainter, state: str, centre: QPointF, size: int) -> None:
        half = size / 2
        painter.setPen(QPen(self._look.color("bg"), 2.0))
        if state == "buffer":
            painter.drawEllipse(centre, half + 1, half + 1)
        elif state == "archived":
            painter.drawRect(QRectF(centre.x() - half, centre.y() - half, size, size))
        else:
            x, y = centre.x(), centre.y()
            up = [QPointF(x, y - half - 1), QPointF(x + half + 2, y + half)]
            painter.drawPolygon(QPolygonF([*up, QPointF(x - half - 2, y + half)]))

    def _paint_quoted(self, painter: QPainter, row: int, y: int, box: RowBox) -> None:
        """Draw a lozenge right of each line that a finding quotes."""
        for line, marks in self._quoted_lines(row, box).items():
            at = QPointF(box.bubble.right() + QUOTED_GAP, y + line)
            role = KIND_ROLES[marks[0].finding.kind]
            painter.setPen(QPen(self._look.color("bg"), 1.0))
            painter.setBrush(self._look.color("ink2" if role == "grey" else role))
            corners = [(0, -QUOTED), (QUOTED, 0), (0, QUOTED), (-QUOTED, 0)]
            painter.drawPolygon(QPolygonF([at + QPointF(dx, dy) for dx, dy in corners]))

    def _quoted_lines(self, row: int, box: RowBox) -> dict[float, list[QuoteMark]]:
        """Return the quotes in a row, keyed by the middle of their line in pixels below its top."""
        lines: dict[float, list[QuoteMark]] = {}
        for mark in self._quoted.at(row) if not box.is_covered else ():
            place = box.text.text.find(mark.text.strip())
            if place < 0:  # cut off, or shown otherwise than it is stored
                place = max(0, box.text.text.find(mark.text.strip()[:FIRST_WORDS]))
            line = box.text_at.y() + box.text.line_at(place) + HALF_LINE
            lines.setdefault(line, []).append(mark)
        return lines

    def _quoted_at(self, at: QPointF) -> list[QuoteMark]:
        """Return the meaning of the mark at a position."""
        row, top = self._row_at(at.y())
        if row < 0 or self._heights.count == 0 or not self._quoted.at(row):
            return []
        box = self._box(row)
        if abs(at.x() - box.bubble.right() - QUOTED_GAP) > QUOTED + 3:
            return []
        lines = self._quoted_lines(row, box).items()
        return [m for y, marks in lines if abs(top + y - at.y()) <= QUOTED + 3 for m in marks]

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        quoted = self._quoted_at(event.position())
        if quoted and event.button() == Qt.MouseButton.LeftButton:
            self.finding_pressed.emit(quoted[0].finding)
            return
        row = self._mark_at(event.position())
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self._set_current(row)
            self.mark_pressed.emit(row)
            return
        super().mousePressEvent(event)
        self._tell_chosen()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        at = event.position()
        if not self._is_marking and (self._mark_at(at) >= 0 or self._quoted_at(at)):
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._tell_chosen()

    def _mark_at(self, at: QPointF) -> int:
        """Return the floor whose mark is at a position; -1 for none."""
        row, _top = self._row_at(at.y())
        if row < 0 or self._heights.count == 0:
            return -1
        left = self._box(row).left
        return row if left - LANE - 4 <= at.x() < left - 2 else -1

    @override
    def _tip_at(self, at: QPoint) -> str:
        quoted = self._quoted_at(QPointF(at))
        if quoted:
            return tip_of(quoted)
        row = self._mark_at(QPointF(at))
        return self._marks.tip(row) if row >= 0 else super()._tip_at(at)

    @override
    def _found_in(self, row: int) -> Sequence[Found]:
        return self._find(row, self._box(row).text.text) if self._find is not None else ()

    @Slot()
    def _tell_chosen(self) -> None:
        chosen = self.chosen
        if chosen != self._chosen:
            self._chosen = chosen
            self.chosen_changed.emit(*chosen)


GAP = 6  # pixels between the bubble and the bar


class FloorBubble(QWidget):
    """Visible only while the handle of the scroll bar is dragged."""

    def __init__(self, view: ChatView) -> None:
        super().__init__(view)
        self._view = view
        self._text = label("", "bubble")
        column(self, 0, 0).addWidget(self._text)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        bar = view.verticalScrollBar()
        bar.sliderPressed.connect(self._follow)
        bar.sliderMoved.connect(lambda _value: self._follow())
        bar.sliderReleased.connect(self.hide)

    @Slot()
    def _follow(self) -> None:
        floors = self._view.visible_floors()
        if not floors:
            return
        self._text.setText(self.tr("Floor {floor}").format(floor=floors[0]))
        self.adjustSize()
        bar = self._view.verticalScrollBar()
        option = QStyleOptionSlider()
        bar.initStyleOption(option)
        part = QStyle.SubControl.SC_ScrollBarSlider
        handle = bar.style().subControlRect(QStyle.ComplexControl.CC_ScrollBar, option, part, bar)
        middle = bar.mapTo(self._view, handle.center())
        y = max(0, min(middle.y() - self.height() // 2, self._view.height() - self.height()))
        x = bar.mapTo(self._view, QPoint(0, 0)).x() - self.width() - GAP
        self.move(x, y)
        self.show()
        self.raise_()


class LinesStrip(QFrame):
    def __init__(self, look: Look, chat: ReadingChat, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("well")
        line = QHBoxLayout(self)
        line.setContentsMargins(14, 6, 8, 6)
        self._text = ElidedLabel("quiet", max_width=700)
        line.addWidget(self._text, 1)
        self.back_button = text_button(self.tr("Back"))
        self.back_button.clicked.connect(chat.go_back)
        line.addWidget(self.back_button)
        self.close_button = icon_button(look, "close", self.tr("Take the mark away"))
        self.close_button.clicked.connect(chat.leave_lines)
        line.addWidget(self.close_button)
        chat.lines_changed.connect(self.show_lines)
        self.show_lines(chat.lines)

    @Slot(object)
    def show_lines(self, lines: Lines | None) -> None:
        self.setVisible(lines is not None)
        if lines is None:
            return
        floors = floors_words(lines.first, lines.last)
        self.back_button.setVisible(bool(lines.title))
        page = QCoreApplication.translate("TopBar", lines.title) if lines.title else ""
        self.back_button.setText(self.tr("Back to {page}").format(page=page))
        self._text.set_text(
            self.tr("{floors}, asked for on {page}").format(floors=floors, page=page)
            if page
            else floors
        )


class SearchStrip(QWidget):
    """The search field. ``floor`` returns the reader's floor, from which the search starts."""

    def __init__(
        self,
        look: Look,
        search: TextSearch,
        floor: Callable[[], int],
        page: QWidget,
    ) -> None:
        super().__init__(page)
        self._search = search
        self._floor = floor
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        self.field = SearchField(look, self.tr("Search this chat"))
        self.field.setMinimumWidth(120)
        self.field.setMaximumWidth(210)
        line.addWidget(self.field)
        self.previous_button = icon_button(look, "up", self.tr("The one before (Shift+F3)"))
        self.next_button = icon_button(look, "down", self.tr("The next one (F3)"))
        for button, by in ((self.previous_button, -1), (self.next_button, 1)):
            button.clicked.connect(lambda _checked=False, n=by: search.go(n))
            line.addWidget(button)
        self.count = label("", "quiet")
        self.count.setMinimumWidth(70)
        line.addWidget(self.count)
        self.field.textChanged.connect(self._on_typed)
        self.field.submitted.connect(lambda: search.go(1))
        for key, by in (("F3", 1), ("Shift+F3", -1)):
            shortcut = QShortcut(QKeySequence(key), page)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda n=by: search.go(n))
        search.changed.connect(self._show)
        self._show()

    @Slot(str)
    def _on_typed(self, text: str) -> None:
        self._search.search(text, self._floor())

    @Slot()
    def _show(self) -> None:
        search = self._search
        if not search.needle.text and self.field.text().strip():
            self.field.clear()  # another chat is shown, which was not searched
        total = search.hits.total
        for button in (self.previous_button, self.next_button):
            button.setEnabled(total > 0)
        if not search.needle.text:
            text = ""
        elif search.is_busy and not total:
            text = self.tr("{percent} %").format(percent=search.percent)
        elif not total:
            text = self.tr("Not found")
        else:
            text = self.tr("{n} of {total}").format(n=search.number + 1, total=total)
        self.count.setText(text)


class ReadingPage(Page):
    def __init__(
        self,
        look: Look,
        models: ReadingModels,
        search: TextSearch,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._models = models
        chat, marks, _remembering, quoted, _passages = models
        self._chat = chat
        self._marks = marks
        self._quoted = quoted
        self._search = search
        self._floor_seen = 0
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
        self.view = TextView(look, chat.rows, chat.face, marks, quoted)
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
        self.view.finding_pressed.connect(self._quoted.go_to)
        self.view.note_pressed.connect(self._on_note)
        self.view.menu_wanted.connect(self._open_menu)
        self.view.use_wanted.connect(self._models[4].use)
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
        self._quoted.set_active(active)

    @Slot(object)
    def _go_to(self, floor: int | None) -> None:
        if floor is not None and self._chat.is_loaded:
            self.view.show_at_top(floor)
            self.view.setFocus()

    @Slot(int, int)
    def _on_gone_to(self, floor: int, number: int) -> None:
        """Scroll a hit into view."""
        self.view.show_text(floor, self._chat.place_of(floor, self._search.needle, number))

    @Slot(object)
    def _on_opened(self, place: tuple[int, int] | None) -> None:
        if self._chat.lines is not None:
            self._on_lines(self._chat.lines)
        elif place is not None:
            self.view.show_at_top(*place)

    @Slot(object)
    def _on_lines(self, lines: Lines | None) -> None:
        """Mark the requested floors and scroll to the first one."""
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
        self._show_floor()  # it may have been reported before it could be shown
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
        self._floor_seen = first
        self._show_floor()
        self._marks.look_at(first, last)
        self._note_place()

    def _show_floor(self) -> None:
        if not self.floor_field.hasFocus():
            self.floor_field.show_values([min(self._floor_seen, self.floor_field.maximum())])

    @Slot()
    def _note_place(self) -> None:
        self._chat.note_place(self.view.place)

    @Slot(int)
    def _on_mark(self, floor: int) -> None:
        self._chat.choose(floor, floor)
        self._chat.show_panel()

    @Slot(int, str)
    def _on_note(self, floor: int, key: str) -> None:
        """Show a private note in the panel."""
        if key == PRIVATE:
            self._on_mark(floor)

    @Slot(int, QPoint)
    def _open_menu(self, floor: int, at: QPoint) -> None:
        span = self.view.chosen_with(floor)
        marked = self.view.marked_text() if span[0] == span[1] == self.view.passage[0] else ""
        RowMenu(self._look, self._models, self.view, self.edit, span, marked).popup(at)

    def edit_current(self) -> None:
        """Edit the current message."""
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
    of_text = (models.reading, models.marks, models.remembering, models.quoted, models.passages)
    page = ReadingPage(parts.look, of_text, models.text_search, parent)
    models.passages.memory_wanted.connect(parts.doors.open_add)
    models.passages.relation_wanted.connect(parts.doors.graph.open_passage_relation)
    return page
