"""The view of a chat: names, faces, text, and clickable labels below each message.

Only rows on the screen are laid out, so that 100,000 floors are as quick as a hundred; a streaming
reply costs only its own row. Text is drawn literally and never parsed as markup.

The position is an anchor: a row, and how far its top is above the edge. Rows are measured when they
are placed; rows measured above the anchor move the scroll bar and never the visible text.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget
from typing_extensions import override

from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.workspace.transcript import ChatRow, Transcript
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.row_box import Found, Hit, RowBox, RowStyle, RowWords, spoken

# Heights of the rows of a long list: guessed until they are measured. No Qt.
#
# No operation is slower for 100,000 rows than for a hundred, except for one sum over blocks of
# rows.


BLOCK = 256  # rows that share a sum: as many as there are blocks, for 100,000 rows


class RowHeights:
    """The top of each row, in pixels. Measuring a row only moves the rows below it."""

    def __init__(self, guess: int) -> None:
        self._guess = guess
        self._known: dict[int, int] = {}
        self._extra = array("q")  # by how much the measured rows of a block exceed the guess
        self.count = 0

    @property
    def total(self) -> int:
        return self.count * self._guess + sum(self._extra)

    def set_count(self, count: int) -> None:
        """Change the number of rows at the end; heights of the remaining rows are kept."""
        for row in [row for row in self._known if row >= count] if count < self.count else []:
            self.forget(row)
        self.count = count
        blocks = -(-count // BLOCK)
        if blocks > len(self._extra):
            self._extra.extend([0] * (blocks - len(self._extra)))
        else:
            del self._extra[blocks:]

    def forget_all(self) -> None:
        """Discard all measured heights: the width has changed."""
        self._known.clear()
        self._extra = array("q", [0] * len(self._extra))

    def forget(self, row: int) -> None:
        height = self._known.pop(row, None)
        if height is not None:
            self._extra[row // BLOCK] -= height - self._guess

    def measure(self, row: int, height: int) -> None:
        self.forget(row)
        self._known[row] = height
        self._extra[row // BLOCK] += height - self._guess

    def height(self, row: int) -> int:
        return self._known.get(row, self._guess)

    def top(self, row: int) -> int:
        block = row // BLOCK
        above = block * BLOCK * self._guess + sum(self._extra[:block])
        return above + sum(map(self.height, range(block * BLOCK, row)))

    def row_at(self, y: int) -> tuple[int, int]:
        """Return the row ``y`` pixels below the top, and the offset of ``y`` in it."""
        if not self.count:
            return 0, 0
        y = max(0, min(y, self.total - 1))
        block = 0
        for extra in self._extra[:-1]:
            height = BLOCK * self._guess + extra
            if y < height:
                break
            y -= height
            block += 1
        row = block * BLOCK
        while row < self.count - 1 and y >= self.height(row):
            y -= self.height(row)
            row += 1
        return row, y


class Canvas(QWidget):
    """The viewport, with a tooltip for the position of the mouse."""

    def __init__(self, tip: Callable[[QPoint], str]) -> None:
        super().__init__()
        self._tip = tip

    def tip_at(self, at: QPoint) -> str:
        return self._tip(at)


Measure = Callable[[int], int]  # the height of a row, laid out


class Placing:
    """``placed`` are rows with the y of their tops. ``follows_end``: scroll to new rows."""

    def __init__(self, heights: RowHeights, measure: Measure) -> None:
        self._heights = heights
        self._measure_row = measure
        self.placed: list[tuple[int, int]] = []
        self.first = 0
        self.offset = 0
        self.follows_end = True

    @property
    def value(self) -> int:
        """Return the scroll position, as the scroll bar counts."""
        return self._heights.top(self.first) + self.offset if self._heights.count else 0

    def go_to(self, row: int, offset: int = 0) -> None:
        self.first, self.offset = row, offset
        self.follows_end = False

    def scroll_by(self, distance: int) -> None:
        self.offset += distance
        self.follows_end = False

    def scroll_to(self, value: int) -> None:
        self.first, self.offset = self._heights.row_at(value)
        self.follows_end = False

    def place(self, room: int) -> None:
        """Compute the visible rows of a view that is ``room`` pixels high."""
        count = self._heights.count
        if not count:
            self.placed, self.first, self.offset = [], 0, 0
            return
        self.first = min(self.first, count - 1)
        if self.follows_end:
            self._place_from_end(room)
            return
        self._settle_anchor()
        if not self._place_down(room):
            self._place_from_end(room)
            self.follows_end = True

    def _height(self, row: int) -> int:
        height = self._measure_row(row)
        if height != self._heights.height(row):
            self._heights.measure(row, height)
        return height

    def _settle_anchor(self) -> None:
        """Make the row at the upper edge the anchor, by measured heights."""
        while self.offset < 0 and self.first > 0:
            self.first -= 1
            self.offset += self._height(self.first)
        self.offset = max(0, self.offset)
        while self.first < self._heights.count - 1:
            height = self._height(self.first)
            if self.offset < height:
                break
            self.offset -= height
            self.first += 1

    def _place_down(self, room: int) -> bool:
        """Place rows from the anchor on; return False if they end above the lower edge."""
        self.placed = []
        row, y = self.first, -self.offset
        while row < self._heights.count and y < room:
            self.placed.append((row, y))
            y += self._height(row)
            row += 1
        return y > room or (row < self._heights.count)

    def _place_from_end(self, room: int) -> None:
        row, y = self._heights.count, room
        while row > 0 and y > 0:
            row -= 1
            y -= self._height(row)
        self.first, self.offset = row, max(0, -y)
        self._place_down(room)


Place = tuple[int, int]  # row, position in its text
END = 2**31  # behind the end of every text


@dataclass(slots=True)
class TextSelection:
    """Marked text; empty while both ends are equal."""

    start: Place = (0, 0)
    end: Place = (0, 0)

    @property
    def is_empty(self) -> bool:
        return self.start == self.end

    @property
    def ordered(self) -> tuple[Place, Place]:
        return (self.start, self.end) if self.start <= self.end else (self.end, self.start)

    def in_row(self, row: int) -> tuple[int, int] | None:
        """Return the first and last position marked in a row; None if it has no mark."""
        first, last = self.ordered
        if self.is_empty or not first[0] <= row <= last[0]:
            return None
        return (first[1] if row == first[0] else 0, last[1] if row == last[0] else END)


def word_around(text: str, position: int) -> tuple[int, int]:
    """Return the start and end of the word at a position."""
    first = last = min(position, len(text))
    while first > 0 and text[first - 1].isalnum():
        first -= 1
    while last < len(text) and text[last].isalnum():
        last += 1
    return first, last if last > first else min(len(text), first + 1)


GUESS = 120  # height of an unmeasured row: three lines and a row of labels
KEPT_BOXES = 96  # laid-out rows kept: a few screens either way
STEP = 40  # a wheel step or an arrow key scrolls three of them
MOST_COPIED = 2_000  # rows: a whole chat is exported, not copied


class ChatView(QAbstractScrollArea):
    """The view; ``menu_wanted`` has a floor and a position on the screen."""

    note_pressed = Signal(int, str)  # floor, key of the note
    swipe_pressed = Signal(int, int)  # floor, -1 or 1
    menu_wanted = Signal(int, QPoint)
    current_changed = Signal(int)
    seen_changed = Signal(int, int)  # first and last floor on the screen

    def __init__(
        self,
        look: Look,
        rows: Transcript,
        face: Callable[[str], QImage | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._rows = rows
        self._style = RowStyle(look, face)
        self._words = RowWords(
            self.tr("floor {floor}"),
            self.tr("hidden from the prompt"),
            self.tr("Show more of it"),
            self.tr("The reading before this one"),
            self.tr("The next reading"),
            self.tr("Thinking…"),
            self.tr("Show thoughts and panels"),
            self.tr("Hide thoughts and panels"),
        )
        self._unfolded: set[int] = set()  # floors shown in full, not only their story
        self._boxes: OrderedDict[int, tuple[int, RowBox]] = OrderedDict()
        self._generation = 0
        self._heights = RowHeights(GUESS)
        self._placing = Placing(self._heights, lambda row: self._box(row).height)
        self._value = 0  # last value of the scroll bar
        self._marked = TextSelection()
        self._is_marking = False
        self._pressed: tuple[int, Hit] | None = None
        self._hover: tuple[int, Hit] | None = None
        self._cover: tuple[int, QWidget] | None = None
        self.seen = (-1, -1)  # first and last floor on the screen
        self.current = -1
        self.setViewport(Canvas(self._tip_at))
        self._apply_look()
        rows.reset.connect(self._on_reset)
        rows.resized.connect(self._on_resized)
        rows.changed.connect(self._on_changed)
        look.changed.connect(self._on_look_changed)
        self._on_reset()

    def _apply_look(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(self.tr("Messages"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.verticalScrollBar().setSingleStep(STEP)
        self.viewport().setMouseTracking(True)

    @property
    def follows_end(self) -> bool:
        """Return whether to scroll to new rows: until the reader scrolls up."""
        return self._placing.follows_end

    def scroll_to_end(self) -> None:
        self._placing.follows_end = True
        self._arrange()

    def show_floor(self, floor: int) -> None:
        """Make a message the current one and scroll it into view."""
        self._set_current(max(0, min(floor, self._heights.count - 1)))
        top = next((y for row, y in self._placing.placed if row == self.current), None)
        room = self.viewport().height()
        if top is None:
            self._placing.go_to(self.current, -min(room // 4, 80))
        elif top < 0:
            self._placing.scroll_by(top)
        else:
            over = top + self._box(self.current).height - room
            if over > 0:
                self._placing.scroll_by(min(over, top))
        self._arrange()

    def visible_floors(self) -> list[int]:
        return [row for row, _y in self._placing.placed]

    def rect_of(self, floor: int) -> QRectF:
        """Return the rectangle of a message's text on the viewport; empty if not visible."""
        for row, y in self._placing.placed:
            if row == floor:
                return self._box(row).bubble.translated(0, y)
        return QRectF()

    def cover(self, floor: int, widget: QWidget | None) -> None:
        """Place a widget over a message's text; None removes it."""
        old, self._cover = self._cover, (floor, widget) if widget is not None else None
        if widget is not None:
            widget.setParent(self.viewport())
            widget.show()
        for row in {floor, *([old[0]] if old else [])}:
            self._boxes.pop(row, None)
        self._arrange()

    def marked_text(self) -> str:
        """Return the text that the reader has marked."""
        if self._marked.is_empty:
            return ""
        (first, _), (last, _) = self._marked.ordered
        pieces = []
        for floor in range(first, min(last, first + MOST_COPIED) + 1):
            span = self._marked.in_row(floor)
            if span is not None and floor < self._heights.count:
                pieces.append(self._text_of(floor)[span[0] : span[1]])
        return "\n\n".join(pieces)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(event.rect())
        for row, y in self._placing.placed:
            box = self._box(row)
            if y > area.bottom() or y + box.height < area.top():
                continue
            painter.save()
            painter.translate(0, y)
            box.paint(
                painter,
                area.translated(0, -y),
                self._marked.in_row(row),
                found=self._found_in(row),
                is_current=row == self.current and self.hasFocus(),
                hover=self._hover[1] if self._hover and self._hover[0] == row else None,
            )
            painter.restore()
        painter.end()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._boxes.clear()
            self._heights.forget_all()
        self._arrange()

    @override
    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Scroll by the change of the bar's value, as Qt counts ``dy`` from its own last value."""
        value = self.verticalScrollBar().value()
        distance = value - self._value
        if abs(distance) <= 2 * self.viewport().height():
            self._placing.scroll_by(distance)
        else:
            self._placing.scroll_to(value)
        self._arrange()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        if self.current < 0 and self._placing.placed:
            self._set_current(self._placing.placed[-1][0])
        self.viewport().update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        row, hit = self._hit_at(at)
        if row < 0:
            return
        self._set_current(row)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if hit is not None:
            self._pressed = (row, hit)
            return
        place = self._place_at(at)
        is_more = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._marked = TextSelection(self._marked.start if is_more else place, place)
        self._is_marking = True
        self.viewport().update()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._is_marking:
            if not 0 <= at.y() <= self.viewport().height():
                bar = self.verticalScrollBar()
                bar.setValue(bar.value() + (STEP if at.y() > 0 else -STEP))
            self._marked.end = self._place_at(at)
            self.viewport().update()
            return
        row, hit = self._hit_at(at)
        before, self._hover = self._hover, (row, hit) if hit is not None and hit.kind else None
        if before != self._hover:
            self.viewport().update()
        is_text = row >= 0 and hit is None and self._is_on_text(row, at)
        shape = Qt.CursorShape
        is_button = self._hover is not None
        self.viewport().setCursor(
            shape.PointingHandCursor
            if is_button
            else shape.IBeamCursor
            if is_text
            else shape.ArrowCursor
        )

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._is_marking = False
        pressed, self._pressed = self._pressed, None
        if pressed is not None and self._hit_at(event.position()) == pressed:
            self._press(*pressed)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row, hit = self._hit_at(event.position())
        if row < 0 or hit is not None:
            self.mousePressEvent(event)
            return
        _, at = self._place_at(event.position())
        first, last = word_around(self._text_of(row), at)
        self._marked = TextSelection((row, first), (row, last))
        self.viewport().update()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            row, _hit = self._hit_at(QPointF(self.viewport().mapFromGlobal(event.globalPos())))
            place = event.globalPos()
        else:
            row = self.current
            place = self.viewport().mapToGlobal(self.rect_of(row).center().toPoint())
        if 0 <= row < self._heights.count:
            self._set_current(row)
            self.menu_wanted.emit(row, place)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        room = self.viewport().height()
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.marked_text() or self._text_of(self.current))
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._marked = TextSelection((0, 0), (max(0, self._heights.count - 1), END))
            self.viewport().update()
        else:
            match event.key():
                case Qt.Key.Key_Up:
                    self._step(-1)
                case Qt.Key.Key_Down:
                    self._step(1)
                case Qt.Key.Key_PageUp:
                    self._scroll(-room + STEP)
                case Qt.Key.Key_PageDown:
                    self._scroll(room - STEP)
                case Qt.Key.Key_Space:
                    self.set_unfolded(self.current, unfolded=self.current not in self._unfolded)
                case Qt.Key.Key_Home:
                    self.show_floor(0)
                case Qt.Key.Key_End:
                    self._set_current(self._heights.count - 1)
                    self.scroll_to_end()
                case _:
                    super().keyPressEvent(event)
                    return
        event.accept()

    def _scroll(self, distance: int) -> None:
        self._placing.scroll_by(distance)
        self._arrange()

    def _step(self, by: int) -> None:
        """Go to the next message; scroll through a long one first."""
        room = self.viewport().height()
        box = self.rect_of(self.current)
        if not box.isEmpty() and ((by > 0 and box.bottom() > room) or (by < 0 and box.top() < 0)):
            self._scroll(by * 2 * STEP)
        else:
            self.show_floor(self.current + by)

    def _press(self, row: int, hit: Hit) -> None:
        match hit.kind:
            case "note":
                self.note_pressed.emit(row, hit.key)
            case "more":
                self._rows.show_more(row)
            case "fold":
                self.set_unfolded(row, unfolded=row not in self._unfolded)
            case "previous" | "next":
                self.swipe_pressed.emit(row, 1 if hit.kind == "next" else -1)

    def set_unfolded(self, row: int, *, unfolded: bool) -> None:
        """Show all text of a message, with thoughts and panels, or its story alone."""
        if unfolded != (row in self._unfolded):
            (self._unfolded.add if unfolded else self._unfolded.discard)(row)
            self._boxes.pop(row, None)
            self._placing.scroll_by(0)
            self._arrange()

    def _set_current(self, row: int) -> None:
        if row == self.current:
            return
        self.current = row
        content = self._rows.row(row) if 0 <= row < self._heights.count else None
        self.setAccessibleDescription(spoken(content, self._words) if content is not None else "")
        self.current_changed.emit(row)
        self.viewport().update()

    def _text_of(self, row: int) -> str:
        if not 0 <= row < self._heights.count:
            return ""
        if row in self._boxes:
            return self._box(row).text.text
        content = self._rows.row(row)
        return content.text if content is not None else ""

    def _row_at(self, y: float) -> tuple[int, int]:
        """Return the row at a y of the viewport, and its top; -1 below the last row."""
        for row, top in reversed(self._placing.placed):
            if y >= top:
                return (row, top) if y < top + self._box(row).height else (-1, top)
        return self._placing.placed[0] if self._placing.placed else (-1, 0)

    def _hit_at(self, at: QPointF) -> tuple[int, Hit | None]:
        row, top = self._row_at(at.y())
        return (row, self._box(row).hit_at(at - QPointF(0, top)) if row >= 0 else None)

    def _place_at(self, at: QPointF) -> Place:
        row, top = self._row_at(at.y())
        if row < 0:
            return max(0, self._heights.count - 1), END
        return row, self._box(row).position_at(at - QPointF(0, top))

    def _is_on_text(self, row: int, at: QPointF) -> bool:
        return self.rect_of(row).contains(at)

    def _tip_at(self, at: QPoint) -> str:
        _row, hit = self._hit_at(QPointF(at))
        return hit.tip if hit is not None else ""

    def _box(self, row: int) -> RowBox:
        """Return the layout of a row, reused if its content is the same."""
        generation, old = self._boxes.get(row, (-1, None))
        if old is not None and generation == self._generation:
            self._boxes.move_to_end(row)
            return old
        content = self._rows.row(row)
        if content is None:  # removed meanwhile: a signal about the change follows
            content = old.row if old is not None else ChatRow(row, "", "")
        if old is None or old.row != content:
            covered = self._cover is not None and self._cover[0] == row
            reserved = self._cover[1].sizeHint().height() if covered and self._cover else 0
            width = self.viewport().width()
            old = RowBox(
                content,
                width,
                self._style,
                self._words,
                old=old,
                reserved=reserved,
                is_folded=row not in self._unfolded,
            )
        self._boxes[row] = (self._generation, old)
        self._boxes.move_to_end(row)
        if len(self._boxes) > KEPT_BOXES:
            self._boxes.popitem(last=False)
        return old

    def _arrange(self) -> None:
        room = self.viewport().height()
        self._placing.place(room)
        bar = self.verticalScrollBar()
        blocker = QSignalBlocker(bar)
        bar.setPageStep(room)
        bar.setRange(0, max(0, self._heights.total - room))
        if not bar.isSliderDown():
            bar.setValue(self._placing.value)
        self._value = bar.value()
        blocker.unblock()
        if self._cover is not None:
            floor, widget = self._cover
            box = self.rect_of(floor)
            widget.setVisible(not box.isEmpty())
            if not box.isEmpty():
                widget.setGeometry(box.toRect())
        self.viewport().update()
        placed = self._placing.placed
        seen = (placed[0][0], placed[-1][0]) if placed else (-1, -1)
        if seen != self.seen:
            self.seen = seen
            self.seen_changed.emit(*seen)

    def _found_in(self, row: int) -> Sequence[Found]:
        """Return the ranges of a row's text to mark as found; views with a search override it."""
        del row
        return ()

    @Slot()
    def _on_reset(self) -> None:
        self._boxes.clear()
        self._unfolded.clear()
        self._heights = RowHeights(GUESS)
        self._heights.set_count(self._rows.count)
        self._placing = Placing(self._heights, lambda row: self._box(row).height)
        self._marked, self.current = TextSelection(), -1
        self._arrange()

    @Slot(int)
    def _on_resized(self, count: int) -> None:
        for row in [row for row in self._boxes if row >= count]:
            del self._boxes[row]
        self._heights.set_count(count)
        self.current = min(self.current, count - 1)
        self._arrange()

    @Slot(int, int)
    def _on_changed(self, first: int, last: int) -> None:
        if last - first > KEPT_BOXES:
            self._generation += 1
        for row in [row for row in self._boxes if first <= row <= last]:
            self._boxes[row] = (-1, self._boxes[row][1])
        self._arrange()

    @Slot()
    def _on_look_changed(self) -> None:
        self._boxes.clear()
        self._arrange()
