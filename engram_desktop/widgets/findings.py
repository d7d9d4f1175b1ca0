"""The page of findings of a chat: what is over, untrue, contradicted or promised.

A list is narrowed by kind and status; beside it are the chosen finding, its quotes and the answers;
below it the threads as lanes.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QLineF,
    QPoint,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFrame,
    QScrollArea,
    QSizePolicy,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.claims.claim import FINDING_KINDS
from engram_desktop.viewmodels.findings import (
    KIND_ROLES,
    FindingList,
    FindingRow,
    answer_names,
    kind_meanings,
    kind_names,
    status_names,
    words_on_speaker,
)
from engram_desktop.viewmodels.workspace.choice_texts import floors_words, listed
from engram_desktop.widgets.parts.answer_page import (
    LOW,
    AnswerDetail,
    AnswerPage,
    KindCard,
    KindWords,
    WordsCard,
)
from engram_desktop.widgets.parts.fields.mixed_fields import FloorSlider
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import (
    FlowLayout,
    clear_layout,
    column,
)
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import PageParts
from engram_desktop.widgets.parts.pieces import chip, kind_button, label

# Promises and other threads as lanes over the floors: from the first floor of each to its end.
#
# The end of a lane shows the outcome by shape and colour: an arrow is open, a dot kept, a cross
# broken, a bar given up.

LANE = 26  # pixels, height of a lane
AXIS = 20  # pixels, for the floor numbers below the lanes
NAMES = 0.34  # of the width, for the name of who promised
ROLES = {"open": "accent", "kept": "green", "broken": "red", "given_up": "grey"}


class LaneView(QWidget):
    """The lanes. Arrows, J and K go from one to the next; Enter opens the first floor of a lane."""

    chosen = Signal(object)  # key of a finding: of 48 bits, too many for a signal of int
    opened = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._rows: Sequence[FindingRow] = ()
        self._now = 0
        self._current = self._under = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Threads over the floors"))
        look.changed.connect(self.update)

    @property
    def count(self) -> int:
        return len(self._rows)

    @property
    def current_key(self) -> int | None:
        return self._rows[self._current].key if self._current >= 0 else None

    @property
    def current_middle(self) -> int:
        return self._current * LANE + LANE // 2

    def show_rows(self, rows: Sequence[FindingRow], now: int, key: int | None) -> None:
        """Show promises up to floor ``now``; ``key`` is the chosen one."""
        self._rows, self._now, self._under = rows, max(1, now), -1
        self.setFixedHeight(LANE * max(1, len(rows)))
        self.show_key(key)

    def show_key(self, key: int | None) -> None:
        self._current = next((n for n, row in enumerate(self._rows) if row.key == key), -1)
        words = self._words(self._current) if self._current >= 0 else ""
        self.setAccessibleDescription(words)
        self.update()

    def lane_at(self, y: float) -> int:
        """Return the number of the lane at a height in pixels; -1 for none."""
        number = int(y // LANE)
        return number if 0 <= number < len(self._rows) else -1

    def _words(self, number: int) -> str:
        row = self._rows[number]
        finding = row.finding
        text = self.tr("{who}: {text} ({status}, floors {floors})")
        return text.format(
            who=row.heading,
            text=finding.quotes[0].text,
            status=status_names()[finding.status],
            floors=row.floors_text,
        )

    def _choose(self, number: int) -> None:
        if 0 <= number < len(self._rows):
            self.show_key(self._rows[number].key)
            self.chosen.emit(self._rows[number].key)

    @override
    def sizeHint(self) -> QSize:
        return QSize(400, LANE * max(1, len(self._rows)))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_J:
                self._choose(min(self._current + 1, len(self._rows) - 1))
            case Qt.Key.Key_Up | Qt.Key.Key_K:
                self._choose(max(self._current - 1, 0))
            case Qt.Key.Key_Home:
                self._choose(0)
            case Qt.Key.Key_End:
                self._choose(len(self._rows) - 1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self._current >= 0:
                self.opened.emit()
            case _:
                super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._choose(self.lane_at(event.position().y()))

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.lane_at(event.position().y()) >= 0:
            self.opened.emit()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.lane_at(event.position().y()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)

    def _hover(self, number: int) -> None:
        if number != self._under:
            self._under = number
            self.update()

    def tip_at(self, at: QPoint) -> str:
        number = self.lane_at(at.y())
        return self._words(number) if number >= 0 else ""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first = event.rect().top() // LANE
        last = min(len(self._rows) - 1, event.rect().bottom() // LANE)
        for number in range(first, last + 1):
            self._paint_lane(painter, number)
        painter.end()

    def _paint_lane(self, painter: QPainter, number: int) -> None:
        box = QRectF(0, number * LANE, self.width(), LANE)
        row = self._rows[number]
        if number in (self._current, self._under):
            painter.setPen(
                QPen(self._look.color("accent"), 1.4)
                if number == self._current and self.hasFocus()
                else Qt.PenStyle.NoPen
            )
            role = "selection" if number == self._current else "hover"
            painter.setBrush(self._look.color(role))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 6, 6)
        left = names_width(self.width())
        x = self._paint_words(painter, QRectF(8, box.top(), left * 0.6, LANE), row.heading, "ink")
        room = QRectF(x + 8, box.top(), left - x - 16, LANE)
        self._paint_words(painter, room, " ".join(row.finding.quotes[0].text.split()), "ink2")
        self._paint_line(painter, row, box.center().y())

    def _paint_words(self, painter: QPainter, box: QRectF, text: str, role: str) -> float:
        """Draw as much of a text as fits; return the x where it ends."""
        metrics = QFontMetricsF(self.font())
        seen = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.setPen(self._look.color(role))
        place = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(box.adjusted(0, 0, 1, 0), place, seen)
        return box.left() + metrics.horizontalAdvance(seen)

    def _paint_line(self, painter: QPainter, row: FindingRow, y: float) -> None:
        finding = row.finding
        color = self._look.color(ROLES.get(finding.status, "grey"))
        is_open = finding.status == "open"
        end = self._now if is_open else max(finding.floors)
        x, to = self._place(finding.floors[0]), self._place(end)
        painter.setPen(QPen(self._look.color("line"), 1))
        painter.drawLine(QLineF(names_width(self.width()), y, self._place(self._now), y))
        painter.setPen(QPen(color, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QLineF(x, y, to, y))
        painter.drawLine(QLineF(x, y - 4, x, y + 4))
        match finding.status:
            case "broken":
                painter.setPen(QPen(color, 2.4))
                painter.drawLine(QLineF(to - 4, y - 5, to + 4, y + 5))
                painter.drawLine(QLineF(to - 4, y + 5, to + 4, y - 5))
            case "given_up":
                painter.drawLine(QLineF(to, y - 6, to, y + 6))
            case "open":
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(color)
                points = (QPointF(to + 7, y), QPointF(to - 1, y - 5), QPointF(to - 1, y + 5))
                painter.drawPolygon(QPolygonF(points))
            case _:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(color)
                painter.drawEllipse(QPointF(to, y), 5, 5)

    def _place(self, floor: int) -> float:
        return floor_place(floor, self._now, self.width())


def names_width(width: int) -> float:
    return width * NAMES


def floor_place(floor: int, last: int, width: int) -> float:
    """Return the x of a floor on the axis, in pixels."""
    left = names_width(width) + 10
    return left + (width - 20 - left) * floor / max(1, last)


class _Axis(QWidget):
    """Floors below the lanes."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._last = 1
        self.setFixedHeight(AXIS)
        look.changed.connect(self.update)

    def show_last(self, last: int) -> None:
        self._last = max(1, last)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self._look.color("ink2"))
        for floor in sorted({0, self._last // 4, self._last // 2, self._last * 3 // 4, self._last}):
            x = floor_place(floor, self._last, self.width())
            box = QRectF(x - 40, 0, 80, AXIS)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(floor))
        painter.end()


class ThreadLanes(QFrame):
    """The lanes with their title and the floors; hidden without threads."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._most = 1
        rows = self._lines = column(self, 8, 2)
        self._title = label("", "quiet")
        rows.addWidget(self._title)
        self.view = LaneView(look)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self.view)
        rows.addWidget(self._scroll)
        self._axis = _Axis(look)
        rows.addWidget(self._axis)

    def show_rows(self, rows: Sequence[FindingRow], now: int, key: int | None) -> None:
        threads = [row for row in rows if row.finding.kind == "promise"]
        self.setVisible(bool(threads))
        count = sum(row.finding.status == "open" for row in threads)
        self._title.setText(self.tr("%n thread(s) open", "", count))
        self.view.show_rows(threads, now, key)
        self._axis.show_last(now)
        self._fit()

    def show_most(self, count: int) -> None:
        """Show up to ``count`` lanes at once; further ones scroll."""
        self._most = count
        self._fit()

    def _fit(self) -> None:
        self._scroll.setFixedHeight(LANE * max(1, min(self.view.count, self._most)))
        self.setFixedHeight(self._lines.totalMinimumSize().height())

    def show_key(self, key: int | None) -> None:
        self.view.show_key(key)
        if self.view.current_key is not None:
            self._scroll.ensureVisible(0, self.view.current_middle, 0, LANE // 2)


# The chosen finding: its quotes, and the answers to it.

NARROW = 420  # pixels; in a narrower panel the quotes are below each other


class FindingDetail(AnswerDetail):
    """The quotes of a finding: the words, the speaker, the floor and the manner."""

    answered = Signal(str)

    def __init__(self, look: Look, findings: FindingList, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._findings = findings
        self._meaning = label("", "quiet", wrap=True)
        self._rows.addWidget(self._meaning)
        self._quotes = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._quotes.setSpacing(8)
        self._rows.addLayout(self._quotes)
        self._more = label("", "quiet", wrap=True)
        self._rows.addWidget(self._more)
        self._below.addWidget(self.hint)
        self.row: FindingRow | None = None
        findings.shown.connect(self.show_row)
        look.changed.connect(self._redraw)
        self.show_row(findings.current)

    @Slot()
    def _redraw(self) -> None:
        self.show_row(self.row)

    def show_row(self, row: FindingRow | None) -> None:
        self.row = row
        for layout in (self._marks, self._quotes, self._answers):
            clear_layout(layout)
        self.cards = []
        self._body.setVisible(row is not None)
        if row is None:
            return
        finding = row.finding
        self._marks.addWidget(
            chip(self._look, kind_names()[finding.kind], KIND_ROLES[finding.kind])
        )
        if finding.kind != "superseded":  # all superseded ones are over
            self._marks.addWidget(chip(self._look, status_names()[finding.status]))
        self.title.setText(row.heading)
        self._meaning.setText(kind_meanings()[finding.kind])
        for number in range(len(finding.quotes)):
            card = _quote_card(row, number)
            card.opened.connect(lambda n=number: self._findings.read_source(n))
            self._quotes.addWidget(card, 1)
            self.cards.append(card)
        self._more.setText(_more(row))
        self._more.setVisible(bool(self._more.text()))
        self._show_answers(finding.answer)
        self._scroll.verticalScrollBar().setValue(0)

    def _show_answers(self, given: str) -> None:
        names = answer_names()
        choices = self._findings.choices()
        for number, answer in enumerate(choices, 1):
            button = kind_button("chip", f"{number}  {names[answer]}")
            button.setChecked(answer == given)
            button.setAccessibleName(names[answer])
            button.setAccessibleDescription(self.tr("Key {number}").format(number=number))
            if answer == given:
                button.setToolTip(self.tr("Your answer; once more takes it back"))
            button.clicked.connect(lambda _checked=False, a=answer: self.answered.emit(a))
            self._answers.addWidget(button)
        self.hint.setText(
            self.tr("Keys 1–{last} answer and go on, J and K move, Ctrl+Z undoes.").format(
                last=len(choices)
            )
        )

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._quotes.setDirection(down if is_narrow else across)


def _quote_card(row: FindingRow, number: int) -> WordsCard:
    quote = row.finding.quotes[number]
    floor = floors_words(quote.floor, quote.floor)
    who = words_on_speaker(row.told[number] if number < len(row.told) else None)
    return WordsCard(" · ".join(part for part in (floor, who) if part), quote.text)


def _more(row: FindingRow) -> str:
    """Return further lines of a finding: what recalls a promise, who knows better."""
    finding = row.finding
    parts = []
    if finding.kind == "promise" and finding.trigger:
        text = QCoreApplication.translate("FindingDetail", "Due: {trigger}")
        parts.append(text.format(trigger=finding.trigger))
    if finding.kind in ("lie", "mistaken") and finding.known_to:
        text = QCoreApplication.translate("FindingDetail", "Who knows better: {names}")
        parts.append(text.format(names=listed(finding.known_to)))
    return "\n".join(parts)


# The page.

LIST_WIDTH = 380
FEW_LANES, MOST_LANES = 2, 5  # visible before the lanes scroll


def _places(row: FindingRow) -> str:
    """Return the floors of a finding as text."""
    if len(row.finding.floors) == 1:
        return floors_words(row.finding.floors[0], row.finding.floors[0])
    text = QCoreApplication.translate("FindingModel", "Floors {floors}")
    return text.format(floors=row.floors_text)


class FindingCard(KindCard):
    @override
    def words_of(self, row: FindingRow) -> KindWords:
        kind = row.finding.kind
        note = _places(row)
        if kind != "superseded":  # all superseded ones are over
            note = f"{status_names()[row.finding.status]} · {note}"
        if row.finding.answer:
            note = f"✓ {note}"
        quotes = " → ".join(quote.text for quote in row.finding.quotes)
        return KindWords(kind_names()[kind], KIND_ROLES[kind], row.heading, quotes, note)


class FindingPage(AnswerPage):
    def __init__(self, look: Look, findings: FindingList, parent: QWidget | None = None) -> None:
        super().__init__(look, "findings", findings, FINDING_KINDS, {}, parent)
        self._findings = findings
        self._outer.addWidget(self._make_tools(look))
        self._empty.acted.connect(self._show_everything)
        self._add_stack()
        self._fill_body(look)
        findings.found.connect(self._on_found)
        self._on_found()

    def _make_tools(self, look: Look) -> QWidget:
        tools = QWidget()
        line = FlowLayout(tools, 10)
        self.search = SearchField(look, self.tr("Search findings"))
        self.search.setFixedWidth(150)
        self.search.textChanged.connect(self._findings.search)
        line.addWidget(self.search)
        self.status = QComboBox()
        self.status.setAccessibleName(self.tr("Status"))
        self.status.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.status.activated.connect(
            lambda _n: self._findings.filter_status(self.status.currentData())
        )
        line.addWidget(self.status)
        line.push()
        self.floor = FloorSlider(line, 100, 72)
        self.floor.valueChanged.connect(self._findings.show_at)
        return tools

    def _fill_body(self, look: Look) -> None:
        rows = self._rows = column(self._body, 0, 8)
        self.view = self._make_view(look, FindingCard, self.tr("Findings"))
        self.view.edit_wanted.connect(lambda: self._findings.read_source(0))
        self.view.doubleClicked.connect(lambda _index: self._findings.read_source(0))
        self.detail = FindingDetail(look, self._findings)
        self.detail.answered.connect(self.answer)
        rows.addWidget(self._split(self.view, self.detail, LIST_WIDTH), 1)
        self.lanes = ThreadLanes(look)
        self.lanes.view.chosen.connect(self.view.show_key)
        self.lanes.view.opened.connect(lambda: self._findings.read_source(0))
        self._findings.shown.connect(self._on_shown)
        rows.addWidget(self.lanes)

    @override
    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @override
    def set_active(self, active: bool) -> None:
        self._findings.set_active(active)
        self.begin(is_active=active)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low = self.height() < LOW
        self.lanes.show_most(FEW_LANES if is_low else MOST_LANES)
        self.detail.hint.setVisible(not is_low)
        self._rows.activate()  # now, not one frame later, when the lanes would overlap their floors

    @override
    @Slot(str)
    def answer(self, answer: str) -> None:
        """Answer the finding shown, and go to the next one."""
        if self._findings.answer(answer):
            if self.detail.isAncestorOf(self.focusWidget()):
                self.view.setFocus()  # the pressed button is gone
            self._move(1)

    @Slot()
    def _on_found(self) -> None:
        findings = self._findings
        count = findings.model.rowCount()
        self._show_filters()
        self.floor.show_floor(findings.at, findings.last)
        self._stack.setCurrentWidget(self._body if count else self._empty)
        if not count:
            self._say_empty()
        elif findings.wanted is not None and self.view.show_key(findings.wanted):
            findings.wanted = None
        elif self.show_taken_back(findings.decided):
            pass  # the finding whose answer was undone
        elif not self.view.selected_count():
            self.view.show_row(min(self._row, count - 1))
        self.lanes.show_rows(findings.rows, findings.at, self.view.current_key())
        self._rows.activate()
        self.take_focus()

    def _show_filters(self) -> None:
        counts, names = self._findings.counts(), kind_names()
        for kind, button in self.chips.items():
            name = self.tr("All") if kind is None else names[kind]
            count = sum(counts.values()) if kind is None else counts[kind]
            button.setText(f"{name} {count}")
            button.setChecked(kind == self._findings.kind)
        blocker = QSignalBlocker(self.status)
        self.status.clear()
        self.status.addItem(self.tr("Any status"), "")
        for status, count in self._findings.statuses().items():
            self.status.addItem(f"{status_names()[status]} {count}", status)
        self.status.setCurrentIndex(max(0, self.status.findData(self._findings.status)))
        blocker.unblock()
        if not self._findings.words and self.search.text().strip():
            self.search.clear()  # another chat is shown

    def _say_empty(self) -> None:
        findings = self._findings
        if not findings.is_loaded:
            self._empty.wait()
        elif not findings.is_known:
            self._empty.say(
                self.tr("Nothing is known of what {name} hears").format(name=findings.actor),
                self.tr("Nobody of that name speaks, is spoken to or acts in this story."),
            )
        elif findings.is_narrowed and any(findings.counts().values()):
            self._empty.say(
                self.tr("No finding matches"),
                self.tr("Try fewer words, or another kind."),
                self.tr("Show all"),
            )
        elif not findings.is_now:
            self._empty.say(self.tr("Nothing yet at this floor"), self.tr("Move the slider on."))
        elif findings.actor:
            self._empty.say(
                self.tr("Nothing that {name} knows of").format(name=findings.actor),
                self.tr("Only what follows from what {name} says, hears and thinks counts.").format(
                    name=findings.actor
                ),
            )
        else:
            self._empty.say(
                self.tr("Nothing found"),
                self.tr(
                    "Lies, mistakes, contradictions, promises and what is no longer so appear here "
                    "when the story tells of them. No model is needed."
                ),
            )

    @Slot(object)
    def _on_shown(self, row: FindingRow | None) -> None:
        self.lanes.show_key(row.key if row is not None else None)

    @Slot()
    def _show_everything(self) -> None:
        self.search.clear()
        self._findings.show_everything()


def make(parts: PageParts, parent: QWidget) -> FindingPage:
    return FindingPage(parts.look, parts.models.findings, parent)
